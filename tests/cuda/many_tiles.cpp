// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scans.hpp"
#include "seeds.hpp"

// So many tiles that what stands before them is known by spans (cuda_native/spans.hpp), and more than two of them.
namespace test {
namespace {

using KokkosScan::GridScan;
using KokkosScan::Options;

template <class Value>
void expect_many_tiles(std::uint64_t seeds) {
  for_each_seed(seeds, [] {
    for (GridScan const grid : {GridScan::lookback, GridScan::chained}) {
      SCOPED_TRACE("grid " + to_string(grid));
      EXPECT_TRUE(Scans().are_right_in_small_tiles<Value>(grid, (2 * 32 + 3) * 32 + 5, 1));
    }
  });
}

TEST(ManyTiles, of_words_of_8_bytes) { expect_many_tiles<Affine<std::uint16_t>>(3); }
TEST(ManyTiles, of_words_of_16_bytes) { expect_many_tiles<Affine<std::uint32_t>>(3); }
TEST(ManyTiles, of_two_words) { expect_many_tiles<Affine<std::uint64_t>>(1); }
TEST(ManyTiles, of_what_is_exchanged_in_pieces) { expect_many_tiles<RoomyAffine>(1); }

TEST(ManyTiles, of_the_pipeline) {
  using Value = Affine<std::uint64_t>;
  Options const options{.grid = GridScan::pipelined};
  std::size_t const n = 4 * 32 * KokkosScan::cuda::tile_length<Value>(options) - 7;
  for_each_seed(2, [&] { EXPECT_TRUE(Scans().are_right<Value>(options, n, 1)); });
}

}  // namespace
}  // namespace test
