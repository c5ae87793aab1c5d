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
void expect_sorted(Lengths lengths, Keys kind, std::size_t n, std::string const& what) {
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
  on_a_stream([&] { merge::run_segments(nullptr, sort, words.data(), memory); });
  ASSERT_EQ(foreign, 0) << what << ": compared what is no key, of " << n;
  ASSERT_TRUE(keys.is_intact() && other_keys.is_intact() &&
              std::all_of(behind, behind + 16, [](unsigned char byte) { return byte == 0xa6; }))
      << what << ": wrote beside the arrays of " << n;
  for (std::size_t i = 0; i < n; ++i)
    ASSERT_TRUE(are_same(keys.data()[i], from[order[i]])) << what << ", element " << i << " of " << n;
}

template <class Key>
void expect_sorted_of(std::string const& what) {
  constexpr std::size_t tile = merge::Shape<core::MergeSort<Key, core::NoValues, ByKey>>::tile;
  for_each_seed(1, [&] {
    std::size_t turn = 0;
    for (std::size_t const n : {std::size_t{1}, std::size_t{2}, std::size_t{70}, tile - 1, tile, tile + 1, 2 * tile,
                                3 * tile + 5, 5 * tile - 1, 9 * tile + 2})
      for (Lengths const lengths : all_lengths) {
        expect_sorted<Key>(lengths, kinds[turn++ % 5], n, what + ", " + std::to_string(static_cast<int>(lengths)));
        if (testing::Test::HasFailure()) return;
      }
  });
}

TEST(MergeSortOfSegments, of_pairs) { expect_sorted_of<Record<16, 8>>("16 bytes"); }
TEST(MergeSortOfSegments, of_unaligned_wide_keys) { expect_sorted_of<Record<61, 1>>("61 bytes"); }
#ifndef KOKKOSSCAN_TEST_FEW_TYPES
TEST(MergeSortOfSegments, of_bytes) { expect_sorted_of<Byte>("bytes"); }
TEST(MergeSortOfSegments, of_words) { expect_sorted_of<Record<8, 4>>("8 bytes"); }
TEST(MergeSortOfSegments, of_what_cannot_be_assigned) { expect_sorted_of<Constant>("constants"); }
#endif

}  // namespace
}  // namespace test
