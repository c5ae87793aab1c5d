// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "../family.hpp"

// What Kokkos::parallel_scan is called for, with functions that load and store and do nothing else.
namespace perf {

template <class P>
struct Load {
  typename P::FromView from;
  KOKKOS_FUNCTION typename P::To operator()(std::size_t i) const { return from(i); }
};
template <class P>
struct Store {
  typename P::ToView to;
  KOKKOS_FUNCTION void operator()(std::size_t i, typename P::To const& prefix) const { to(i) = prefix; }
};

template <class T>
std::vector<Family> by_index() {
  using P = Problem<T, T, Plus<T>>;
  return families_of<P>("inclusive_by_index", type_name<T>(), {.n = 0}, [](Contest<P>& contest) {
    contest.add_ours("KokkosScan", [](auto const& where, P const& p) {
      KokkosScan::inclusive_scan(where, p.n(), Load<P>{p.from}, Store<P>{p.to});
    });
    contest.add_kokkos("Kokkos::parallel_scan", kokkos_scan<P>);
  });
}

/// A functor for Kokkos::parallel_scan, by a code that changes the namespace.
template <class T>
std::vector<Family> by_functor() {
  using P = Problem<T, T, Plus<T>>;
  return families_of<P>("inclusive_by_functor", type_name<T>(), {.n = 0}, [](Contest<P>& contest) {
    contest.add_ours("KokkosScan", [](auto const& where, P const& p) {
      KokkosScan::parallel_scan(where, p.n(), KokkosFunctor<P>{p.from, p.to, p.first});
    });
    contest.add_kokkos("Kokkos::parallel_scan", kokkos_scan<P>);
  });
}

}  // namespace perf
