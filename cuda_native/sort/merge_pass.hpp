// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "merge_path.hpp"

namespace KokkosScan::cuda::merge {

/// Merges runs of so many tiles by pairs, each block a tile of the results. What its elements come from is found in
/// shared memory, and only their places are kept: then keys, and values behind them, go straight to where they belong.
template <class Sort>
__global__ void __launch_bounds__(Shape<Sort>::threads, merge_pass_blocks_per_sm)
    merge_pass_kernel(Sort const sort, unsigned const run_tiles, bool const to_keys) {
  using S          = Shape<Sort>;
  using Key        = typename Sort::Key;
  auto const ends  = shared_memory<std::uint64_t>(S::ends_byte);
  auto const keys  = shared_memory<Slot<Key>>(S::elements_byte);
  auto const order = shared_memory<typename S::Place>(S::order_byte);
  Key* const from  = to_keys ? sort.other_keys : sort.keys;
  Key* const to    = to_keys ? sort.keys : sort.other_keys;

  // ---- where the tile's pieces of both runs begin and end
  auto const within         = [&](std::size_t tile) { return tile * S::tile < sort.n ? tile * S::tile : sort.n; };
  std::size_t const k       = blockIdx.x;
  std::size_t const first_k = k & ~(std::size_t{2} * run_tiles - 1);
  Runs<std::size_t> const runs{within(first_k), within(first_k + run_tiles),
                               within(first_k + 2 * std::size_t{run_tiles})};
  std::size_t const begin = within(k), end = within(k + 1);
  if (warp() < 2) {
    std::size_t const split = find_split_by_warp(from, runs, (warp() == 0 ? begin : end) - runs.first, sort.less);
    if (lane() == 0) ends.store(warp(), split);
  }
  __syncthreads();
  std::size_t const a = runs.first + ends.load(0), b = runs.second + (begin - a);
  int const n        = static_cast<int>(end - begin);
  int const of_first = static_cast<int>(ends.load(1) - ends.load(0));

  // ---- of one run alone: as it is
  if (of_first == n || of_first == 0) {
    std::size_t const at = of_first == n ? a : b;
    copy<S>(from + at, n, to + begin);
    if constexpr (Sort::has_values)
      copy<S>((to_keys ? sort.other_values : sort.values) + at, n, (to_keys ? sort.values : sort.other_values) + begin);
    return;
  }

  // ---- the order of both pieces
  auto const place = [&](int at) {
    return static_cast<std::size_t>(at) + (at < of_first ? a : b - static_cast<std::size_t>(of_first));
  };
  fetch<S>(from, n, place, keys);
  __syncthreads();
  int const first = S::first_item(), own = S::own_items(n);
  merge_items<S::items>(
      keys, Runs<int>{0, of_first, n}, own > 0 ? first : n, own, sort.less,
      [&](int i, int at, Slot<Key> const&) { order.store(first + i, static_cast<typename S::Place>(at)); });
  __syncthreads();

  // ---- the results
  auto const in_order = [&](int at) { return static_cast<int>(order.load(at)); };
  store<S>(keys, n, in_order, to + begin);
  if constexpr (Sort::has_values) {
    auto const values = shared_memory<Slot<typename Sort::Value>>(S::elements_byte);
    __syncthreads();
    fetch<S>(to_keys ? sort.other_values : sort.values, n, place, values);
    __syncthreads();
    store<S>(values, n, in_order, (to_keys ? sort.values : sort.other_values) + begin);
  }
}

}  // namespace KokkosScan::cuda::merge
