// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>

#include "shape.hpp"

// How many keys have each digit, for all passes of a sort by one look at the keys; and from that, where they begin.
namespace KokkosScan::cuda::radix {

inline constexpr int copies_of_counters = 4;  // lanes that meet at a digit count in as many places

/// Words that are to be zero.
template <class Word>
__global__ void clear_kernel(Word* const words, std::size_t const count) {
  std::size_t const step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
    words[i] = 0;
}

template <class Sort>
__global__ void __launch_bounds__(radix_counting_threads) count_kernel(Sort const sort, Scratch const scratch) {
  constexpr int copies = copies_of_counters;
  int const counters   = sort.passes() * Sort::digits;
  auto const counts    = shared_memory<unsigned>(0);
  for (int c = static_cast<int>(threadIdx.x); c < counters * copies; c += static_cast<int>(blockDim.x))
    counts.store(c, 0);
  __syncthreads();

  constexpr std::size_t part = static_cast<std::size_t>(radix_counting_threads) * radix_counted_items;
  for (std::size_t begin = blockIdx.x * part; begin < sort.n; begin += gridDim.x * part) {
    typename Sort::Bits key[radix_counted_items];
    std::size_t const first = begin + threadIdx.x;
#pragma unroll
    for (int i = 0; i < radix_counted_items; ++i)
      if (std::size_t const at = first + static_cast<std::size_t>(i * radix_counting_threads); at < sort.n)
        key[i] = sort.keys[at];
#pragma unroll
    for (int i = 0; i < radix_counted_items; ++i)
      if (first + static_cast<std::size_t>(i * radix_counting_threads) < sort.n)
        for (int pass = 0; pass < sort.passes(); ++pass)
          counts.fetch_add((pass * Sort::digits + sort.digit(key[i], pass)) * copies + lane() % copies, 1U);
  }
  __syncthreads();
  for (int c = static_cast<int>(threadIdx.x); c < counters; c += static_cast<int>(blockDim.x)) {
    std::uint64_t sum = 0;
    for (int k = 0; k < copies; ++k) sum += counts.load(c * copies + k);
    if (sum > 0) fetch_add(scratch.bins + c, sum);
  }
}

/// Of the counts of a pass, one to a block, where its digits begin.
template <class Sort>
__global__ void __launch_bounds__(Sort::digits) begin_kernel(Scratch const scratch) {
  auto const sums = shared_memory<std::uint64_t>(0);
  auto* const own = scratch.bins + static_cast<std::size_t>(blockIdx.x) * Sort::digits + threadIdx.x;
  Uninitialized<std::uint64_t> through;
  std::uint64_t const count = *own;
  through.put(count);
  through = scan_warp(through, warp_size, [](std::uint64_t left, std::uint64_t right) { return left + right; });
  if (lane() == warp_size - 1) sums.store(warp(), through.value);
  __syncthreads();
  std::uint64_t before = through.value - count;
  for (int w = 0; w < warp(); ++w) before += sums.load(w);
  *own = before;
}

/// As many blocks as have something to do, but no more than may be there at once.
inline Grid grid_of(std::size_t elements, Device const& device, std::size_t shared = 0) {
  constexpr int threads  = radix_counting_threads;
  std::size_t const most = static_cast<std::size_t>(device.multiprocessors * radix_counting_blocks_per_sm);
  return {static_cast<unsigned>(std::min((elements + threads - 1) / threads, most)), threads, shared};
}

/// All that passes need of the keys.
template <class Sort>
void make_bins(Stream stream, Sort const& sort, Scratch const& scratch, std::size_t words, Device const& device) {
  launch(stream, grid_of(words, device), clear_kernel<std::uint64_t>, scratch.bins, words);
  std::size_t const bytes = static_cast<std::size_t>(sort.passes() * Sort::digits * copies_of_counters) * 4;
  launch(stream, grid_of((sort.n + radix_counted_items - 1) / radix_counted_items, device, bytes), count_kernel<Sort>,
         sort, scratch);
  launch(stream, Grid{static_cast<unsigned>(sort.passes()), Sort::digits, 64}, begin_kernel<Sort>, scratch);
}

}  // namespace KokkosScan::cuda::radix
