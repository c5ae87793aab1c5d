// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <vector>

#include "cases.hpp"
#include "cuda/streams.hpp"
#include "cuda_native/sort/merge_sort.hpp"
#include "cuda_native/sort/radix_sort.hpp"
#include "cuda_native/sort/segmented_sort.hpp"

namespace test {
namespace {

namespace core  = KokkosScan::core;
namespace radix = KokkosScan::cuda::radix;
namespace merge = KokkosScan::cuda::merge;

using Order = core::RadixOrder<std::uint32_t, false>;
using Sort  = core::RadixSort<Order, std::uint32_t>;

/// Calls f on a stream behind a kernel that brings the keys.
void run_behind(std::vector<std::uint32_t>& keys, std::function<void()> const& f) {
  std::vector<std::uint32_t> const given = keys;
  std::reverse(keys.begin(), keys.end());
  on_a_stream_behind(given, keys.data(), f);
}

/// Keys, the indices of which are their values.
template <class Value>
struct Arrays {
  std::vector<std::uint32_t> keys, other_keys;
  std::vector<Value> values, other_values;

  Arrays(std::size_t n, std::uint32_t salt) : keys(n), other_keys(n), values(n), other_values(n) {
    for (std::size_t i = 0; i < n; ++i) {
      keys[i]   = (static_cast<std::uint32_t>(i) + salt) * 2654435761U >> 7;
      values[i] = static_cast<Value>(i);
    }
  }
  /// Whether they are in the order of sorted_by(key), and those that are equal in the order of `from`.
  template <class SortedBy>
  bool are_sorted(std::vector<std::uint32_t> const& from, SortedBy const& sorted_by) const {
    for (std::size_t i = 0; i < keys.size(); ++i) {
      if (values[i] >= keys.size() || keys[i] != from[values[i]]) return false;
      if (i == 0) continue;
      auto const before = sorted_by(keys[i - 1]), own = sorted_by(keys[i]);
      if (before > own || (before == own && values[i - 1] >= values[i])) return false;
    }
    return true;
  }
};

/// Sorts by some bits; values tell where keys came from, and by them that equal keys kept their order.
bool are_sorted(std::size_t n, int bits, std::uint32_t salt) {
  Arrays<std::uint32_t> arrays(n, salt);
  auto const from = arrays.keys;
  Sort const sort{Order{0, 0, 0, bits}, arrays.keys.data(),         arrays.other_keys.data(),
                  arrays.values.data(), arrays.other_values.data(), n};
  std::vector<std::uint64_t> scratch(radix::needs(sort).scratch / sizeof(std::uint64_t), 0xa5a5a5a5a5a5a5a5U);
  run_behind(arrays.keys,
             [&] { radix::run(nullptr, sort, {scratch.data(), nullptr, 0}, KokkosScan::cuda::current_device()); });
  return arrays.are_sorted(from, [&](std::uint32_t key) { return key & ((std::uint32_t{1} << bits) - 1); });
}

/// The same by a comparison, with values that are wider than keys: other threads put them where keys were.
struct ByLowBits {
  bool operator()(std::uint32_t left, std::uint32_t right) const { return left % 1024 < right % 1024; }
};
using Merge = core::MergeSort<std::uint32_t, std::uint64_t, ByLowBits>;
bool are_merged(std::size_t n, std::uint32_t salt) {
  Arrays<std::uint64_t> arrays(n, salt);
  auto const from = arrays.keys;
  Merge const sort{{}, arrays.keys.data(), arrays.other_keys.data(), arrays.values.data(), arrays.other_values.data(),
                   n};
  run_behind(arrays.keys, [&] { merge::run(nullptr, sort); });
  return arrays.are_sorted(from, [](std::uint32_t key) { return key % 1024; });
}

bool in_one_block(std::uint32_t salt) { return are_sorted(700, 11, salt); }
/// With an odd number of passes, behind which all is copied back.
bool by_one_pass(std::uint32_t salt) { return are_sorted(radix::Long<Sort>::tile + 77, 7, salt); }
bool by_passes(std::uint32_t salt) { return are_sorted(radix::Long<Sort>::tile + 77, 10, salt); }
/// And without values; of keys that are equal the higher bits tell where they came from.
bool are_merged_alone(std::size_t n, std::uint32_t salt) {
  using Alone = core::MergeSort<std::uint32_t, core::NoValues, ByLowBits>;
  std::vector<std::uint32_t> keys(n), other_keys(n);
  for (std::size_t i = 0; i < n; ++i)
    keys[i] = static_cast<std::uint32_t>(i) << 10 | ((static_cast<std::uint32_t>(i) + salt) * 2654435761U >> 22);
  auto expected = keys;
  std::stable_sort(expected.begin(), expected.end(), ByLowBits{});
  run_behind(keys, [&] { merge::run(nullptr, Alone{{}, keys.data(), other_keys.data(), nullptr, nullptr, n}); });
  return keys == expected;
}

/// Segments of some keys, and some that go through tiles.
bool are_sorted_in_segments(std::size_t n, std::uint32_t salt) {
  using Alone = core::MergeSort<std::uint32_t, core::NoValues, ByLowBits>;
  std::vector<std::uint32_t> keys(n), other_keys(n), words(core::words_of_boundaries(n));
  for (std::size_t i = 0; i < n; ++i)
    keys[i] = static_cast<std::uint32_t>(i) << 10 | ((static_cast<std::uint32_t>(i) + salt) * 2654435761U >> 22);
  auto expected = keys;
  for (std::size_t begin = 0, end; begin < n; begin = end) {
    end = std::min(n, begin + (begin % 7 == 3 ? 3000 : 1 + (begin + salt) % 60));
    std::stable_sort(expected.begin() + static_cast<std::ptrdiff_t>(begin),
                     expected.begin() + static_cast<std::ptrdiff_t>(end), ByLowBits{});
    words[end / 32] |= std::uint32_t{1} << end % 32;
  }
  std::vector<std::uint64_t> scratch(merge::needs_of_segments<std::uint32_t>(n).scratch / sizeof(std::uint64_t) + 1);
  run_behind(keys, [&] {
    merge::run_segments(nullptr, Alone{{}, keys.data(), other_keys.data(), nullptr, nullptr, n}, words.data(),
                        {scratch.data(), nullptr, 0}, 1);
  });
  return keys == expected;
}

/// Segments that a thread sorts, each in its tile.
bool in_short_segments(std::uint32_t salt) {
  using Words         = core::MergeSort<std::uint32_t, core::NoValues, core::LessInOrder<Order>>;
  std::size_t const n = 9000;
  std::vector<std::uint32_t> keys(n), other_keys(n), words(core::words_of_boundaries(n));
  for (std::size_t i = 0; i < n; ++i) keys[i] = (static_cast<std::uint32_t>(i) + salt) * 2654435761U;
  auto expected = keys;
  for (std::size_t begin = 0, end; begin < n; begin = end) {
    end = std::min(n, begin + 1 + (begin + salt) % 30);
    std::sort(expected.begin() + static_cast<std::ptrdiff_t>(begin),
              expected.begin() + static_cast<std::ptrdiff_t>(end));
    words[end / 32] |= std::uint32_t{1} << end % 32;
  }
  std::vector<std::uint64_t> scratch(merge::needs_of_segments<std::uint32_t>(n).scratch / sizeof(std::uint64_t) + 1);
  run_behind(keys, [&] {
    merge::run_segments(nullptr, Words{{Order{0, 0, 0, 32}}, keys.data(), other_keys.data(), nullptr, nullptr, n},
                        words.data(), {scratch.data(), nullptr, 0});
  });
  return keys == expected;
}

bool in_one_tile(std::uint32_t salt) { return are_merged(700, salt); }
bool by_merges(std::uint32_t salt) { return are_merged(2 * merge::Shape<Merge>::tile + 77, salt); }
bool by_merges_alone(std::uint32_t salt) { return are_merged_alone(9000, salt); }
bool in_segments(std::uint32_t salt) { return are_sorted_in_segments(9000, salt); }

}  // namespace

std::vector<Case> sorts() {
  return {in_one_block, by_one_pass,     by_passes,   in_one_tile,
          by_merges,    by_merges_alone, in_segments, in_short_segments};
}

}  // namespace test
