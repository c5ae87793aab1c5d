// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <Kokkos_StdAlgorithms.hpp>
#include <cstddef>
#include <numeric>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#ifdef KOKKOSSCAN_PERF_TBB
#include <tbb/blocked_range.h>
#include <tbb/parallel_scan.h>

#include <execution>

#include "tbb_threads.hpp"
#endif
#if defined(_OPENMP) && __has_include(<parallel/numeric>)
#define KOKKOSSCAN_PERF_GNU_PARALLEL
#include <parallel/numeric>
#endif

#include "../problem.hpp"
#include "buffer.hpp"

// What else can do the work of a Problem, each as its users would write it.
namespace perf::host {

/// A call, or the reason why there is none.
template <class P>
struct Peer {
  char const* name;
  char const* workers;
  void (*run)(P const&);
  char const* missing = nullptr;
};

inline constexpr char const* no_strided_iterator = "takes iterators, and C++20 has none with a stride";

// ---------------------------------------------------------------- one thread

template <class P>
void serial_loop(P const& p) {
  typename P::Op const op{};
  typename P::Unary const unary{};
  using To = typename P::To;
  if (p.first) *p.first = To{};
  if constexpr (P::kind == Kind::inclusive) {
    To running = static_cast<To>(unary(p.from(0)));
    p.to(0)    = running;
    for (std::size_t i = 1; i < p.n(); ++i)
      p.to(i) = running = static_cast<To>(op(running, static_cast<To>(unary(p.from(i)))));
  } else {
    To running{};
    for (std::size_t i = 0; i < p.n(); ++i) {
      To const value = static_cast<To>(unary(p.from(i)));
      p.to(i)        = running;
      running        = static_cast<To>(op(running, value));
    }
  }
}

/// The algorithms of <numeric>, with an execution policy in front or nothing.
template <class P, class... Policy>
void standard_scan(P const& p, Policy&&... policy) {
  auto const from = p.from.data(), end = from + p.n();
  auto const to = p.to.data();
  typename P::To const zero{};
  typename P::Op const op{};
  if (p.first) *p.first = zero;
  if constexpr (P::kind == Kind::inclusive && !P::transforms && P::widens)
    std::inclusive_scan(std::forward<Policy>(policy)..., from, end, to, op, zero);
  else if constexpr (P::kind == Kind::inclusive && !P::transforms)
    std::inclusive_scan(std::forward<Policy>(policy)..., from, end, to, op);
  else if constexpr (P::kind == Kind::inclusive)
    std::transform_inclusive_scan(std::forward<Policy>(policy)..., from, end, to, op, typename P::Unary{});
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
  typename P::Op const op{};
  typename P::Unary const unary{};
  if (p.first) *p.first = To{};
  tbb::parallel_scan(
      tbb::blocked_range<std::size_t>(0, p.n()), P::identity(),
      [&](tbb::blocked_range<std::size_t> const& range, To running, bool is_final) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) {
          To const next = static_cast<To>(op(running, static_cast<To>(unary(p.from(i)))));
          if (is_final) p.to(i) = P::kind == Kind::inclusive ? next : running;
          running = next;
        }
        return running;
      },
      op);
}
#endif

// ---------------------------------------------------------------- GNU parallel mode

#ifdef KOKKOSSCAN_PERF_GNU_PARALLEL
/// partial_sum is all there is; an exclusive scan is one of all but the last element, written one place further.
template <class P>
void gnu_partial_sum(P const& p) {
  auto const from = p.from.data(), end = from + p.n();
  auto const to = p.to.data();
  if constexpr (P::kind == Kind::exclusive) {
    to[0] = typename P::To{};
    std::__parallel::partial_sum(from, end - 1, to + 1, typename P::Op{});
  } else {
    std::__parallel::partial_sum(from, end, to, typename P::Op{});
  }
}
#endif

// ---------------------------------------------------------------- Kokkos

template <class P>
struct KokkosFunctor {
  using value_type = typename P::To;
  typename P::FromView from;
  typename P::ToView to;
  value_type* first;

  KOKKOS_FUNCTION void operator()(std::size_t i, value_type& update, bool is_final) const {
    auto const value = static_cast<value_type>(typename P::Unary{}(from(i)));
    if constexpr (P::kind == Kind::exclusive)
      if (is_final) to(i) = update;
    update = static_cast<value_type>(typename P::Op{}(update, value));
    if constexpr (P::kind == Kind::inclusive)
      if (is_final) to(i) = update;
    if (is_final && i == 0 && first) *first = value_type{};
  }
  KOKKOS_FUNCTION void init(value_type& update) const { update = P::identity(); }
  KOKKOS_FUNCTION void join(value_type& update, value_type const& right) const {
    update = static_cast<value_type>(typename P::Op{}(update, right));
  }
};

template <class P>
void kokkos_scan(P const& p) {
  Kokkos::parallel_scan("perf: parallel_scan", Kokkos::RangePolicy<Space>(0, p.n()),
                        KokkosFunctor<P>{p.from, p.to, p.first});
}

template <class P>
void kokkos_experimental_scan(P const& p) {
  namespace KE = Kokkos::Experimental;
  Space const exec;
  typename P::To const zero{};
  if constexpr (P::kind == Kind::exclusive && P::transforms)
    KE::transform_exclusive_scan(exec, p.from, p.to, zero, typename P::Op{}, typename P::Unary{});
  else if constexpr (P::kind == Kind::exclusive)
    KE::exclusive_scan(exec, p.from, p.to, zero, typename P::Op{});
  else
    KE::inclusive_scan(exec, p.from, p.to, typename P::Op{});
}

// ---------------------------------------------------------------- all of them

template <class P>
std::vector<Peer<P>> peers() {
  std::vector<Peer<P>> list;
  constexpr bool contiguous = P::stride == 1;
  auto const missing = [&](char const* name, char const* why) { list.push_back({name, one_thread, nullptr, why}); };

  list.push_back({"serial loop", one_thread, serial_loop<P>});

  if constexpr (contiguous)
    list.push_back({"std", one_thread, [](P const& p) { standard_scan(p); }});
  else
    missing("std", no_strided_iterator);

#ifdef KOKKOSSCAN_PERF_TBB
  if constexpr (contiguous)
    list.push_back({"std::execution::par", "TBB",
                    [](P const& p) { in_tbb_arena([&] { standard_scan(p, std::execution::par); }); }});
  else
    missing("std::execution::par", no_strided_iterator);
  list.push_back({"oneTBB", "TBB", [](P const& p) { in_tbb_arena([&] { tbb_scan(p); }); }});
#else
  missing("std::execution::par", "CMake found no TBB, on which libstdc++ builds it");
  missing("oneTBB", "CMake found no TBB");
#endif

#ifdef KOKKOSSCAN_PERF_GNU_PARALLEL
  if constexpr (!contiguous)
    missing("GNU parallel", no_strided_iterator);
  else if constexpr (P::transforms)
    missing("GNU parallel", "its partial_sum takes no transform");
  else if constexpr (P::widens)
    missing("GNU parallel", "its partial_sum adds in the type of the input");
  else
    list.push_back({"GNU parallel", "OpenMP", gnu_partial_sum<P>});
#else
  missing("GNU parallel", "needs libstdc++ and OpenMP");
#endif

  list.push_back({"Kokkos::parallel_scan", kokkos_workers(), kokkos_scan<P>});
  if constexpr (P::widens)
    missing("Kokkos::Experimental", "adds in the type of the input");
  else
    list.push_back({"Kokkos::Experimental", kokkos_workers(), kokkos_experimental_scan<P>});
  return list;
}

}  // namespace perf::host
