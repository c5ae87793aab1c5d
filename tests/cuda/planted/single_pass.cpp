// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "planted.hpp"

namespace test {

using KokkosScan::BlockScan;
using KokkosScan::GridScan;

bool are_right(Scans& scans) {
  for (std::uint32_t salt : {1U, 2U, 3U}) {
    for (GridScan const grid : {GridScan::lookback, GridScan::chained, GridScan::hierarchical}) {
      if (!scans.are_right<Affine<std::uint32_t>>({grid, BlockScan::automatic}, 11'000, salt)) return false;
      if (!scans.are_right<Affine<std::uint64_t>>({grid, BlockScan::automatic}, 5'000, salt)) return false;
    }
    if (!scans.are_right<Affine<std::uint32_t>>({GridScan::lookback, BlockScan::kogge_stone}, 300, salt)) return false;
    if (salt == 1 && !scans.are_right<Affine<std::uint64_t>>({GridScan::lookback, BlockScan::automatic}, 70'000, salt))
      return false;
    if (!scans.are_right<RoomyAffine>({GridScan::lookback, BlockScan::automatic}, 5'000, salt)) return false;
  }
  // Tiles that are no power of two, and an exclusive algorithm within three phases.
  using Value = Affine<std::uint32_t>;
  using namespace KokkosScan::cuda;
  if (!scans.are_right_by<Block<Value, block::Blelloch<3>, 96>, Value>(GridScan::lookback, 600, 4)) return false;
  using Phases = block::ThreePhase<block::Blelloch<1>, 3>;
  if (!scans.are_right_by<Block<Value, Phases, 96>, Value>(GridScan::lookback, 600, 4)) return false;
  // More tiles than one look back covers.
  if (!scans.are_right_in_small_tiles<Value>(GridScan::lookback, (2 * 32 + 3) * 32, 4)) return false;
  // The last epoch: the states are cleared behind it, and must know nothing when it comes again.
  for (std::uint32_t salt : {4U, 5U, 6U}) {
    scans.skip_to_the_last_epoch();
    if (!scans.are_right_in_small_tiles<Value>(GridScan::lookback, 40, salt)) return false;
  }
  return true;
}

}  // namespace test
