// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "merge_path.hpp"

namespace KokkosScan::cuda::merge {

/// A thread's items in registers, and where in the tile they came from, if there are values that follow them.
template <class Sort>
struct Items {
  using S    = Shape<Sort>;
  using Slot = merge::Slot<typename Sort::Key>;

  Uninitialized<Slot> key[S::items];
  [[maybe_unused]] int from[Sort::has_values ? S::items : 1];

  /// Those of a tile of n keys; what is not there is the last key.
  __device__ void load(int first, Shared<Slot> const& keys, int n) {
#pragma unroll
    for (int i = 0; i < S::items; ++i) {
      key[i].put(keys.load(first + i < n ? first + i : n - 1));
      if constexpr (Sort::has_values) from[i] = first + i;
    }
  }
  /// What is behind the first n becomes the greatest of those: then it is sorted behind them.
  template <class Less>
  __device__ void fill(int n, Less const& less) {
    Uninitialized<Slot> most = key[0];
#pragma unroll
    for (int i = 1; i < S::items; ++i) {
      if (i >= n)
        key[i] = most;
      else if (less(most.value.value, key[i].value.value))
        most = key[i];
    }
  }
  /// Each step compares neighbours: so equal ones never pass each other. None passes an item whose bit is set in heads.
  template <class Less>
  __device__ void sort(Less const& less, std::uint32_t heads = 0) {
#pragma unroll
    for (int step = 0; step < S::items; ++step)
#pragma unroll
      for (int i = step % 2; i + 1 < S::items; i += 2)
        if ((heads >> (i + 1) & 1U) == 0 && less(key[i + 1].value.value, key[i].value.value)) swap(i, i + 1);
  }
  template <class Place>
  __device__ void store(int first, Shared<Slot> const& keys, Shared<Place> const& order) const {
#pragma unroll
    for (int i = 0; i < S::items; ++i) {
      keys.store(first + i, key[i].value);
      if constexpr (Sort::has_values) order.store(first + i, static_cast<Place>(from[i]));
    }
  }

 private:
  __device__ void swap(int i, int j) {
    Uninitialized<Slot> const other = key[i];
    key[i]                          = key[j];
    key[j]                          = other;
    if constexpr (Sort::has_values) {
      int const other_from = from[i];
      from[i]              = from[j];
      from[j]              = other_from;
    }
  }
};

/// Sorts each tile, a block to each: every thread its items, then runs that get twice as long each time.
template <class Sort>
__global__ void __launch_bounds__(Shape<Sort>::threads, merge_sort_blocks_per_sm)
    sort_tiles_kernel(Sort const sort, bool const moves) {
  begin_behind_previous_grid();
  using S                 = Shape<Sort>;
  using Key               = typename Sort::Key;
  auto const keys         = shared_memory<Slot<Key>>(S::elements_byte);
  auto const order        = shared_memory<typename S::Place>(S::order_byte);
  std::size_t const begin = static_cast<std::size_t>(blockIdx.x) * S::tile;
  int const n             = sort.n - begin < S::tile ? static_cast<int>(sort.n - begin) : S::tile;
  int const thread        = static_cast<int>(threadIdx.x);
  int const first         = thread * S::items;

  // ---- the items of each thread
  fetch<S>(Pieces<Key>{sort.keys + begin, sort.keys + begin, n}, n, keys);
  __syncthreads();
  Items<Sort> items;
  items.load(first, keys, n);
  if (n - first < S::items) items.fill(n - first, sort.less);
  items.sort(sort.less);

  // ---- runs of so many threads, merged by pairs
  if (n < S::tile) __syncthreads();  // the last key may be any thread's
#pragma unroll 1
  for (int width = 1; width < S::threads && width * S::items < n; width *= 2) {
    items.store(first, keys, order);  // where this thread, or those of its pair of runs, read from
    __syncthreads();
    int const left       = thread & ~(2 * width - 1);
    Runs<int> const runs = {S::first_item(left, n), S::first_item(left + width, n), S::first_item(left + 2 * width, n)};
    merge_items<S::items>(keys, runs, S::first_item(thread, n) - runs.first, sort.less,
                          [&](int i, int at, Slot<Key> const& key) {
                            items.key[i].put(key);
                            if constexpr (Sort::has_values) items.from[i] = order.load(at < n ? at : n - 1);
                          });
    __syncthreads();
  }

  // ---- the tile
  items.store(first, keys, order);
  __syncthreads();
  store<S>(keys, n, [](int at) { return at; }, (moves ? sort.other_keys : sort.keys) + begin);
  if constexpr (Sort::has_values) {
    using Value       = typename Sort::Value;
    auto const values = shared_memory<Slot<Value>>(S::elements_byte);
    __syncthreads();
    fetch<S>(Pieces<Value>{sort.values + begin, sort.values + begin, n}, n, values);
    __syncthreads();
    store<S>(
        values, n, [&](int at) { return static_cast<int>(order.load(at)); },
        (moves ? sort.other_values : sort.values) + begin);
  }
}

}  // namespace KokkosScan::cuda::merge
