// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "../../block/network.hpp"
#include "../../core/memory.hpp"
#include "../../core/problem.hpp"
#include "../../core/tiles.hpp"
#include "../../exec/kernel_event.hpp"

//  Data-parallel doubling over the whole array, between two buffers
//  paper       Hillis and Steele 1986
//  launches    log2 n, and two to fetch and deliver
//  bytes       2 n log2 n
//  operations  n log2 n - (n - 1)
//  steps       log2 n
//  progress    none: no worker waits for another
namespace KokkosScan::portable::hillis_steele {

template <class Value>
std::size_t scratch_bytes(std::size_t n) {
  return core::bytes_of(n, 2 * sizeof(Value));
}

template <class Problem>
struct Fetch {
  Problem problem;
  typename Problem::Value* to;
  KOKKOSSCAN_AS_WRITTEN KOKKOS_FUNCTION void operator()(std::int64_t at) const {
    std::size_t const i = static_cast<std::size_t>(at);
    core::put(to[i], problem.source.load(i));
  }
};

template <class Problem>
struct Double {
  Problem problem;
  std::size_t stride;
  typename Problem::Value const* from;
  typename Problem::Value* to;
  KOKKOSSCAN_AS_WRITTEN KOKKOS_FUNCTION void operator()(std::int64_t at) const {
    std::size_t const i = static_cast<std::size_t>(at);
    core::put(to[i], i < stride ? from[i] : problem.combine(from[i - stride], from[i]));
  }
};

template <class Problem>
struct Deliver {
  Problem problem;
  typename Problem::Value const* from;
  KOKKOSSCAN_AS_WRITTEN KOKKOS_FUNCTION void operator()(std::int64_t at) const {
    std::size_t const i = static_cast<std::size_t>(at);
    auto const start    = problem.start();
    auto const through  = [&] { return problem.combine(start, from[i]); };
    auto const before   = [&] { return i > 0 ? problem.combine(start, from[i - 1]) : start ? *start : from[0]; };
    core::store(problem.sink, i, before, [&] { return problem.source.load(i); }, through);
    if (i + 1 == problem.n) problem.put_total(through());
  }
};

template <class Exec, class Problem>
void run(Exec const& exec, std::string const& label, Problem const& problem, void* scratch) {
  using Value = typename Problem::Value;
  Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::int64_t>> const all(exec, 0, static_cast<std::int64_t>(problem.n));
  auto* from = static_cast<Value*>(scratch);
  auto* to   = from + problem.n;

  exec::dispatch(label, exec, all, Fetch<Problem>{problem, from});
  for (std::size_t stride = 1; stride < problem.n; stride *= 2) {
    exec::dispatch(label, exec, all, Double<Problem>{problem, stride, from, to});
    std::swap(from, to);
  }
  exec::dispatch(label, exec, all, Deliver<Problem>{problem, from});
}

}  // namespace KokkosScan::portable::hillis_steele
