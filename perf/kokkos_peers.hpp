// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <Kokkos_StdAlgorithms.hpp>

#include "problem.hpp"

// How the work of a Problem is done with Kokkos alone.
namespace perf {

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
  Kokkos::parallel_scan("perf: parallel_scan", Kokkos::RangePolicy<backend::Exec>(backend::instance(), 0, p.n()),
                        KokkosFunctor<P>{p.from, p.to, p.first});
}

template <class P>
struct KokkosFunctorByKey {
  using value_type = RunSum<typename P::To>;
  P problem;

  KOKKOS_FUNCTION void operator()(std::size_t i, value_type& update, bool is_final) const {
    problem.pass(i, update, is_final);
  }
  KOKKOS_FUNCTION void init(value_type& update) const { update = {}; }
  KOKKOS_FUNCTION void join(value_type& update, value_type const& right) const { update = update + right; }
};

template <class P>
void kokkos_scan_by_key(P const& p) {
  Kokkos::parallel_scan("perf: parallel_scan", Kokkos::RangePolicy<backend::Exec>(backend::instance(), 0, p.n()),
                        KokkosFunctorByKey<P>{p});
}

template <class P>
void kokkos_experimental_scan(P const& p) {
  namespace KE = Kokkos::Experimental;
  typename P::To const zero{};
  if constexpr (P::kind == Kind::exclusive && P::transforms)
    KE::transform_exclusive_scan(backend::instance(), p.from, p.to, zero, typename P::Op{}, typename P::Unary{});
  else if constexpr (P::kind == Kind::exclusive)
    KE::exclusive_scan(backend::instance(), p.from, p.to, zero, typename P::Op{});
  else
    KE::inclusive_scan(backend::instance(), p.from, p.to, typename P::Op{});
}

}  // namespace perf
