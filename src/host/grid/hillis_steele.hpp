// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>
#include <utility>

#include "../../core/memory.hpp"
#include "../launch.hpp"
#include "../tile.hpp"
#include "../tuning.hpp"

//  Data-parallel doubling over the whole array, between two buffers
//  paper       Hillis and Steele 1986
//  launches    log2 n, and two to fetch and deliver
//  bytes       2 n log2 n
//  operations  n log2 n - (n - 1)
//  steps       log2 n
//  progress    none: no worker waits for another
namespace KokkosScan::host::hillis_steele {

template <class Value>
std::size_t scratch_bytes(Tiles tiles) {
  return alignof(Value) + core::bytes_of(tiles.n, 2 * sizeof(Value));
}

/// Each worker takes one piece of [0, n).
template <class Problem, class F>
void for_each(WorkersRef workers, std::size_t n, F const& f) {
  std::size_t const pieces = static_cast<std::size_t>(workers.size());
  launch(workers, [&](int worker, Failure const&) {
    std::size_t const piece = static_cast<std::size_t>(worker);
    std::size_t const end   = n / pieces * (piece + 1) + n % pieces * (piece + 1) / pieces;
    as_written<Problem>([&] {
      for (std::size_t i = n / pieces * piece + n % pieces * piece / pieces; i < end; ++i) f(i);
    });
  });
}

template <class Problem>
void run(Problem const& problem, WorkersRef workers, void* scratch) {
  using Value         = typename Problem::Value;
  std::size_t const n = problem.n;
  std::size_t space   = 2 * n * sizeof(Value) + alignof(Value);
  Value* from         = static_cast<Value*>(std::align(alignof(Value), 2 * n * sizeof(Value), scratch, space));
  Value* to           = from + n;

  for_each<Problem>(workers, n, [&](std::size_t i) { core::put(from[i], problem.source.load(i)); });

  for (std::size_t stride = 1; stride < n; stride *= 2) {
    for_each<Problem>(workers, n, [&](std::size_t i) {
      core::put(to[i], i < stride ? from[i] : problem.combine(from[i - stride], from[i]));
    });
    std::swap(from, to);
  }

  auto const start = problem.start();
  for_each<Problem>(workers, n, [&](std::size_t i) {
    core::store(
        problem.sink, i, [&] { return i > 0   ? problem.combine(start, from[i - 1])
                                      : start ? *start
                                              : from[0]; },
        [&] { return problem.source.load(i); }, [&] { return problem.combine(start, from[i]); });
  });
  problem.put_total(combine_tiles(problem, start, from[n - 1]));
}

}  // namespace KokkosScan::host::hillis_steele
