// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "cuda_native/scan.hpp"
#include "streams.hpp"
#include "support/random.hpp"

// Where segments begin, found by a kernel before the scan, and by the warps of one wave: of arrays at any address, and
// of offsets that have no meaning.
namespace test {
namespace {

namespace core   = KokkosScan::core;
namespace native = KokkosScan::cuda;
using KokkosScan::GridScan;

constexpr std::size_t around = 64;  // elements beside an array, which nobody may write

template <class T, class Op, bool backward>
class SegmentsInMemory {
  using Array  = std::conditional_t<backward, core::Backward<T>, core::Contiguous<T>>;
  using Source = core::FromSegments<T, Array, Op, core::NoInit, int, backward>;
  using Value  = core::Keyed<T>;

 public:
  /// `shift`: how many elements behind an address of 16 bytes arrays begin.
  SegmentsInMemory(std::vector<int> const& offsets, std::size_t n, std::size_t shift, std::uint64_t seed)
      : offsets_(offsets), n_(n), begin_(around + shift), from_(n + 2 * around), dest_(n + 2 * around) {
    Random random(seed);
    for (T& element : from_) element = static_cast<T>(random.below(2));
    for (T& element : dest_) element = static_cast<T>(random.below(2));
    before_ = dest_;
  }

  void run(GridScan grid) {
    core::Offsets<int> const offsets{{offsets_.data(), 1}, offsets_.size() - 1};
    std::size_t const count = core::words_of_boundaries(n_);
    words_.resize(count);
    if (grid != GridScan::one_wave)
      native::boundaries::run(nullptr, core::MakeBoundaries<int>{offsets, n_, words_.data(), nullptr, 0, count, 1});
    std::size_t const first = backward ? n_ - 1 : 0;
    Source const source{{words_.data(), first}, {&from_[begin_ + first]}, {}, {}, offsets, n_};
    core::Problem<Value, Source, core::WithinRuns<T, Op>, core::ToArrayByKey<T, Array>> const scan{
        source, {{&dest_[begin_ + first]}}, n_, {}, {}, nullptr};
    KokkosScan::Options const by{.grid = grid};
    states_.resize(native::needs<Value>(by, n_).states / sizeof(native::Slot) + 1);
    native::run(nullptr, by, scan, {nullptr, states_.data(), states_.size() * sizeof(native::Slot)});
  }

  /// Of offsets that ascend from 0 to n.
  void expect_right(std::string const& what) {
    std::vector<T> expected = before_;
    for (std::size_t r = 0; r + 1 < offsets_.size(); ++r) {
      auto const begin = begin_ + static_cast<std::size_t>(offsets_[r]);
      auto const end   = begin_ + static_cast<std::size_t>(offsets_[r + 1]);
      T running{};
      for (std::size_t k = begin; k < end; ++k) {
        std::size_t const i = backward ? begin + end - 1 - k : k;
        running             = k == begin ? T(from_[i]) : static_cast<T>(Op{}(running, from_[i]));
        expected[i]         = running;
      }
    }
    ASSERT_TRUE(expected == dest_) << what;
  }
  void expect_nothing_outside(std::string const& what) {
    for (std::size_t i = 0; i < dest_.size(); ++i)
      if (i < begin_ || i >= begin_ + n_) {
        ASSERT_TRUE(dest_[i] == before_[i]) << what << ", element " << i;
      }
  }

 private:
  std::vector<int> const offsets_;
  std::size_t n_, begin_;
  std::vector<T> from_, dest_, before_;
  std::vector<std::uint32_t> words_;  // until the kernels of a stream have run
  std::vector<native::Slot> states_;
};

/// Of up to 50 elements, a third of them empty.
std::vector<int> short_segments(std::size_t n, Random& random) {
  std::vector<int> offsets{0};
  while (offsets.back() < static_cast<int>(n)) {
    auto const length = static_cast<int>(random.below(3) == 0 ? 0 : random.below(50));
    offsets.push_back(std::min(static_cast<int>(n), offsets.back() + length));
  }
  return offsets;
}

template <class T, class Op>
void expect_right_at_any_address() {
  Random random(5);
  for (std::size_t const n : {500, 4'096, 9'001})
    for (std::size_t const shift : {0, 1, 3}) {
      auto const offsets     = short_segments(n, random);
      std::string const what = std::to_string(n) + " elements, " + std::to_string(shift) + " on";
      SegmentsInMemory<T, Op, false> upwards(offsets, n, shift, n);
      SegmentsInMemory<T, Op, true> downwards(offsets, n, shift, n);
      on_a_stream([&] {
        upwards.run(GridScan::one_wave);
        downwards.run(GridScan::one_wave);
      });
      upwards.expect_right(what);
      downwards.expect_right(what + ", backwards");
    }
}
TEST(CudaSegments, of_bytes_at_any_address) { expect_right_at_any_address<std::uint8_t, KokkosScan::Sum>(); }
TEST(CudaSegments, of_words_at_any_address) { expect_right_at_any_address<std::uint32_t, KokkosScan::Sum>(); }
TEST(CudaSegments, of_maxima_at_any_address) { expect_right_at_any_address<char, KokkosScan::Max>(); }

template <bool backward>
void expect_nothing_outside(GridScan grid, std::vector<int> const& offsets, std::size_t n, std::uint64_t seed) {
  SegmentsInMemory<std::uint32_t, KokkosScan::Sum, backward> segments(offsets, n, seed % 4, seed);
  model::Model const model({.seed = seed});
  try {
    segments.run(grid);
  } catch (model::ModelError const& error) {
    ASSERT_EQ(error.kind(), model::Kind::shared_race) << error.what();
  }
  segments.expect_nothing_outside(std::to_string(n) + " elements, seed " + std::to_string(seed));
}

/// Results have no meaning then. But nothing else is written, no offset outside is read, and it ends.
TEST(CudaSegments, of_offsets_that_descend) {
  Random random(7);
  for (std::uint64_t turn = 0; turn < 24; ++turn) {
    std::size_t const n = 1'000 + random.below(9'000);
    std::vector<int> offsets(2 + random.below(turn % 2 == 0 ? 12 : 2'000));
    for (int& offset : offsets) offset = static_cast<int>(random.between(-50, static_cast<int>(n) + 500));
    if (turn % 3 == 0) offsets = {0, static_cast<int>(n) - 500, 40, 60, 100, static_cast<int>(n)};
    for (GridScan const grid : {GridScan::one_wave, GridScan::pipelined}) {
      expect_nothing_outside<false>(grid, offsets, n, turn);
      expect_nothing_outside<true>(grid, offsets, n, turn);
    }
  }
}

TEST(CudaSegments, warps_make_more_words_only_where_all_are_busy) {
  using native::boundaries::words_of_warp;
  constexpr std::size_t each = std::size_t{native::boundaries_warps} * 32;
  static_assert(words_of_warp(0) == 32 && words_of_warp(2 * each - 1) == 32);
  static_assert(words_of_warp(2 * each) == 64 && words_of_warp(3 * each) == 96);
  static_assert(words_of_warp(8 * each) == 256 && words_of_warp(std::size_t{1} << 40) == 256);
}

}  // namespace
}  // namespace test
