// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <numeric>
#include <type_traits>
#include <utility>

#ifdef KOKKOSSCAN_PERF_TBB
#include <tbb/blocked_range.h>
#include <tbb/parallel_scan.h>

#include <execution>
#endif
#if defined(_OPENMP) && __has_include(<parallel/numeric>)
#define KOKKOSSCAN_PERF_GNU_PARALLEL
#include <parallel/numeric>
#endif

#include "../kokkos_peers.hpp"
#include "../problem.hpp"

// What else can do the work of a Problem, each as its users would write it.
namespace perf::host {

// ---------------------------------------------------------------- one thread

/// From `begin` to `end`, `running` being what comes before. Returns what comes behind.
template <class P>
[[gnu::always_inline]] inline typename P::To scan_range(P const& p, std::size_t begin, std::size_t end,
                                                        typename P::To running, bool writes) {
  using To = typename P::To;
  typename P::Op const op{};
  typename P::Unary const unary{};
  for (std::size_t i = begin; i < end; ++i) {
    To const next = static_cast<To>(op(running, static_cast<To>(unary(p.from(i)))));
    if (writes) p.to(i) = P::kind == Kind::inclusive ? next : running;
    running = next;
  }
  return running;
}

template <class P>
void serial_loop(P const& p) {
  if (p.first) *p.first = {};
  scan_range(p, 0, p.n(), P::identity(), true);
}

/// The algorithms of <numeric>, with an execution policy in front or nothing.
template <class P, class... Policy>
void standard_scan(P const& p, Policy&&... policy) {
  auto const from = p.from.data(), end = from + p.n();
  auto const to = p.to.data();
  typename P::To const zero{};
  typename P::Op const op{};
  if (p.first) *p.first = zero;
  static_assert(P::kind == Kind::exclusive || !P::transforms, "no such operation is measured");
  if constexpr (P::kind == Kind::inclusive && P::widens)
    std::inclusive_scan(std::forward<Policy>(policy)..., from, end, to, op, zero);
  else if constexpr (P::kind == Kind::inclusive)
    std::inclusive_scan(std::forward<Policy>(policy)..., from, end, to, op);
  else if constexpr (!P::transforms)
    std::exclusive_scan(std::forward<Policy>(policy)..., from, end, to, zero, op);
  else
    std::transform_exclusive_scan(std::forward<Policy>(policy)..., from, end, to, zero, op, typename P::Unary{});
}

// ---------------------------------------------------------------- TBB

#ifdef KOKKOSSCAN_PERF_TBB
template <class P>
void tbb_scan(P const& p) {
  using To = typename P::To;
  if (p.first) *p.first = To{};
  tbb::parallel_scan(
      tbb::blocked_range<std::size_t>(0, p.n()), P::identity(),
      [&](tbb::blocked_range<std::size_t> const& range, To running, bool is_final) {
        return scan_range(p, range.begin(), range.end(), running, is_final);
      },
      typename P::Op{});
}
#endif

// ---------------------------------------------------------------- GNU parallel mode

#ifdef KOKKOSSCAN_PERF_GNU_PARALLEL
/// partial_sum is all there is; an exclusive scan is one of all but the last element, written with an offset of one.
template <class P>
void gnu_partial_sum(P const& p) {
  auto const from = p.from.data(), end = from + p.n();
  auto const to                    = p.to.data();
  constexpr std::ptrdiff_t skipped = P::kind == Kind::exclusive;
  if (skipped) to[0] = typename P::To{};
  std::__parallel::partial_sum(from, end - skipped, to + skipped, typename P::Op{});
}
#endif

// ---------------------------------------------------------------- by key

template <class P>
[[gnu::always_inline]] inline RunSum<typename P::To> scan_range_by_key(P const& p, std::size_t begin, std::size_t end,
                                                                       RunSum<typename P::To> running, bool writes) {
  for (std::size_t i = begin; i < end; ++i) p.pass(i, running, writes);
  return running;
}

/// The standard library and GNU's have nothing by key.
template <class P>
void add_peers_by_key(auto& contest) {
  using Sum = RunSum<typename P::To>;
  contest.add("serial loop", [](P const& p) { scan_range_by_key(p, 0, p.n(), Sum{}, true); }, one_thread);
#ifdef KOKKOSSCAN_PERF_TBB
  auto const scan = [](P const& p) {
    tbb::parallel_scan(
        tbb::blocked_range<std::size_t>(0, p.n()), Sum{},
        [&](tbb::blocked_range<std::size_t> const& range, Sum const& running, bool is_final) {
          return scan_range_by_key(p, range.begin(), range.end(), running, is_final);
        },
        std::plus<>{});
  };
  contest.add("oneTBB", [scan](P const& p) { in_tbb_arena([&] { scan(p); }); }, "TBB");
#else
  contest.missing("oneTBB", "CMake found no TBB");
#endif
}

// ---------------------------------------------------------------- all of them

template <class P>
void add_peers(auto& contest) {
  auto const add_with_iterators = [&](char const* name, auto call, char const* workers) {
    if constexpr (P::stride == 1)
      contest.add(name, call, workers);
    else
      contest.missing(name, "takes iterators, and C++20 has none with a stride");
  };
  contest.add("serial loop", serial_loop<P>, one_thread);
  add_with_iterators("std", [](auto const& p) { standard_scan(p); }, one_thread);

#ifdef KOKKOSSCAN_PERF_TBB
  add_with_iterators(
      "std::execution::par", [](auto const& p) { in_tbb_arena([&] { standard_scan(p, std::execution::par); }); },
      "TBB");
  contest.add("oneTBB", [](P const& p) { in_tbb_arena([&] { tbb_scan(p); }); }, "TBB");
#else
  contest.missing("std::execution::par", "CMake found no TBB, on which libstdc++ builds it");
  contest.missing("oneTBB", "CMake found no TBB");
#endif

#ifdef KOKKOSSCAN_PERF_GNU_PARALLEL
  if constexpr (P::transforms)
    contest.missing("GNU parallel", "its partial_sum takes no transform");
  else if constexpr (P::widens)
    contest.missing("GNU parallel", "its partial_sum adds in the type of the input");
  else
    add_with_iterators("GNU parallel", [](auto const& p) { gnu_partial_sum(p); }, "OpenMP");
#else
  contest.missing("GNU parallel", "needs libstdc++ and OpenMP");
#endif
}

/// Of cases that are drawn.
template <class P>
void add_peers_of_drawn(auto& contest) {
  contest.add("std", [](P const& p) { standard_scan(p); }, one_thread);
#ifdef KOKKOSSCAN_PERF_GNU_PARALLEL
  contest.add("GNU parallel", gnu_partial_sum<P>, "OpenMP");
#else
  contest.missing("GNU parallel", "needs libstdc++ and OpenMP");
#endif
  contest.add_kokkos("Kokkos::parallel_scan", kokkos_scan<P>);
}

/// Who watches the cores, and copies of the same elements: for a strided View a contiguous copy would be no measure.
/// The comparison keeps the arena.
template <class A>
void complete(Comparison& c, Mode, A const& arena) {
  if (can_tell_shares_of_cores()) c.share_of_cores = share_of_cores;
  c.who_asks         = workers();
  auto const& arrays = arena.memory()[0];
  using P            = std::remove_cvref_t<decltype(arena.problem(0))>;
  if constexpr (P::stride == 1) {
    c.copies = copies(arrays, arena.half());
  } else {
    std::size_t const n = arena.shape().n;
    auto const copy     = [&arena](std::size_t begin, std::size_t end) {
      P const p = arena.problem(0);
      for (std::size_t i = begin; i < end; ++i) p.to(i) = p.from(i);
    };
    c.copies = {{.name = "parallel strided loop", .run = [copy, n] { for_each_block(n, copy); }, .workers = workers()}};
    if (n * P::stride * sizeof(typename P::To) <= one_thread_is_enough)
      c.copies.push_back({.name = "strided loop of one thread", .run = [copy, n] { copy(0, n); }});
  }
}

}  // namespace perf::host
