// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "planted.hpp"

namespace test {

bool are_right(Scans& scans) {
  // Enough tiles that a block goes through its ring, of arrays that begin at multiples of 16 bytes and between.
  KokkosScan::Options const pipelined{.grid = KokkosScan::GridScan::pipelined};
  for (std::uint32_t const salt : {1U, 2U, 3U}) {
    if (!scans.are_right<Affine<std::uint64_t>>(pipelined, 50'001, salt)) return false;
    if (salt == 1 && !scans.are_right<Affine<std::uint32_t>>(pipelined, 100'001, salt, {8, 8})) return false;
  }
  return true;
}

}  // namespace test
