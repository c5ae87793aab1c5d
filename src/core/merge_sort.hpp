// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <type_traits>

#include "arrays.hpp"
#include "maybe.hpp"
#include "memory.hpp"
#include "radix_sort.hpp"

//  Merge sort by pieces: short runs are sorted one by one, and then pairs of runs are merged, each piece of a result by
//  whoever finds where it begins in both
//  paper       Odeh, Green, Mwassi, Shmueli, Birk 2012 (Merge Path)
//  launches    1, and 1 each time that runs get twice as long
//  bytes       2 n for each
//  operations  n log n comparisons, and those of a search for each piece
//  steps       those of a piece, for each launch
//  progress    none
namespace KokkosScan::core {

/// Sorts n keys, and values with them, by less(left, right); keys that are equal keep their order.
template <class Key_, class Value_, class Less_>
struct MergeSort {
  using Key   = Key_;
  using Value = Value_;
  using Less  = Less_;

  static constexpr bool has_values    = !std::is_same_v<Value, NoValues>;
  static constexpr std::size_t sorted = 32;  // elements of the first runs

  Less less;
  Key* keys;
  Key* other_keys;
  Value* values;
  Value* other_values;
  std::size_t n;

  /// How many times runs get twice as long.
  KOKKOSSCAN_FUNCTION int passes() const {
    int passes = 0;
    for (std::size_t length = sorted; length < n; length *= 2) ++passes;
    return passes;
  }
};

/// Run i of the first ones, by insertion. They are put where an even number of passes ends in `keys`.
template <class Sort>
struct SortRun {
  Sort sort;

  KOKKOSSCAN_FUNCTION void operator()(std::size_t i) const {
    bool const moves        = sort.passes() % 2 != 0;
    auto* const keys        = moves ? sort.other_keys : sort.keys;
    auto* const values      = moves ? sort.other_values : sort.values;
    std::size_t const begin = i * Sort::sorted, end = begin + Sort::sorted < sort.n ? begin + Sort::sorted : sort.n;
    for (std::size_t k = begin; k < end; ++k) {
      typename Sort::Key const key = sort.keys[k];
      auto const value             = [&] {
        if constexpr (Sort::has_values)
          return sort.values[k];
        else
          return NoValues{};
      }();
      std::size_t place = k;
      for (; place > begin && sort.less(key, keys[place - 1]); --place) {
        core::put(keys[place], keys[place - 1]);
        if constexpr (Sort::has_values) core::put(values[place], values[place - 1]);
      }
      core::put(keys[place], key);
      if constexpr (Sort::has_values) core::put(values[place], value);
    }
  }
};

/// Piece i of the results, of so many elements, runs of a length being merged by pairs.
template <class Sort>
struct MergePiece {
  Sort sort;
  std::size_t length, piece;
  bool to_keys;  // else from there

  KOKKOSSCAN_FUNCTION void operator()(std::size_t i) const {
    auto const* const from  = to_keys ? sort.other_keys : sort.keys;
    auto* const to          = to_keys ? sort.keys : sort.other_keys;
    auto const* const moved = to_keys ? sort.other_values : sort.values;
    auto* const moved_to    = to_keys ? sort.values : sort.other_values;
    std::size_t const begin = i * piece, end = begin + piece < sort.n ? begin + piece : sort.n;
    std::size_t const first    = begin - begin % (2 * length);
    std::size_t const second   = first + length < sort.n ? first + length : sort.n;
    std::size_t const last     = second + length < sort.n ? second + length : sort.n;
    std::size_t const of_first = find(from, first, second, last, begin - first);
    std::size_t a = first + of_first, b = second + (begin - first - of_first);
    for (std::size_t k = begin; k < end; ++k) {
      std::size_t const taken = a == second || (b < last && sort.less(from[b], from[a])) ? b++ : a++;
      core::put(to[k], from[taken]);
      if constexpr (Sort::has_values) core::put(moved_to[k], moved[taken]);
    }
  }

 private:
  /// How many of the first `count` results come from the first run.
  template <class Key>
  KOKKOSSCAN_FUNCTION std::size_t find(Key const* from, std::size_t first, std::size_t second, std::size_t last,
                                       std::size_t count) const {
    std::size_t least = count > last - second ? count - (last - second) : 0;
    std::size_t most  = count < second - first ? count : second - first;
    while (least < most) {
      std::size_t const middle = least + (most - least) / 2;
      if (sort.less(from[second + (count - 1 - middle)], from[first + middle]))
        most = middle;
      else
        least = middle + 1;
    }
    return least;
  }
};

}  // namespace KokkosScan::core
