// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "../tile.hpp"

//  Data-parallel doubling over the whole array, between two buffers
//  paper       Hillis and Steele 1986
//  launches    log2 n, and two to fetch and deliver
//  bytes       2 n log2 n
//  operations  n log2 n - (n - 1)
//  steps       log2 n
//  progress    none: no block waits for another
namespace KokkosScan::cuda::hillis_steele {

constexpr std::size_t scratch_values(std::size_t n) { return 2 * n; }

/// Calls f(i) for each i < n, by all threads of the grid.
template <class F>
__device__ void for_each_of_grid(std::size_t n, F const& f) {
  std::size_t const threads = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += threads) f(i);
}

template <class Scan>
__global__ void fetch_kernel(Scan const scan, typename Scan::Value* to) {
  using Value = typename Scan::Value;
  for_each_of_grid(scan.n, [&](std::size_t i) { ::new (static_cast<void*>(to + i)) Value(scan.input(i)); });
}

template <class Scan>
__global__ void double_kernel(Scan const scan, typename Scan::Value const* from, typename Scan::Value* to,
                              std::size_t stride) {
  using Value = typename Scan::Value;
  for_each_of_grid(scan.n, [&](std::size_t i) {
    ::new (static_cast<void*>(to + i)) Value(i < stride ? from[i] : scan.combine(from[i - stride], from[i]));
  });
}

template <class Scan>
__global__ void deliver_kernel(Scan const scan, typename Scan::Value const* from) {
  using Value = typename Scan::Value;
  for_each_of_grid(scan.n, [&](std::size_t i) {
    if constexpr (Scan::kind == Kind::inclusive)
      scan.store(i, scan.combine(scan.start(), from[i]));
    else
      scan.store(i, i == 0 ? *scan.start() : scan.combine(*scan.start(), from[i - 1]));
    if (scan.total && i + 1 == scan.n)
      ::new (static_cast<void*>(scan.total)) Value(scan.combine(scan.start(), from[i]));
  });
}

template <class Scan>
void run(Stream stream, Scan const& scan, typename Scan::Value* scratch) {
  constexpr int threads      = 256;
  constexpr unsigned at_most = 1U << 20;  // blocks; each thread takes several elements then
  Grid const grid{static_cast<unsigned>(std::min<std::size_t>((scan.n + threads - 1) / threads, at_most)), threads};
  auto* from = scratch;
  auto* to   = scratch + scan.n;
  launch(stream, grid, fetch_kernel<Scan>, scan, from);
  for (std::size_t stride = 1; stride < scan.n; stride *= 2) {
    launch(stream, grid, double_kernel<Scan>, scan, from, to, stride);
    std::swap(from, to);
  }
  launch(stream, grid, deliver_kernel<Scan>, scan, from);
}

}  // namespace KokkosScan::cuda::hillis_steele
