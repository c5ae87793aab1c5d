// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/scans.hpp"
#include "planted.hpp"

namespace test {

bool are_right() {
  // As many tiles as one warp polls, and more.
  Scans scans;
  for (std::size_t const tiles : {1, 5, 40})
    if (!scans.are_right_in_one_wave<Affine<std::uint32_t>>(tiles, 4)) return false;
  return true;
}

}  // namespace test
