// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scans.hpp"
#include "seeds.hpp"

// Block algorithms in shapes other than those they are launched in: tiles that are no power of two, warps that are not
// full of work, and every algorithm within three phases.
namespace test {
namespace {

namespace block = KokkosScan::cuda::block;
using Value     = AffineOf<std::uint32_t>;

template <class Algorithm, int threads, template <class> class Memory = KokkosScan::cuda::SharedTile>
void expect_block() {
  using namespace KokkosScan::cuda;
  using B                   = Block<Value, Algorithm, threads, Memory>;
  constexpr std::size_t one = B::tile_length;
  for_each_seed(20, [] {
    for (std::size_t const n : {std::size_t{1}, std::size_t{2}, std::size_t{17}, one - 1, one, 3 * one + 5}) {
      SCOPED_TRACE(testing::Message() << "n = " << n);
      EXPECT_TRUE((Scans().are_right_by<B, Value>(KokkosScan::GridScan::lookback, n, 1)));
    }
  });
}

TEST(Blocks, whose_tiles_are_no_power_of_two) {
  expect_block<block::KoggeStone<3>, 96>();
  expect_block<block::KoggeStoneDoubleBuffered<3>, 96>();
  expect_block<block::BrentKung<3>, 96>();
  expect_block<block::Blelloch<3>, 96>();
  expect_block<block::WarpShuffle, 96>();
  expect_block<block::ThreePhase<block::WarpShuffle, 3>, 96>();
}

TEST(Blocks, on_global_memory) {
  expect_block<block::Blelloch<3>, 96, KokkosScan::cuda::GlobalTile>();
  expect_block<block::KoggeStoneDoubleBuffered<3>, 96, KokkosScan::cuda::GlobalTile>();
}

TEST(Blocks, within_three_phases) {
  expect_block<block::ThreePhase<block::KoggeStone<1>, 3>, 128>();
  expect_block<block::ThreePhase<block::KoggeStoneDoubleBuffered<1>, 3>, 128>();
  expect_block<block::ThreePhase<block::BrentKung<1>, 3>, 128>();
  expect_block<block::ThreePhase<block::Blelloch<1>, 3>, 96>();
  expect_block<block::ThreePhase<block::ThreePhase<block::WarpShuffle, 2>, 3>, 128>();
}

}  // namespace
}  // namespace test
