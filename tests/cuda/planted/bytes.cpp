// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cuda/scans.hpp"
#include "planted.hpp"

namespace test {

bool are_right() {
  // Values of less than 4 bytes go by words in shared memory.
  using Value = Affine<std::uint8_t>;
  using Tiles = KokkosScan::cuda::ThreePhaseBlock<Value>;
  return Scans().are_right_by<Tiles, Value>(KokkosScan::GridScan::lookback, 11'000, 1);
}

}  // namespace test
