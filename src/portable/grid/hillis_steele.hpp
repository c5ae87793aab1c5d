// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <utility>

#include "../../block/network.hpp"
#include "../../core/length.hpp"
#include "../../core/memory.hpp"
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

/// Whether an index is none of the elements that there are.
template <class Given, class Problem>
KOKKOS_FUNCTION bool is_behind(Problem const& problem, std::size_t i) {
  return core::has_stored_length<Given> && i >= problem.n;
}

template <class Given>
struct Fetch {
  Given given;
  typename Given::Value* to;
  KOKKOSSCAN_AS_WRITTEN KOKKOS_FUNCTION void operator()(std::int64_t at) const {
    auto const& problem = core::resolved(given);
    std::size_t const i = static_cast<std::size_t>(at);
    if (is_behind<Given>(problem, i)) return;
    core::put(to[i], problem.source.load(i));
  }
};

template <class Given>
struct Double {
  Given given;
  std::size_t stride;
  typename Given::Value const* from;
  typename Given::Value* to;
  KOKKOSSCAN_AS_WRITTEN KOKKOS_FUNCTION void operator()(std::int64_t at) const {
    auto const& problem = core::resolved(given);
    std::size_t const i = static_cast<std::size_t>(at);
    if (is_behind<Given>(problem, i)) return;
    core::put(to[i], i < stride ? from[i] : problem.combine(from[i - stride], from[i]));
  }
};

template <class Given>
struct Deliver {
  Given given;
  typename Given::Value const* from;
  KOKKOSSCAN_AS_WRITTEN KOKKOS_FUNCTION void operator()(std::int64_t at) const {
    auto const& problem = core::resolved(given);
    std::size_t const i = static_cast<std::size_t>(at);
    if constexpr (core::has_stored_length<Given>)
      if (problem.n == 0 && i == 0) core::put_empty_total(problem);
    if (is_behind<Given>(problem, i)) return;
    auto const start   = problem.start();
    auto const through = [&] { return problem.combine(start, from[i]); };
    auto const before  = [&] { return i > 0 ? problem.combine(start, from[i - 1]) : start ? *start : from[0]; };
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
