// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "../core/euler_tour.hpp"
#include "first_found.hpp"
#include "segmented_sort.hpp"

// On request: parents that are none, and nodes that come to no root.
namespace KokkosScan::driver {

/// Parents as the check follows them.
template <class Parents>
struct ParentsOf {
  Parents parents;
  std::size_t n;

  KOKKOS_FUNCTION std::uint64_t key(std::size_t v) const {
    return core::sibling_key<std::uint64_t>(parents[v], static_cast<std::uint64_t>(n));
  }
  KOKKOS_FUNCTION bool has_none(std::size_t v) const { return key(v) > n; }
};

/// The first node whose parent is none.
template <class Parents>
struct FindNoParent {
  ParentsOf<Parents> of;
  KOKKOS_FUNCTION void operator()(std::size_t v, std::size_t& first) const {
    if (v < first && of.has_none(v)) first = v;
  }
};

/// The first node that comes to no root.
template <class Reached>
struct FindUnreached {
  Reached reached;
  KOKKOS_FUNCTION void operator()(std::size_t v, std::size_t& first) const {
    if (v < first && !reached.has(v)) first = v;
  }
};

/// A node on the cycle to which the way up from a node leads (Brent, An improved Monte Carlo factorization algorithm,
/// BIT 20, 1980: where the way comes back to a node that is left behind after 1, 2, 4, ... steps).
template <class Parents>
struct FindCycle {
  ParentsOf<Parents> of;
  std::size_t from;
  KOKKOS_FUNCTION void operator()(std::size_t, std::size_t& found) const {
    std::size_t behind = from, v = from;
    for (std::size_t steps = 0, until = 1;; ++steps) {
      if (steps == until) {
        behind = v;
        until *= 2;
        steps = 0;
      }
      std::uint64_t const key = of.key(v);
      if (key == 0 || key > of.n) return;  // parents have changed since
      v = static_cast<std::size_t>(key - 1);
      if (v == behind) break;
    }
    if (v < found) found = v;
  }
};

template <class ExecOrHandle>
bool asks_to_check(ExecOrHandle const& exec_or_handle) {
  if constexpr (requires { driver::choice(exec_or_handle).check; })
    return driver::choice(exec_or_handle).check;
  else
    return false;
}

template <class ExecOrHandle, class Parents>
void check_parents(std::string const& label, ExecOrHandle const& exec, Parents const& parents, std::size_t n) {
  ParentsOf<Parents> const of{parents, n};
  std::size_t const wrong = driver::first_found(label, exec, "parents", n, n, FindNoParent<Parents>{of});
  if (wrong == n) return;
  core::ElementOf<Parents> parent{};
  driver::copy_to_host(label, exec, &parents[wrong], parent);
  throw std::invalid_argument(label + ": the parent of node " + std::to_string(wrong) + " is " +
                              std::to_string(parent) + ", and there are " + std::to_string(n) + " nodes");
}

/// Behind a scan of the tour, and before anything is written.
template <class ExecOrHandle, class Parents, class Sums>
void check_reached(std::string const& label, ExecOrHandle const& exec, Parents const& parents, std::size_t n,
                   Sums const& sums) {
  std::size_t const unreached = driver::first_found(label, exec, "parents", n, n, FindUnreached<Sums>{sums});
  if (unreached == n) return;
  std::size_t const node =
      driver::first_found(label, exec, "parents", 1, n, FindCycle<Parents>{{parents, n}, unreached});
  throw std::invalid_argument(label + ": node " + std::to_string(node) + " is its own ancestor; from node " +
                              std::to_string(unreached) + " parents lead there, and to no root");
}

}  // namespace KokkosScan::driver
