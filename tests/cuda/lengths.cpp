// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "lengths.hpp"
#include "seeds.hpp"

// Lengths in memory under many schedules, and in the last epochs. What the API makes of them is in
// tests/scan/lengths.cpp.
namespace test {
namespace {

using Value = AffineOf<std::uint64_t>;

template <By by>
void expect_right(std::uint64_t seeds) {
  for_each_seed(seeds, [] {
    Scans scans;
    EXPECT_TRUE((are_right_of_many_lengths<by, Value>(scans, 1)));
  });
}

TEST(StoredLengths, by_lookback) { expect_right<By::lookback>(20); }
TEST(StoredLengths, by_chained) { expect_right<By::chained>(20); }
TEST(StoredLengths, by_hierarchical) { expect_right<By::hierarchical>(10); }
TEST(StoredLengths, in_one_wave) { expect_right<By::one_wave>(20); }
TEST(StoredLengths, by_the_pipeline) { expect_right<By::pipelined>(2); }

/// As many blocks as have tiles are waited for before the states are cleared; a scan of nothing leaves the epoch alone.
template <By by>
void expect_new_epochs(std::uint64_t seeds) {
  constexpr std::size_t tile = length_of_tile<by, Value>;
  for_each_seed(seeds, [] {
    Scans scans;
    std::uint32_t salt = 0;
    EXPECT_TRUE((are_right_up_to<by, Value>(scans, 40, 40 * tile, ++salt)));
    for (int time = 0; time < 3; ++time) {
      scans.skip_to_the_last_epoch();
      for (std::size_t const tiles : {0, 5, 40, 7})
        EXPECT_TRUE((are_right_up_to<by, Value>(scans, 40, tiles * tile, ++salt))) << tiles << " tiles";
    }
  });
}

TEST(StoredLengths, in_the_last_epoch) {
  expect_new_epochs<By::lookback>(20);
  expect_new_epochs<By::one_wave>(10);
}

}  // namespace
}  // namespace test
