// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "digit_counts.hpp"
#include "digit_pass.hpp"
#include "one_block.hpp"

//  Radix sort by least significant digits, each pass one sweep with a look-back for each digit
//  paper       Adinets and Merrill 2022 (Onesweep)
//  launches    3, 1 for each digit, and 1 to 2 to copy where those are odd in number; 1 for what fits into a tile
//  bytes       n to count, and 2 n for each digit, keys and values
//  operations  some 70 a key and digit
//  steps       for each digit those of a tile and a chain of tiles
//  progress    a block that has a tile must be able to go on; tiles come from a counter
namespace KokkosScan::cuda::radix {

/// Back to where an odd number of passes took it from.
template <class T>
__global__ void copy_kernel(T const* const from, T* const to, std::size_t const n) {
  begin_behind_previous_grid();
  std::size_t const step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
    to[i] = from[i];
}

template <class Sort>
core::Needs needs(Sort const& sort) {
  return Scratch::needs<Sort>(sort.n);
}

/// Enqueues a sort of n > 1 keys by at least one bit.
template <class Sort>
void run(Stream stream, Sort const& sort, core::Memory const& memory, Device const& device) {
  using One = Long<Sort>;
  if (sort.n <= One::tile) return launch(stream, Grid{1, One::threads, One::bytes}, one_block_kernel<Sort>, sort);
  Scratch const scratch = Scratch::in<Sort>(memory.scratch);
  make_bins(stream, sort, scratch, needs(sort).scratch / sizeof(std::uint64_t), device);
  with_shape<Sort>(sort.n, [&]<class S>(S) {
    auto const tiles = static_cast<unsigned>((sort.n + S::tile - 1) / S::tile);
    for (int pass = 0; pass < sort.passes(); ++pass)
      launch(stream, Grid{tiles, S::threads, S::bytes}, digit_pass_kernel<S>, sort, scratch, pass);
  });
  if (sort.passes() % 2 == 0) return;
  Grid const grid = walking_grid(sort.n, device);
  launch(stream, grid, copy_kernel<typename Sort::Bits>, static_cast<typename Sort::Bits const*>(sort.other_keys),
         sort.keys, sort.n);
  if constexpr (Sort::has_values)
    launch(stream, grid, copy_kernel<typename Sort::Value>, static_cast<typename Sort::Value const*>(sort.other_values),
           sort.values, sort.n);
}

}  // namespace KokkosScan::cuda::radix
