// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>

#include "maybe.hpp"
#include "merge_sort.hpp"

//  Merge sort by pieces: short runs are sorted one by one, and then pairs of runs are merged, each piece of a result by
//  whoever finds where it begins in both
//  paper       Odeh, Green, Mwassi, Shmueli, Birk 2012 (Merge Path)
//  launches    1, and 1 each time that runs get twice as long
//  bytes       2 n for each
//  operations  n log n comparisons, and those of a search for each piece
//  steps       those of a piece, for each launch
//  progress    none
namespace KokkosScan::core {

inline constexpr std::size_t first_run = 32;  // elements of those that are sorted one by one

/// Run i of the first ones, by insertion. They are put where an even number of passes ends in `keys`.
template <class Sort>
struct SortRun {
  Sort sort;

  KOKKOSSCAN_FUNCTION void operator()(std::size_t i) const {
    bool const moves        = sort.passes(first_run) % 2 != 0;
    auto* const keys        = moves ? sort.other_keys : sort.keys;
    auto* const values      = moves ? sort.other_values : sort.values;
    std::size_t const begin = i * first_run, end = begin + first_run < sort.n ? begin + first_run : sort.n;
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

/// Sorts by calls of for_each(count, f), which calls f(i) for each index; a piece has at most `most` elements.
template <class Sort, class ForEach>
void merge_by_pieces(Sort const& sort, std::size_t most, ForEach const& for_each) {
  for_each((sort.n + first_run - 1) / first_run, SortRun<Sort>{sort});
  bool to_keys = sort.passes(first_run) % 2 != 0;
  for (std::size_t length = first_run; length < sort.n; length *= 2, to_keys = !to_keys) {
    std::size_t const piece = std::min(most, 2 * length);
    for_each((sort.n + piece - 1) / piece, MergePiece<Sort>{sort, length, piece, to_keys});
  }
}

}  // namespace KokkosScan::core
