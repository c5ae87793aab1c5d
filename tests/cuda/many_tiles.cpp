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

/// Tiles whose totals the lanes of a block look at in one turn, and in two; regular and not; with one round and more.
template <class Value>
void expect_one_wave(std::uint64_t seeds) {
  for_each_seed(seeds, [] {
    for (std::size_t const tiles : {1, 2, 33, 64, 65, 100})
      for (std::uint32_t const salt : {1U, 2U})
        for (std::size_t const offset : {0, 1})
          EXPECT_TRUE(Scans().are_right_in_one_wave<Value>(tiles, salt, offset)) << tiles << " tiles, salt " << salt;
  });
}

TEST(OneWave, of_words_of_2_bytes) { expect_one_wave<Affine<std::uint8_t>>(2); }
TEST(OneWave, of_words_of_4_bytes) { expect_one_wave<Affine<std::uint16_t>>(2); }
TEST(OneWave, of_words_of_8_bytes) { expect_one_wave<Affine<std::uint32_t>>(2); }
TEST(OneWave, of_words_of_16_bytes) { expect_one_wave<Affine<std::uint64_t>>(2); }

}  // namespace
}  // namespace test
