// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ranker.hpp"

namespace KokkosScan::cuda::radix {

/// Puts the items of all threads in the order of their ranks. Between barriers.
template <class T, class Ranks, int items>
__device__ void exchange(Shared<T> const& shared, int used, Ranks const& ranks, T (&item)[items]) {
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if (i >= used) break;
    shared.store(ranks.get(i), item[i]);
  }
  __syncthreads();
  int const first = first_item(used);
#pragma unroll
  for (int i = 0; i < items; ++i) {
    if (i >= used) break;
    item[i] = shared.load(first + i * warp_size);
  }
  __syncthreads();
}

/// Sorts what fits into a tile, by all digits, in one block, whose threads have as few items as will do.
template <class Sort>
__global__ void __launch_bounds__(radix_threads) one_block_kernel(Sort const sort) {
  begin_behind_previous_grid();
  using S         = Long<Sort>;
  using Bits      = typename Sort::Bits;
  using Value     = std::conditional_t<Sort::has_values, typename Sort::Value, Bits>;
  auto const keys = shared_memory<Bits>(S::moved_byte);
  int const n     = static_cast<int>(sort.n);
  int const used  = (n + S::threads - 1) / S::threads;
  int const first = first_item(used);
  Bits key[S::items];
  [[maybe_unused]] Value value[S::items];
  load_items(sort.keys + first, n - first, used, sort.order.last(), key);
  if constexpr (Sort::has_values) load_items(sort.values + first, n - first, used, Value{}, value);

  Ranker<S> const ranker(used);
#pragma unroll 1
  for (int pass = 0; pass < sort.passes(); ++pass) {
    typename Ranker<S>::Digits digits;
    typename Ranker<S>::Ranks ranks;
    auto const digit = sort.digit_of(pass);
    ranker.count([&](int i) { return digit(key[i]); }, digits, ranks);
    __syncthreads();
    [[maybe_unused]] int begin = 0;
    ranker.sum(begin, [](int) {});
    __syncthreads();
    ranker.place(digits, ranks);
    exchange(keys, used, ranks, key);
    if constexpr (Sort::has_values) exchange(shared_memory<Value>(S::moved_byte), used, ranks, value);
  }
#pragma unroll
  for (int i = 0; i < S::items; ++i)
    if (int const at = first + i * warp_size; i < used && at < n) {
      sort.keys[at] = key[i];
      if constexpr (Sort::has_values) sort.values[at] = value[i];
    }
}

}  // namespace KokkosScan::cuda::radix
