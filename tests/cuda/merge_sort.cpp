// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "cuda_native/sort/merge_sort.hpp"
#include "merge_case.hpp"
#include "seeds.hpp"
#include "streams.hpp"

// Merge sort on the execution model: keys and values of every size, in one tile and in several, beside
// std::stable_sort.
namespace test {
namespace {

template <class Key, class Value>
void expect_sorted(Keys kind, std::size_t n, std::string const& what) {
  using Sort               = core::MergeSort<Key, Value, ByKey>;
  using Moved              = std::conditional_t<Sort::has_values, Value, char>;
  std::size_t const values = Sort::has_values ? n : 0;
  Guarded<Key> keys(n), other_keys(n);
  Guarded<Moved> own_values(values), other_values(values);
  Random random(n + static_cast<std::size_t>(kind));
  std::vector<std::size_t> order(n);
  std::vector<Key> from;
  auto const value_of = [](std::size_t i) {
    Moved value{};
    std::size_t const bits[2] = {i * 0x9e3779b97f4a7c15U, i};
    std::memcpy(&value, bits, std::min(sizeof(Moved), sizeof(bits)));
    return value;
  };
  for (std::size_t i = 0; i < n; ++i) {
    order[i] = i;
    from.push_back(Key::of(key_of(kind, i, n, random), i));
    core::put(keys.data()[i], from[i]);
    if (Sort::has_values) own_values.data()[i] = value_of(i);
  }
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return from[a].key() < from[b].key(); });

  Sort sort{ByKey{}, keys.data(), other_keys.data(), nullptr, nullptr, n};
  if constexpr (Sort::has_values) {
    sort.values       = own_values.data();
    sort.other_values = other_values.data();
  }
  foreign = 0;
  on_a_stream([&] { merge::run(nullptr, sort); });
  ASSERT_EQ(foreign, 0) << what << ": compared what is no key, of " << n;
  ASSERT_TRUE(keys.is_intact() && other_keys.is_intact() && own_values.is_intact() && other_values.is_intact())
      << what << ": wrote beside the arrays of " << n;
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_TRUE(are_same(keys.data()[i], from[order[i]])) << what << ", element " << i << " of " << n;
    if constexpr (Sort::has_values) {
      ASSERT_TRUE(are_same(own_values.data()[i], value_of(order[i]))) << what << ", the value of " << i << " of " << n;
    }
  }
}

template <class Key, class Value = core::NoValues>
void expect_sorted_of(std::string const& what) {
  using Shape                 = merge::Shape<core::MergeSort<Key, Value, ByKey>>;
  constexpr std::size_t items = Shape::items, warp = 32 * items, tile = Shape::tile;
  for_each_seed(1, [&] {
    std::size_t turn = 0;
    for (std::size_t const n :
         {std::size_t{1}, std::size_t{2}, items - 1, items, items + 1, 2 * items + 1, warp - 1, warp, warp + 1,
          tile - items, tile - 1, tile, tile + 1, 2 * tile, 3 * tile + 5, 5 * tile - 1})
      for (Keys const kind : kinds) {
        if (n == 0 || (n > 100 && ++turn % 3 != 0)) continue;
        expect_sorted<Key, Value>(kind, n, what + ", keys " + std::to_string(static_cast<int>(kind)));
        if (testing::Test::HasFailure()) return;
      }
  });
}

#if KOKKOSSCAN_TEST_FIRST_TYPES
TEST(MergeSort, of_bytes) { expect_sorted_of<Byte, std::uint16_t>("bytes"); }
TEST(MergeSort, of_pairs) { expect_sorted_of<Record<16, 8>>("16 bytes"); }
TEST(MergeSort, of_three_bytes) { expect_sorted_of<Record<3, 1>, std::uint32_t>("3 bytes"); }
#endif
#if KOKKOSSCAN_TEST_OTHER_TYPES
TEST(MergeSort, of_bytes_alone) { expect_sorted_of<Byte>("bytes alone"); }
TEST(MergeSort, of_words) { expect_sorted_of<Record<8, 8>, std::uint8_t>("8 bytes"); }
TEST(MergeSort, of_wide_keys) { expect_sorted_of<Record<64, 4>, std::uint64_t>("64 bytes"); }
TEST(MergeSort, of_keys_that_vectors_are_made_for) { expect_sorted_of<Record<32, 32>, std::uint8_t>("32 bytes"); }
TEST(MergeSort, of_unaligned_wide_keys) { expect_sorted_of<Record<61, 1>>("61 bytes"); }
TEST(MergeSort, with_wide_values) { expect_sorted_of<Record<12, 4>, Record<64, 8>>("12 bytes with 64"); }
TEST(MergeSort, of_what_cannot_be_assigned) { expect_sorted_of<Constant, std::uint16_t>("constants"); }
#endif

/// Every pair of runs that are, or are not, in order already, and every length of the last one.
TEST(MergeSort, of_runs_in_order) {
  using Key                  = Record<16, 8>;
  using Sort                 = core::MergeSort<Key, core::NoValues, ByKey>;
  constexpr std::size_t tile = merge::Shape<Sort>::tile;
  for_each_seed(1, [&] {
    for (std::size_t tiles = 2; tiles <= 9; ++tiles)
      expect_sorted<Key, core::NoValues>(kinds[tiles % 5], tiles * tile - (tiles % 3) * 7, "runs");
  });
}

}  // namespace
}  // namespace test
