// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/handle.hpp>
#include <KokkosScan/operators.hpp>
#include <Kokkos_Core.hpp>
#include <string>
#include <tuple>
#include <type_traits>

#include "../../src/driver/scan_views.hpp"

// Scans of rank-1 Views. `exec` is an execution space instance or a Handle; every form also takes a leading label for
// Kokkos Tools, and one more trailing argument, the total of all elements and init:
//
//   T&             a variable of dest's value type; this one call waits
//   View<T, ...>   of rank 0, where exec can write; no fence
//
// The accumulator is dest's value type. Operators are called as op(left, right), left being the earlier element.
// Calls within the library name their namespace: argument-dependent look-up would find the functions of the same name
// in Kokkos::Experimental, where a value type may live.
namespace KokkosScan {

template <class Where>
concept NoLabel = !std::is_convertible_v<Where const&, std::string>;

/// dest(i) = from(0) op ... op from(i), behind init if there is one.
///
///   inclusive_scan(exec, from, dest)
///   inclusive_scan(exec, from, dest, op)
///   inclusive_scan(exec, from, dest, op, init)
template <class Where, class From, class Dest, class... Rest>
void inclusive_scan(std::string const& label, Where const& where, From const& from, Dest const& dest, Rest&&... rest) {
  constexpr driver::Form form{.required = 0, .most = 2, .optional_init = 1};
  driver::scan_views<driver::Kind::inclusive, form, driver::Roles{.op = 0, .unary = driver::absent, .init = 1}>(
      label, where, from, dest, std::forward_as_tuple(static_cast<Rest&&>(rest)...));
}
template <NoLabel Where, class From, class Dest, class... Rest>
void inclusive_scan(Where const& where, From const& from, Dest const& dest, Rest&&... rest) {
  static std::string const label = "KokkosScan::inclusive_scan";
  KokkosScan::inclusive_scan(label, where, from, dest, static_cast<Rest&&>(rest)...);
}

/// dest(0) = init, dest(i) = init op from(0) op ... op from(i - 1).
///
///   exclusive_scan(exec, from, dest, init)
///   exclusive_scan(exec, from, dest, init, op)
template <class Where, class From, class Dest, class... Rest>
void exclusive_scan(std::string const& label, Where const& where, From const& from, Dest const& dest, Rest&&... rest) {
  constexpr driver::Form form{.required = 1, .most = 2, .optional_init = driver::absent};
  driver::scan_views<driver::Kind::exclusive, form, driver::Roles{.op = 1, .unary = driver::absent, .init = 0}>(
      label, where, from, dest, std::forward_as_tuple(static_cast<Rest&&>(rest)...));
}
template <NoLabel Where, class From, class Dest, class... Rest>
void exclusive_scan(Where const& where, From const& from, Dest const& dest, Rest&&... rest) {
  static std::string const label = "KokkosScan::exclusive_scan";
  KokkosScan::exclusive_scan(label, where, from, dest, static_cast<Rest&&>(rest)...);
}

/// As inclusive_scan, over unary(from(i)).
///
///   transform_inclusive_scan(exec, from, dest, op, unary)
///   transform_inclusive_scan(exec, from, dest, op, unary, init)
template <class Where, class From, class Dest, class... Rest>
void transform_inclusive_scan(std::string const& label, Where const& where, From const& from, Dest const& dest,
                              Rest&&... rest) {
  constexpr driver::Form form{.required = 2, .most = 3, .optional_init = 2};
  driver::scan_views<driver::Kind::inclusive, form, driver::Roles{.op = 0, .unary = 1, .init = 2}>(
      label, where, from, dest, std::forward_as_tuple(static_cast<Rest&&>(rest)...));
}
template <NoLabel Where, class From, class Dest, class... Rest>
void transform_inclusive_scan(Where const& where, From const& from, Dest const& dest, Rest&&... rest) {
  static std::string const label = "KokkosScan::transform_inclusive_scan";
  KokkosScan::transform_inclusive_scan(label, where, from, dest, static_cast<Rest&&>(rest)...);
}

/// As exclusive_scan, over unary(from(i)).
///
///   transform_exclusive_scan(exec, from, dest, init, op, unary)
template <class Where, class From, class Dest, class... Rest>
void transform_exclusive_scan(std::string const& label, Where const& where, From const& from, Dest const& dest,
                              Rest&&... rest) {
  constexpr driver::Form form{.required = 3, .most = 3, .optional_init = driver::absent};
  driver::scan_views<driver::Kind::exclusive, form, driver::Roles{.op = 1, .unary = 2, .init = 0}>(
      label, where, from, dest, std::forward_as_tuple(static_cast<Rest&&>(rest)...));
}
template <NoLabel Where, class From, class Dest, class... Rest>
void transform_exclusive_scan(Where const& where, From const& from, Dest const& dest, Rest&&... rest) {
  static std::string const label = "KokkosScan::transform_exclusive_scan";
  KokkosScan::transform_exclusive_scan(label, where, from, dest, static_cast<Rest&&>(rest)...);
}

}  // namespace KokkosScan
