// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/scans.hpp"
#include "planted.hpp"

namespace test {

bool are_right() {
  // Of two words that blocks exchange, in the smallest tiles.
  using Value     = Affine<std::uint64_t>;
  auto const grid = KokkosScan::GridScan::lookback;
  Scans scans;
  for (std::uint32_t const salt : {1U, 2U, 3U})
    if (!scans.are_right_in_small_tiles<Value>(grid, 40, salt)) return false;
  // More tiles than one look back covers.
  if (!scans.are_right_in_small_tiles<Value>(grid, (2 * 32 + 3) * 32, 4)) return false;
  // The last epoch: the states are cleared behind it, and must know nothing when it comes again.
  for (std::uint32_t const salt : {4U, 5U, 6U}) {
    scans.skip_to_the_last_epoch();
    if (!scans.are_right_in_small_tiles<Value>(grid, 40, salt)) return false;
  }
  return true;
}

}  // namespace test
