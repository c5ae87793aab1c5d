// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/arguments.hpp>
#include <KokkosScan/handle.hpp>
#include <KokkosScan/operators.hpp>
#include <Kokkos_Core.hpp>
#include <concepts>
#include <string>
#include <tuple>
#include <type_traits>

#include "../../src/driver/function.hpp"
#include "../../src/driver/scan_axis.hpp"
#include "../../src/driver/scan_indices.hpp"
#include "../../src/driver/scan_views.hpp"

// Scans of rank-1 Views. `exec` is an execution space instance or a Handle; every form also takes a leading label for
// Kokkos Tools. dest is as long as from, or longer. init is a value, or a View of rank 0 that is read on exec. Anywhere
// behind dest may stand Total{x}, which gets the total of all elements and init, As<T>{}, which names an accumulator
// other than the value type of dest, Length{view}, by which only the first so many elements are scanned, and
// Reversed{}, by which a scan goes from the far end to the first element. Operators are called as op(left, right), left
// being the earlier element.
namespace KokkosScan {

namespace driver {

/// A scan, by what its arguments are.
template <core::Kind kind, Roles roles>
struct Scan {
  template <class ExecOrHandle, class From, class Dest, class... Rest>
  static void call(std::string const& label, ExecOrHandle const& exec, From const& from, Dest const& dest,
                   Rest&&... rest) {
    if constexpr (std::integral<From> || is_length<From>)
      index_arguments<kind, roles>(label, exec, from, dest, std::forward_as_tuple(static_cast<Rest&&>(rest)...));
    else if constexpr ((is_axis<std::remove_cvref_t<Rest>> || ...))
      axis_arguments<kind, roles>(label, exec, from, dest, std::forward_as_tuple(static_cast<Rest&&>(rest)...));
    else
      scan_arguments<kind, roles>(label, exec, from, dest, std::forward_as_tuple(static_cast<Rest&&>(rest)...));
  }
};
template <core::Kind kind, Roles roles, Name name>
using ScanFunction = Function<Scan<kind, roles>, name>;

}  // namespace driver

/// dest(i) = from(0) op ... op from(i), behind init if there is one.
///
///   inclusive_scan(exec, from, dest)
///   inclusive_scan(exec, from, dest, op)
///   inclusive_scan(exec, from, dest, op, init)
///   inclusive_scan(exec, n, in, out [, op [, init]])    by index: in(i) gives a value, out(i, prefix) takes the result
///
/// n is an integer, or Length{view, most}. By index the accumulator is what in(i) returns. out(i, prefix) is called
/// once for each i < n; in(i) may be called more often, always before out(i), which may overwrite what in(i) reads, and
/// not what in(j) reads.
inline constexpr driver::ScanFunction<
    core::Kind::inclusive, driver::Roles{.op = 0, .unary = driver::absent, .init = 1, .required = 0, .most = 2},
    "KokkosScan::inclusive_scan">
    inclusive_scan{};

/// dest(0) = init, dest(i) = init op from(0) op ... op from(i - 1).
///
///   exclusive_scan(exec, from, dest, init)
///   exclusive_scan(exec, from, dest, init, op)
///   exclusive_scan(exec, n, in, out, init [, op])       by index
inline constexpr driver::ScanFunction<
    core::Kind::exclusive, driver::Roles{.op = 1, .unary = driver::absent, .init = 0, .required = 1, .most = 2},
    "KokkosScan::exclusive_scan">
    exclusive_scan{};

/// As inclusive_scan, over unary(from(i)).
///
///   transform_inclusive_scan(exec, from, dest, op, unary)
///   transform_inclusive_scan(exec, from, dest, op, unary, init)
inline constexpr driver::ScanFunction<core::Kind::inclusive,
                                      driver::Roles{.op = 0, .unary = 1, .init = 2, .required = 2, .most = 3},
                                      "KokkosScan::transform_inclusive_scan">
    transform_inclusive_scan{};

/// As exclusive_scan, over unary(from(i)).
///
///   transform_exclusive_scan(exec, from, dest, init, op, unary)
inline constexpr driver::ScanFunction<core::Kind::exclusive,
                                      driver::Roles{.op = 1, .unary = 2, .init = 0, .required = 3, .most = 3},
                                      "KokkosScan::transform_exclusive_scan">
    transform_exclusive_scan{};

}  // namespace KokkosScan
