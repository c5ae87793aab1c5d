// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tile_moves.hpp"

// Two sorted runs, merged by whoever finds where a piece of the results begins in both. A key of the second run comes
// first only if it is less: so equal keys keep their order, and a comparison is never asked about what is no key.
namespace KokkosScan::cuda::merge {

/// Two runs, one behind the other: the first begins at `first`, the second at `second`, and ends at `end`.
template <class Index>
struct Runs {
  Index first, second, end;

  /// How many of the first `count` results come from the first run: no fewer, and no more.
  __device__ Index least(Index count) const { return count > end - second ? count - (end - second) : 0; }
  __device__ Index most(Index count) const { return count < second - first ? count : second - first; }
};

/// How many of the first `count` results come from the first of two runs in a tile.
template <class Key, class Less>
__device__ int find_split(Shared<Slot<Key>> const& keys, Runs<int> const& runs, int count, Less const& less) {
  int least = runs.least(count), most = runs.most(count);
  while (least < most) {
    int const middle = (least + most) / 2;
    if (less(keys.load(runs.second + (count - 1 - middle)).value, keys.load(runs.first + middle).value))
      most = middle;
    else
      least = middle + 1;
  }
  return least;
}

/// The same of runs in global memory, which are long: a warp asks at as many places as it has lanes, since each answer
/// is waited for. All lanes call it.
template <class Keys, class Less>
__device__ std::size_t find_split_by_warp(Keys const& keys, Runs<std::size_t> const& runs, std::size_t count,
                                          Less const& less) {
  std::size_t least = runs.least(count), most = runs.most(count);
  while (least < most) {
    std::size_t const step   = (most - least) / warp_size + 1;
    std::size_t const middle = least + static_cast<std::size_t>(lane() + 1) * step - 1;
    bool const is_behind = middle >= most || less(keys[runs.second + (count - 1 - middle)], keys[runs.first + middle]);
    int const before     = __ffs(static_cast<int>(__ballot_sync(all_lanes, is_behind))) - 1;  // the last lane says yes
    least += static_cast<std::size_t>(before) * step;
    most = least + step - 1 < most ? least + step - 1 : most;
  }
  return least;
}

/// Results of two runs in a tile from result `begin` on: take(i, at, key) for each, `at` being its place in the tile.
/// Of results that there are not, it may be any place and any key: what is loaded in vain is a key, too, so that a
/// comparison may be made in vain, which costs less than to ask whether it must be. The first of them is the item
/// `skipped` of those that are counted.
template <int items, class Key, class Less, class Take>
__device__ void merge_items(Shared<Slot<Key>> const& keys, Runs<int> const& runs, int begin, Less const& less,
                            Take const& take, int skipped = 0) {
  int const of_first = find_split(keys, runs, begin, less);
  int a              = runs.first + of_first;
  int b              = runs.second + (begin - of_first);
  auto const key_at  = [&](int at) { return keys.load(at < runs.end ? at : runs.end - 1); };
  Uninitialized<Slot<Key>> left, right;
  left.put(key_at(a));
  right.put(key_at(b));
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if (i < skipped) continue;
    bool const is_less             = less(right.value.value, left.value.value);
    bool const takes_second        = b < runs.end && (a >= runs.second || is_less);
    int const at                   = takes_second ? b : a;
    Uninitialized<Slot<Key>> taken = left;
    if (takes_second) taken = right;
    take(i, at, taken.value);
    if (takes_second) {
      b = at + 1;
      right.put(key_at(b));
    } else {
      a = at + 1;
      left.put(key_at(a));
    }
  }
}

}  // namespace KokkosScan::cuda::merge
