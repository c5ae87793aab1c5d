// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "merge_path.hpp"

namespace KokkosScan::cuda::merge {

/// Merges two pieces, one behind the other in shared memory, into n elements. Small keys without values are put in
/// order there; of others their places are, by which keys, and values behind them, go straight to where they belong. A
/// piece alone is in order. Behind a barrier. What leaves shared memory is what leave(slot) makes of it.
template <class Sort, class Less, class Leave = AsItIs>
__device__ void merge_keys(Less const& less, int of_first, int n, typename Sort::Key* to, Leave const& leave = {}) {
  using S              = Shape<Sort>;
  using Key            = typename Sort::Key;
  auto const keys      = shared_memory<Slot<Key>>(S::elements_byte);
  auto const order     = shared_memory<typename S::Place>(S::order_byte);
  int const thread     = static_cast<int>(threadIdx.x);
  int const first      = thread * S::items;
  int const begin      = S::first_item(thread, n);
  bool const is_mixed  = of_first > 0 && of_first < n;
  Runs<int> const runs = {0, of_first, n};
  if constexpr (S::moves_keys) {
    if (is_mixed) {
      Uninitialized<Slot<Key>> key[S::items];
      merge_items<S::items>(keys, runs, begin, less, [&](int i, int, Slot<Key> const& merged) { key[i].put(merged); });
      __syncthreads();
#pragma unroll
      for (int i = 0; i < S::items; ++i) keys.store(first + i, key[i].value);
      __syncthreads();
    }
    store<S>(keys, n, [](int at) { return at; }, to, leave);
  } else {
    if (is_mixed)
      merge_items<S::items>(keys, runs, begin, less, [&](int i, int at, Slot<Key> const&) {
        order.store(first + i, static_cast<typename S::Place>(at));
      });
    else
      for_each_moved<S>(n, [&](int, int behind) {
        int const at = thread + behind;
        order.store(at, static_cast<typename S::Place>(at));
      });
    __syncthreads();
    store<S>(keys, n, [&](int at) { return static_cast<int>(order.load(at)); }, to, leave);
  }
}
template <class Sort, class Value>
__device__ void move_values(Pieces<Value> const& from, int n, Value* to) {
  using S           = Shape<Sort>;
  auto const values = shared_memory<Slot<Value>>(S::elements_byte);
  auto const order  = shared_memory<typename S::Place>(S::order_byte);
  __syncthreads();
  fetch<S>(from, n, values);
  __syncthreads();
  store<S>(values, n, [&](int at) { return static_cast<int>(order.load(at)); }, to);
}

/// Merges runs of so many tiles by pairs, a block to each tile of the results.
template <class Sort>
__global__ void __launch_bounds__(Shape<Sort>::threads, merge_pass_blocks_per_sm)
    merge_pass_kernel(Sort const sort, std::size_t const run_tiles, bool const to_keys) {
  begin_behind_previous_grid();
  using S          = Shape<Sort>;
  auto const ends  = shared_memory<std::uint64_t>(S::ends_byte);
  auto* const from = to_keys ? sort.other_keys : sort.keys;
  auto* const to   = to_keys ? sort.keys : sort.other_keys;

  // ---- where the pieces of the tile begin and end in both runs, a warp to each
  auto const within      = [&](std::size_t tile) { return tile * S::tile < sort.n ? tile * S::tile : sort.n; };
  std::size_t const tile = blockIdx.x, pair = tile & ~(2 * run_tiles - 1);
  std::size_t const begin = within(tile), end = within(tile + 1);
  Runs<std::size_t> const runs{within(pair), within(pair + run_tiles), within(pair + 2 * run_tiles)};
  if (warp() < 2) {
    std::size_t const split = find_split_by_warp(from, runs, (warp() == 0 ? begin : end) - runs.first, sort.less);
    if (lane() == 0) ends.store(warp(), split);
  }
  __syncthreads();
  std::size_t const a = runs.first + ends.load(0), b = runs.second + (begin - a);
  int const n          = static_cast<int>(end - begin);
  int const of_first   = static_cast<int>(ends.load(1) - ends.load(0));
  auto const pieces_of = [&]<class T>(T* array) { return Pieces<T>{array + a, array + b - of_first, of_first}; };

  // ---- their elements
  fetch<S>(pieces_of(from), n, shared_memory<Slot<typename Sort::Key>>(S::elements_byte));
  __syncthreads();
  merge_keys<Sort>(sort.less, of_first, n, to + begin);
  if constexpr (Sort::has_values)
    move_values<Sort>(pieces_of(to_keys ? sort.other_values : sort.values), n,
                      (to_keys ? sort.values : sort.other_values) + begin);
}

}  // namespace KokkosScan::cuda::merge
