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
  /// The first n of them, each step comparing neighbours: so equal ones never pass each other.
  template <class Less>
  __device__ void sort(int n, Less const& less) {
#pragma unroll
    for (int step = 0; step < S::items; ++step)
#pragma unroll
      for (int i = step % 2; i + 1 < S::items; i += 2)
        if (i + 1 < n && less(key[i + 1].value.value, key[i].value.value)) swap(i, i + 1);
  }
};

/// Sorts each tile, a block to each: every thread its items, then runs that get twice as long each time.
template <class Sort>
__global__ void __launch_bounds__(Shape<Sort>::threads, merge_sort_blocks_per_sm)
    sort_tiles_kernel(Sort const sort, bool const moves) {
  using S                 = Shape<Sort>;
  using Key               = typename Sort::Key;
  auto const keys         = shared_memory<Slot<Key>>(S::elements_byte);
  auto const order        = shared_memory<typename S::Place>(S::order_byte);
  std::size_t const begin = static_cast<std::size_t>(blockIdx.x) * S::tile;
  int const n             = sort.n - begin < S::tile ? static_cast<int>(sort.n - begin) : S::tile;
  int const first = S::first_item(), own = S::own_items(n);

  // ---- the items of each thread
  fetch<S>(sort.keys + begin, n, [](int at) { return static_cast<std::size_t>(at); }, keys);
  __syncthreads();
  Items<Sort> items;
#pragma unroll
  for (int i = 0; i < S::items; ++i)
    if (i < own) {
      items.key[i].put(keys.load(first + i));
      if constexpr (Sort::has_values) items.from[i] = first + i;
    }
  items.sort(own, sort.less);
  auto const put_back = [&] {
#pragma unroll
    for (int i = 0; i < S::items; ++i)
      if (i < own) {
        keys.store(first + i, items.key[i].value);
        if constexpr (Sort::has_values) order.store(first + i, static_cast<typename S::Place>(items.from[i]));
      }
  };

  // ---- runs of so many threads, merged by pairs
#pragma unroll 1
  for (int width = 1; width < S::threads && width * S::items < n; width *= 2) {
    put_back();  // where this thread, or those of its pair of runs, read from
    __syncthreads();
    auto const within    = [&](int thread) { return thread * S::items < n ? thread * S::items : n; };
    int const left       = static_cast<int>(threadIdx.x) & ~(2 * width - 1);
    Runs<int> const runs = {within(left), within(left + width), within(left + 2 * width)};
    merge_items<S::items>(keys, runs, (own > 0 ? first : runs.end) - runs.first, own, sort.less,
                          [&](int i, int at, Slot<Key> const& key) {
                            items.key[i].put(key);
                            if constexpr (Sort::has_values) items.from[i] = order.load(at);
                          });
    __syncthreads();
  }

  // ---- the tile
  put_back();
  __syncthreads();
  store<S>(keys, n, [](int at) { return at; }, (moves ? sort.other_keys : sort.keys) + begin);
  if constexpr (Sort::has_values) {
    auto const values = shared_memory<Slot<typename Sort::Value>>(S::elements_byte);
    __syncthreads();
    fetch<S>(sort.values + begin, n, [](int at) { return static_cast<std::size_t>(at); }, values);
    __syncthreads();
    store<S>(
        values, n, [&](int at) { return static_cast<int>(order.load(at)); },
        (moves ? sort.other_values : sort.values) + begin);
  }
}

}  // namespace KokkosScan::cuda::merge
