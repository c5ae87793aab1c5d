// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "ranker.hpp"

namespace KokkosScan::cuda::radix {

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
  [[maybe_unused]] Uninitialized<Value> value[S::items];
#pragma unroll
  for (int i = 0; i < S::items; ++i)
    if (int const at = first + i * warp_size; at < n) {
      key[i] = sort.keys[at];
      if constexpr (Sort::has_values) value[i].put(sort.values[at]);
    }

  Ranker<Sort> const ranker;
#pragma unroll 1
  for (int pass = 0; pass < sort.passes(); ++pass) {
    int digit[S::items], rank[S::items];
#pragma unroll
    for (int i = 0; i < S::items; ++i)
      digit[i] = first + i * warp_size < n ? sort.digit(key[i], pass) : sort.digit_mask(pass);
    ranker.count(digit, rank);
    __syncthreads();
    [[maybe_unused]] int begin = 0;
    ranker.sum(begin, [](int) {});
    __syncthreads();
    ranker.place(digit, rank);
    auto const exchange = [&](auto const& shared, auto const& get, auto const& put) {
#pragma unroll
      for (int i = 0; i < S::items; ++i)
        if (first + i * warp_size < n) shared.store(rank[i], get(i));
      __syncthreads();
#pragma unroll
      for (int i = 0; i < S::items; ++i)
        if (int const at = first + i * warp_size; at < n) put(i, shared.load(at));
      __syncthreads();
    };
    exchange(keys, [&](int i) { return key[i]; }, [&](int i, Bits bits) { key[i] = bits; });
    if constexpr (Sort::has_values)
      exchange(
          shared_memory<Value>(S::moved_byte), [&](int i) { return value[i].value; },
          [&](int i, Value const& moved) { value[i].put(moved); });
  }
#pragma unroll
  for (int i = 0; i < S::items; ++i)
    if (int const at = first + i * warp_size; at < n) {
      sort.keys[at] = key[i];
      if constexpr (Sort::has_values) sort.values[at] = value[i].value;
    }
}

}  // namespace KokkosScan::cuda::radix
