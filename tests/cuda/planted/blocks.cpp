// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/scans.hpp"
#include "planted.hpp"

namespace test {

bool are_right() {
  // Tiles that are no power of two, and an inclusive and an exclusive algorithm within three phases.
  using namespace KokkosScan::cuda;
  using Value     = Affine<std::uint32_t>;
  using Inclusive = Block<Value, block::ThreePhase<block::WarpShuffle, 3>, 96>;
  using Exclusive = Block<Value, block::ThreePhase<block::Blelloch<1>, 3>, 96>;
  auto const grid = KokkosScan::GridScan::lookback;
  return Scans().are_right_by<Inclusive, Value>(grid, 600, 4) && Scans().are_right_by<Exclusive, Value>(grid, 600, 4);
}

}  // namespace test
