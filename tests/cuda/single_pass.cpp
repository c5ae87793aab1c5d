// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scans.hpp"
#include "seeds.hpp"

// Single passes over many small tiles, and in their last epochs: the states carry the number of the scan that wrote
// them, and there are only so many numbers.
namespace test {
namespace {

using KokkosScan::GridScan;
using KokkosScan::Options;

/// `are_right(scans, salt)` makes scans of other values each time.
template <class AreRight>
void expect_new_epochs(std::uint64_t seeds, AreRight const& are_right) {
  for_each_seed(seeds, [&] {
    Scans scans;
    std::uint32_t salt = 0;
    EXPECT_TRUE(are_right(scans, ++salt));
    for (int time = 0; time < 3; ++time) {
      scans.skip_to_the_last_epoch();
      EXPECT_TRUE(are_right(scans, ++salt)) << "in the last epoch";
    }
    EXPECT_TRUE(are_right(scans, ++salt)) << "in the first one behind it";
  });
}

template <class... Values>
void expect_new_epochs_of() {
  for (GridScan const grid : {GridScan::lookback, GridScan::chained}) {
    SCOPED_TRACE("grid " + to_string(grid));
    (expect_new_epochs(
         seeds_of(40, 12),
         [=](Scans& s, std::uint32_t salt) { return s.are_right_in_small_tiles<Values>(grid, 40, salt); }),
     ...);
  }
}
template <class... Values>
void expect_new_epochs_in_one_wave() {
  (expect_new_epochs(seeds_of(40, 12),
                     [](Scans& s, std::uint32_t salt) { return s.are_right_in_one_wave<Values>(7, salt); }),
   ...);
}

TEST(Epochs, begin_anew_when_there_are_no_more) {
  expect_new_epochs_of<AffineOf<std::uint16_t>, AffineOf<std::uint32_t>, AffineOf<std::uint64_t>, RoomyAffine>();
}
TEST(Epochs, begin_anew_in_one_wave) {
  expect_new_epochs_in_one_wave<AffineOf<std::uint16_t>, AffineOf<std::uint32_t>, AffineOf<std::uint64_t>>();
}
TEST(Epochs, begin_anew_where_few_blocks_take_many_tiles) {
  expect_new_epochs(seeds_of(20, 8), [](Scans& scans, std::uint32_t salt) {
    return scans.are_right_in_the_pipeline<AffineOf<std::uint64_t>>(20'000, salt);
  });
}

// So many tiles that what stands before them is known by spans (cuda_native/spans.hpp), and more than two of them.

template <class Value>
void expect_many_tiles(std::uint64_t seeds) {
  for_each_seed(seeds, [] {
    for (GridScan const grid : {GridScan::lookback, GridScan::chained}) {
      SCOPED_TRACE("grid " + to_string(grid));
      EXPECT_TRUE(Scans().are_right_in_small_tiles<Value>(grid, (2 * 32 + 3) * 32 + 5, 1));
    }
  });
}

TEST(ManyTiles, of_words_of_8_bytes) { expect_many_tiles<AffineOf<std::uint16_t>>(seeds_of(3, 2)); }
TEST(ManyTiles, of_words_of_16_bytes) { expect_many_tiles<AffineOf<std::uint32_t>>(seeds_of(3, 2)); }
TEST(ManyTiles, of_two_words) { expect_many_tiles<AffineOf<std::uint64_t>>(1); }
TEST(ManyTiles, of_what_is_exchanged_in_pieces) { expect_many_tiles<RoomyAffine>(1); }

TEST(ManyTiles, of_the_pipeline) {
  using Value         = AffineOf<std::uint64_t>;
  std::size_t const n = 4 * 32 * KokkosScan::cuda::pipelined::Shape<Value>::tile - 7;
  for_each_seed(2, [&] { EXPECT_TRUE(Scans().are_right_in_the_pipeline<Value>(n, 1)); });
}

}  // namespace
}  // namespace test
