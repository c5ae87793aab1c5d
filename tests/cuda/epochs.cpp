// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "scans.hpp"
#include "seeds.hpp"

// The states carry the number of the scan that wrote them, and there are only so many numbers.
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

template <class Value>
void expect_new_epochs_of(GridScan grid) {
  SCOPED_TRACE("grid " + to_string(grid));
  expect_new_epochs(
      40, [&](Scans& scans, std::uint32_t salt) { return scans.are_right_in_small_tiles<Value>(grid, 40, salt); });
}

TEST(Epochs, begin_anew_when_there_are_no_more) {
  for (GridScan const grid : {GridScan::lookback, GridScan::chained}) {
    expect_new_epochs_of<Affine<std::uint16_t>>(grid);
    expect_new_epochs_of<Affine<std::uint32_t>>(grid);
    expect_new_epochs_of<Affine<std::uint64_t>>(grid);
    expect_new_epochs_of<RoomyAffine>(grid);
  }
}

template <class Value>
void expect_new_epochs_in_one_wave() {
  expect_new_epochs(40, [](Scans& scans, std::uint32_t salt) { return scans.are_right_in_one_wave<Value>(7, salt); });
}

TEST(Epochs, begin_anew_in_one_wave) {
  expect_new_epochs_in_one_wave<Affine<std::uint16_t>>();
  expect_new_epochs_in_one_wave<Affine<std::uint32_t>>();
  expect_new_epochs_in_one_wave<Affine<std::uint64_t>>();
}

TEST(Epochs, begin_anew_where_few_blocks_take_many_tiles) {
  expect_new_epochs(20, [](Scans& scans, std::uint32_t salt) {
    return scans.are_right<Affine<std::uint64_t>>(Options{.grid = GridScan::pipelined}, 20'000, salt);
  });
}

}  // namespace
}  // namespace test
