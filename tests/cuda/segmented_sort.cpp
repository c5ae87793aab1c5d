// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "merge_case.hpp"
#include "seeds.hpp"
#include "streams.hpp"

// Segments sorted each by itself, on the execution model: keys of every size, segments within tiles and through several
// of them, beside std::stable_sort of each.
namespace test {
namespace {

/// How long the next segment is.
enum class Lengths { one, short_ones, about_a_tile, a_few_tiles, staggered, any, all };
constexpr Lengths all_lengths[] = {Lengths::one,       Lengths::short_ones, Lengths::about_a_tile, Lengths::a_few_tiles,
                                   Lengths::staggered, Lengths::any,        Lengths::all};

std::size_t length_of(Lengths lengths, std::size_t n, std::size_t tile, Random& random) {
  switch (lengths) {
    case Lengths::one: return 1;
    case Lengths::short_ones: return 1 + random.below(20);
    case Lengths::about_a_tile: return tile - 3 + random.below(7);
    case Lengths::a_few_tiles: return 1 + random.below(4 * tile);
    case Lengths::staggered: return 12 * tile / 5;  // of which some tiles are moved more often than their neighbours
    case Lengths::any: return random.below(8) < 6 ? 1 + random.below(9) : 1 + random.below(3 * tile);
    case Lengths::all: return n;
  }
  return n;
}

template <class Key>
void expect_segments_sorted(Lengths lengths, Keys kind, std::size_t n, std::string const& what) {
  using Sort                 = core::MergeSort<Key, core::NoValues, ByKey>;
  constexpr std::size_t tile = merge::Shape<Sort>::tile;
  Random random(n * 8 + static_cast<std::size_t>(lengths));
  bool const first_is_aligned = n % 2 == 0;
  Guarded<Key> keys(n, first_is_aligned), other_keys(n, !first_is_aligned);
  std::vector<Key> from;
  std::vector<std::size_t> order(n);
  for (std::size_t i = 0; i < n; ++i) {
    order[i] = i;
    from.push_back(Key::of(key_of(kind, i, n, random), i));
    core::put(keys.data()[i], from[i]);
  }
  std::vector<std::uint32_t> words(core::words_of_boundaries(n));
  for (std::size_t begin = 0, end; begin < n; begin = end) {
    end = std::min(n, begin + length_of(lengths, n, tile, random));
    std::stable_sort(order.begin() + static_cast<std::ptrdiff_t>(begin),
                     order.begin() + static_cast<std::ptrdiff_t>(end),
                     [&](std::size_t a, std::size_t b) { return from[a].key() < from[b].key(); });
    words[end / 32] |= std::uint32_t{1} << end % 32;
  }
  auto const needs = merge::needs_of_segments<Key>(n);
  std::vector<std::uint64_t> scratch(needs.scratch / 8 + 4, 0xa6a6a6a6a6a6a6a6U);
  auto const* const behind = reinterpret_cast<unsigned char const*>(scratch.data()) + needs.scratch;
  core::Memory memory{};
  memory.scratch = scratch.data();
  Sort const sort{ByKey{}, keys.data(), other_keys.data(), nullptr, nullptr, n};
  foreign = 0;
  on_a_stream([&] { merge::run_segments(nullptr, sort, words.data(), memory, 1 + n % 3); });
  ASSERT_EQ(foreign, 0) << what << ": compared what is no key, of " << n;
  ASSERT_TRUE(keys.is_intact() && other_keys.is_intact() &&
              std::all_of(behind, behind + 16, [](unsigned char byte) { return byte == 0xa6; }))
      << what << ": wrote beside the arrays of " << n;
  for (std::size_t i = 0; i < n; ++i)
    ASSERT_TRUE(are_same(keys.data()[i], from[order[i]])) << what << ", element " << i << " of " << n;
}

template <class Key>
void expect_segments_sorted_of(std::string const& what) {
  constexpr std::size_t tile = merge::Shape<core::MergeSort<Key, core::NoValues, ByKey>>::tile;
  for_each_seed(1, [&] {
    std::size_t turn = 0;
    for (std::size_t const n : {std::size_t{1}, std::size_t{2}, std::size_t{70}, tile - 1, tile, tile + 1, 2 * tile,
                                3 * tile + 5, 5 * tile - 1, 9 * tile + 2})
      for (Lengths const lengths : all_lengths) {
        std::size_t const number = turn++;
        if (n > 2 * tile && !is_made(number)) continue;
        expect_segments_sorted<Key>(lengths, kinds[number % 5], n,
                                    what + ", " + std::to_string(static_cast<int>(lengths)));
        if (testing::Test::HasFailure()) return;
      }
  });
}

/// Keys with digits: tiles of short segments take another way than those with a longer one, or, of floats, with -0.0 or
/// what is no number.
enum class Mixture { up_to_70, short_ones, some_of_one_more, short_tiles_and_long_ones };
constexpr Mixture mixtures[] = {Mixture::up_to_70, Mixture::short_ones, Mixture::some_of_one_more,
                                Mixture::short_tiles_and_long_ones};

std::size_t length_of(Mixture mixture, std::size_t k, std::size_t begin, std::size_t tile, Random& random) {
  constexpr std::size_t most = merge::short_segment_most;
  switch (mixture) {
    case Mixture::up_to_70: return 1 + k % 70;
    case Mixture::short_ones: return 1 + random.below(1 + begin / 500 % most);
    case Mixture::some_of_one_more: return k % 40 == 0 ? most + 1 : 1 + random.below(most);
    case Mixture::short_tiles_and_long_ones:
      return begin / tile % 3 != 1 ? 1 + random.below(12) : 1 + random.below(tile);
  }
  return 1;
}

template <class Order>
void expect_words_sorted(Order const& order, Mixture mixture, bool has_unusual, std::size_t n,
                         std::string const& what) {
  using Bits = typename Order::Bits;
  using Sort = core::MergeSort<Bits, core::NoValues, core::LessInOrder<Order>>;
  Random random(n * 4 + static_cast<std::size_t>(mixture));
  Guarded<Bits> keys(n), other_keys(n);
  std::vector<Bits> expected;
  Bits const unusual[] = {0,
                          Order::sign,
                          order.infinity,
                          static_cast<Bits>(order.infinity | Order::sign),
                          static_cast<Bits>(order.infinity + 1),
                          Order::all};
  for (std::size_t i = 0; i < n; ++i) {
    bool const is_unusual = has_unusual && random.below(i / 5000 % 2 == 0 ? 3 : 2000) == 0;
    Bits key              = is_unusual ? unusual[random.below(6)] : static_cast<Bits>(random());
    if (Order::is_float && !is_unusual && ((key & order.infinity) == order.infinity || key == Order::sign)) key = 1;
    expected.push_back(key);
    keys.data()[i] = key;
  }
  std::vector<std::uint32_t> words(core::words_of_boundaries(n));
  for (std::size_t begin = 0, end, k = 0; begin < n; begin = end, ++k) {
    end = std::min(n, begin + length_of(mixture, k, begin, merge::Shape<Sort>::tile, random));
    std::stable_sort(expected.begin() + static_cast<std::ptrdiff_t>(begin),
                     expected.begin() + static_cast<std::ptrdiff_t>(end), core::LessInOrder<Order>{order});
    if (end < n || n % 2 == 0) words[end / 32] |= std::uint32_t{1} << end % 32;  // what is behind all may have none
  }
  std::vector<std::uint64_t> scratch(merge::needs_of_segments<Bits>(n).scratch / 8 + 1, 0xa6a6a6a6a6a6a6a6U);
  core::Memory memory{};
  memory.scratch = scratch.data();
  Sort const sort{{order}, keys.data(), other_keys.data(), nullptr, nullptr, n};
  on_a_stream([&] { merge::run_segments(nullptr, sort, words.data(), memory, 1 + n % 3); });
  ASSERT_TRUE(keys.is_intact() && other_keys.is_intact()) << what << ": wrote beside the arrays of " << n;
  for (std::size_t i = 0; i < n && mixture == Mixture::short_ones; ++i)
    ASSERT_EQ(other_keys.data()[i], static_cast<Bits>(0xa6a6a6a6a6a6a6a6U)) << what << ": moved " << i << " of " << n;
  for (std::size_t i = 0; i < n; ++i)
    ASSERT_EQ(keys.data()[i], expected[i]) << what << ", element " << i << " of " << n;
}

template <class Bits, bool is_float>
void expect_words_sorted_of(std::string const& what, Bits infinity = 0) {
  using Order                = core::RadixOrder<Bits, is_float>;
  constexpr std::size_t tile = merge::Shape<core::MergeSort<Bits, core::NoValues, core::LessInOrder<Order>>>::tile;
  for_each_seed(1, [&] {
    for (std::size_t const n :
         {std::size_t{1}, std::size_t{33}, tile - 1, tile, tile + 1, tile + 7, tile + 40, 5 * tile + 9})
      for (Mixture const mixture : mixtures)
        for (bool const downwards : {false, true}) {
          Bits const flip = static_cast<Bits>(downwards ? Order::all : Bits{0});
          for (bool const has_unusual : {false, true})
            if (is_float || !has_unusual)
              expect_words_sorted(Order{flip, infinity, 0, Order::width}, mixture, has_unusual, n,
                                  what + ", " + std::to_string(static_cast<int>(mixture)));
          if (testing::Test::HasFailure()) return;
        }
  });
}

#if KOKKOSSCAN_TEST_FIRST_TYPES
TEST(SegmentsOfWords, of_floats) { expect_words_sorted_of<std::uint32_t, true>("floats", 0x7f800000U); }
#endif
#if KOKKOSSCAN_TEST_OTHER_TYPES
TEST(SegmentsOfWords, of_bytes) { expect_words_sorted_of<std::uint8_t, false>("bytes"); }
TEST(SegmentsOfWords, of_doubles) { expect_words_sorted_of<std::uint64_t, true>("doubles", 0x7ff0000000000000U); }
TEST(SegmentsOfWords, of_halves) { expect_words_sorted_of<std::uint16_t, true>("halves", 0x7c00); }
#endif

/// Of zeros and ones alone, by which all words are: a word holds those of 64 inputs.
void expect_sorts(int n, std::uint64_t first, std::uint64_t end) {
  constexpr std::uint64_t lanes[] = {0xaaaaaaaaaaaaaaaa, 0xcccccccccccccccc, 0xf0f0f0f0f0f0f0f0,
                                     0xff00ff00ff00ff00, 0xffff0000ffff0000, 0xffffffff00000000};
  for (std::uint64_t high = first; high < end; ++high) {
    std::uint64_t bit[32];
    for (int i = 0; i < n; ++i) bit[i] = i < 6 ? lanes[i] : (high >> (i - 6) & 1U) != 0 ? ~std::uint64_t{0} : 0;
    merge::for_each_exchange(n, [&](int low, int up) {
      std::uint64_t const both = bit[low] & bit[up];
      bit[up]                  = bit[low] | bit[up];
      bit[low]                 = both;
    });
    for (int i = 0; i + 1 < n; ++i) ASSERT_EQ(bit[i] & ~bit[i + 1], 0U) << n << " words, input " << high;
  }
}
TEST(SortingNetwork, sorts_zeros_and_ones) {
  for (int const n : {8, 16}) expect_sorts(n, 0, std::uint64_t{1} << (n - 6));
  for (int const n : {24, 32}) {  // from inputs of all kinds
    for (std::uint64_t part = 0; part < 64; ++part) {
      std::uint64_t const begin = (std::uint64_t{1} << (n - 6)) / 64 * part;
      expect_sorts(n, begin, begin + 256);
    }
  }
}

#if KOKKOSSCAN_TEST_FIRST_TYPES
TEST(MergeSortOfSegments, of_pairs) { expect_segments_sorted_of<Record<16, 8>>("16 bytes"); }
TEST(MergeSortOfSegments, of_unaligned_wide_keys) { expect_segments_sorted_of<Record<61, 1>>("61 bytes"); }
#endif
#if KOKKOSSCAN_TEST_OTHER_TYPES
TEST(MergeSortOfSegments, of_bytes) { expect_segments_sorted_of<Byte>("bytes"); }
TEST(MergeSortOfSegments, of_words) { expect_segments_sorted_of<Record<8, 4>>("8 bytes"); }
TEST(MergeSortOfSegments, of_what_cannot_be_assigned) { expect_segments_sorted_of<Constant>("constants"); }
#endif

}  // namespace
}  // namespace test
