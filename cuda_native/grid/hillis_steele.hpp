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

template <class Given>
__global__ void fetch_kernel(Given const given, typename Given::Value* to) {
  begin_behind_previous_grid();
  using Value         = typename Given::Value;
  auto const& problem = core::resolved(given);
  for_each_of_grid(problem.n, [&](std::size_t i) { ::new (static_cast<void*>(to + i)) Value(problem.source.load(i)); });
}

template <class Given>
__global__ void double_kernel(Given const given, typename Given::Value const* from, typename Given::Value* to,
                              std::size_t stride) {
  begin_behind_previous_grid();
  using Value         = typename Given::Value;
  auto const& problem = core::resolved(given);
  for_each_of_grid(problem.n, [&](std::size_t i) {
    ::new (static_cast<void*>(to + i)) Value(i < stride ? from[i] : problem.combine(from[i - stride], from[i]));
  });
}

template <class Given>
__global__ void deliver_kernel(Given const given, typename Given::Value const* from) {
  begin_behind_previous_grid();
  auto const& problem = core::resolved(given);
  put_total_of_nothing<Given>(problem);
  for_each_of_grid(problem.n, [&](std::size_t i) {
    auto const& start  = problem.start();
    auto const through = [&] { return problem.combine(start, from[i]); };
    auto const before  = [&] { return i > 0 ? problem.combine(start, from[i - 1]) : start ? *start : from[0]; };
    core::store(problem.sink, i, before, [&] { return problem.source.load(i); }, through);
    if (i + 1 == problem.n) problem.put_total(through());
  });
}

template <class Problem>
void run(Stream stream, Problem const& problem, typename Problem::Value* scratch) {
  constexpr int threads      = 256;
  constexpr unsigned at_most = 1U << 20;  // blocks; each thread takes several elements then
  Grid const grid{static_cast<unsigned>(std::min<std::size_t>((problem.n + threads - 1) / threads, at_most)), threads};
  auto* from = scratch;
  auto* to   = scratch + problem.n;
  launch(stream, grid, fetch_kernel<Problem>, problem, from);
  for (std::size_t stride = 1; stride < problem.n; stride *= 2) {
    launch(stream, grid, double_kernel<Problem>, problem, from, to, stride);
    std::swap(from, to);
  }
  launch(stream, grid, deliver_kernel<Problem>, problem, from);
}

}  // namespace KokkosScan::cuda::hillis_steele
