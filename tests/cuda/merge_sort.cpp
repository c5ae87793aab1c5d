// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <type_traits>
#include <vector>

#include "cuda_native/sort/merge_sort.hpp"
#include "seeds.hpp"
#include "support/random.hpp"

// Merge sort on the execution model: keys and values of every size, in one tile and in several, beside
// std::stable_sort. Each key knows where it came from, which the comparison does not look at; and it knows that it is a
// key, which the comparison does look at.
namespace test {
namespace {

namespace core  = KokkosScan::core;
namespace merge = KokkosScan::cuda::merge;

/// What is sorted by its first byte, and has its sum in its last one; in between stands where it came from.
template <int size, int alignment>
struct alignas(alignment) Record {
  unsigned char byte[size];

  static Record of(unsigned char key, std::size_t i) {
    Record record{};
    record.byte[0] = key;
    for (int b = 1; b < size - 1; ++b, i >>= 8) record.byte[b] = static_cast<unsigned char>(i);
    record.byte[size - 1] = record.sum();
    return record;
  }
  int key() const { return byte[0]; }
  bool is_key() const { return byte[size - 1] == sum(); }

 private:
  unsigned char sum() const {
    unsigned sum = 0x5a;
    for (int b = 0; b < size - 1; ++b) sum = sum * 3 + byte[b];
    return static_cast<unsigned char>(sum);
  }
};
/// A byte, of which the odd ones are keys.
struct Byte {
  unsigned char byte;
  static Byte of(unsigned char key, std::size_t) { return {static_cast<unsigned char>(key | 1U)}; }
  int key() const { return byte; }
  bool is_key() const { return byte % 2 == 1; }
};
/// What can be made but never assigned.
struct Constant {
  std::uint16_t const first, second;
  static Constant of(unsigned char key, std::size_t i) {
    return {static_cast<std::uint16_t>(key << 8 | 0x5a), static_cast<std::uint16_t>(i)};
  }
  int key() const { return first >> 8; }
  bool is_key() const { return (first & 0xff) == 0x5a; }
};

int foreign = 0;  // how often a comparison was asked about what is no key
struct ByKey {
  template <class Key>
  bool operator()(Key const& left, Key const& right) const {
    foreign += static_cast<int>(!left.is_key() || !right.is_key());
    return left.key() < right.key();
  }
};

enum class Keys { random, few, equal, ascending, descending };
constexpr Keys kinds[] = {Keys::random, Keys::few, Keys::equal, Keys::ascending, Keys::descending};

unsigned char key_of(Keys kind, std::size_t i, std::size_t n, Random& random) {
  switch (kind) {
    case Keys::random: return static_cast<unsigned char>(random());
    case Keys::few: return static_cast<unsigned char>(20 * random.below(3));
    case Keys::equal: return 77;
    case Keys::ascending: return static_cast<unsigned char>(255 * i / n);
    case Keys::descending: return static_cast<unsigned char>(255 * (n - i) / n);
  }
  return 0;
}

/// Room for n elements, between others that must stay, from an address on that is aligned to no more than T is.
template <class T>
class Guarded {
 public:
  explicit Guarded(std::size_t n) : n_(n), bytes_((n + 2 * guards) * sizeof(T) + 2 * most_aligned, filling) {
    auto address = reinterpret_cast<std::uintptr_t>(bytes_.data());
    begin_       = most_aligned - address % most_aligned + alignof(T);
  }
  T* data() { return reinterpret_cast<T*>(bytes_.data() + begin_) + guards; }
  bool is_intact() const {
    auto const* const from = bytes_.data() + begin_;
    auto const is_filling  = [](unsigned char byte) { return byte == filling; };
    return std::all_of(bytes_.data(), from + guards * sizeof(T), is_filling) &&
           std::all_of(from + (guards + n_) * sizeof(T), bytes_.data() + bytes_.size(), is_filling);
  }

 private:
  static constexpr std::size_t guards = 3, most_aligned = 16;
  static constexpr unsigned char filling = 0xa6;

  std::size_t n_, begin_;
  std::vector<unsigned char> bytes_;
};

template <class T>
bool are_same(T const& a, T const& b) {
  return std::memcmp(&a, &b, sizeof(T)) == 0;
}

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
  merge::run(nullptr, sort);
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
  for_each_seed(2, [&] {
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

TEST(MergeSort, of_bytes) { expect_sorted_of<Byte, std::uint16_t>("bytes"); }
TEST(MergeSort, of_pairs) { expect_sorted_of<Record<16, 8>>("16 bytes"); }
TEST(MergeSort, of_three_bytes) { expect_sorted_of<Record<3, 1>, std::uint32_t>("3 bytes"); }
#ifndef KOKKOSSCAN_TEST_FEW_TYPES
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
