// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ranker.hpp"

namespace KokkosScan::cuda::radix {

/// Puts the items of all threads in the order of their ranks. Between barriers.
template <class T, int items>
__device__ void exchange(Shared<T> const& shared, int const (&rank)[items], T (&item)[items]) {
#pragma unroll
  for (int i = 0; i < items; ++i) shared.store(rank[i], item[i]);
  __syncthreads();
  int const first = warp() * warp_size * items + lane();
#pragma unroll
  for (int i = 0; i < items; ++i) item[i] = shared.load(first + i * warp_size);
  __syncthreads();
}

/// Sorts what fits into a tile, by all digits, in one block.
template <class Sort>
__global__ void __launch_bounds__(Shape<Sort>::threads) one_block_kernel(Sort const sort) {
  using S         = Shape<Sort>;
  using Bits      = typename Sort::Bits;
  using Value     = std::conditional_t<Sort::has_values, typename Sort::Value, Bits>;
  auto const keys = shared_memory<Bits>(S::moved_byte);
  int const n     = static_cast<int>(sort.n);
  int const first = S::first_item();
  Bits key[S::items];
  [[maybe_unused]] Value value[S::items];
  load_items<Sort>(sort.keys + first, n, sort.order.last(), key);
  if constexpr (Sort::has_values) load_items<Sort>(sort.values + first, n, Value{}, value);

  Ranker<Sort> const ranker;
#pragma unroll 1
  for (int pass = 0; pass < sort.passes(); ++pass) {
    int rank[S::items];
    auto const digit = [&](int i) { return sort.digit(key[i], pass); };
    ranker.count(digit, rank);
    __syncthreads();
    [[maybe_unused]] int begin = 0;
    ranker.sum(begin, [](int) {});
    __syncthreads();
    ranker.place(digit, rank);
    exchange(keys, rank, key);
    if constexpr (Sort::has_values) exchange(shared_memory<Value>(S::moved_byte), rank, value);
  }
#pragma unroll
  for (int i = 0; i < S::items; ++i)
    if (int const at = first + i * warp_size; at < n) {
      sort.keys[at] = key[i];
      if constexpr (Sort::has_values) sort.values[at] = value[i];
    }
}

}  // namespace KokkosScan::cuda::radix
