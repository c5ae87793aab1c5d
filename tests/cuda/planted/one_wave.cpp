// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "planted.hpp"

namespace test {

bool are_right(Scans& scans) {
  // As many tiles as one warp looks at, and more.
  for (std::size_t const tiles : {1, 5, 40})
    if (!scans.are_right_in_one_wave<Affine<std::uint32_t>>(tiles, 4) ||
        !scans.are_right_in_one_wave<Affine<std::uint64_t>>(tiles, 5, {16, 16}))
      return false;
  return true;
}

}  // namespace test
