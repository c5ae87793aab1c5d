// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>

#include "../counters.hpp"
#include "shape.hpp"

// How many keys have each digit, for all passes of a sort by one look at the keys; and from that, where they begin.
namespace KokkosScan::cuda::radix {

/// Each counter is there in so many copies, a power of two, side by side: lanes that meet at a digit count in different
/// banks.
template <class Sort>
__global__ void __launch_bounds__(radix_counting_threads)
    count_kernel(Sort const sort, Scratch const scratch, int const copies) {
  using Bits         = typename Sort::Bits;
  int const counters = sort.passes() * Sort::digits, threads = static_cast<int>(blockDim.x);
  int const own_copy = lane() & (copies - 1);
  auto const counts  = shared_memory<unsigned>(0);
  for (int c = static_cast<int>(threadIdx.x); c < counters * copies; c += threads) counts.store(c, 0);
  begin_behind_previous_grid();
  __syncthreads();

  // Some keys, as the integers by which they are sorted.
  auto const count = [&](auto const& ordered) {
    for (int pass = 0; pass < sort.passes(); ++pass) {
      auto const digit = sort.digit_of(pass);
      auto const own   = counts.from(pass * Sort::digits * copies + own_copy);
#pragma unroll
      for (auto const& key : ordered) own.fetch_add(static_cast<int>(digit.in(key)) * copies, 1U);
    }
  };
  std::size_t const part = static_cast<std::size_t>(threads) * radix_counted_items;
  for (std::size_t begin = blockIdx.x * part; begin < sort.n; begin += gridDim.x * part) {
    if (sort.n - begin >= part) {
      Bits ordered[radix_counted_items];
      Bits const* const from = sort.keys + begin + threadIdx.x;
#pragma unroll
      for (int i = 0; i < radix_counted_items; ++i) ordered[i] = from[i * threads];
#pragma unroll
      for (int i = 0; i < radix_counted_items; ++i) ordered[i] = sort.order.ordered(ordered[i]);
      count(ordered);
    } else {
      for (std::size_t i = begin + threadIdx.x; i < sort.n; i += blockDim.x) {
        Bits const ordered[] = {sort.order.ordered(sort.keys[i])};
        count(ordered);
      }
    }
  }
  __syncthreads();
  for (int c = static_cast<int>(threadIdx.x); c < counters; c += threads) {
    std::uint64_t const sum = sum_of_copies<std::uint64_t>(counts, c, copies);
    if (sum > 0) fetch_add(scratch.bins + c, sum);
  }
}

/// Of the counts of a pass, one to a block, where its digits begin.
template <class Sort>
__global__ void __launch_bounds__(Sort::digits) begin_kernel(Scratch const scratch) {
  begin_behind_previous_grid();
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

/// All that passes need of the keys.
template <class Sort>
void make_bins(Stream stream, Sort const& sort, Scratch const& scratch, std::size_t words, Device const& device) {
  clear(stream, core::Strided<std::uint64_t>{scratch.bins, 1}, words, device);
  bool const is_short = sort.n <= radix_short_count_most;
  int const threads   = is_short ? radix_short_counting_threads : radix_counting_threads;
  int const one_copy  = sort.passes() * Sort::digits * static_cast<int>(sizeof(unsigned));
  int const room      = std::min(device.shared_bytes, radix_counting_bytes_at_most);
  int copies          = is_short ? radix_short_counting_copies : radix_counting_copies;
  while (copies * one_copy > room) copies /= 2;
  int const at_once        = std::min(2048 / threads, device.shared_bytes / (copies * one_copy));
  std::size_t const part   = static_cast<std::size_t>(threads) * radix_counted_items;
  std::size_t const most   = static_cast<std::size_t>(device.multiprocessors) * static_cast<std::size_t>(at_once);
  std::size_t const blocks = std::min((sort.n + part - 1) / part, most);
  launch(stream, Grid{static_cast<unsigned>(blocks), threads, static_cast<std::size_t>(copies * one_copy)},
         count_kernel<Sort>, sort, scratch, copies);
  launch(stream, Grid{static_cast<unsigned>(sort.passes()), Sort::digits, 64}, begin_kernel<Sort>, scratch);
}

}  // namespace KokkosScan::cuda::radix
