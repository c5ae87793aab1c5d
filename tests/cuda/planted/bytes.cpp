// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "planted.hpp"

namespace test {

bool are_right(Scans& scans) {
  KokkosScan::Options const lookback{.grid = KokkosScan::GridScan::lookback};
  for (std::uint32_t const salt : {1U, 2U, 3U})
    if (!scans.are_right<Affine<std::uint8_t>>(lookback, 11'000, salt)) return false;
  return true;
}

}  // namespace test
