// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/scan.hpp>
#include <string>
#include <tuple>

#include "../../src/driver/scan_segments.hpp"

namespace KokkosScan {
namespace driver {

template <core::Kind kind, Roles roles, bool reduces>
struct Segmented {
  template <class ExecOrHandle, class From, class RowOffsets, class Dest, class... Rest>
  static void call(std::string const& label, ExecOrHandle const& exec, From const& from, RowOffsets const& row_offsets,
                   Dest const& dest, Rest&&... rest) {
    segments_arguments<kind, roles, reduces>(label, exec, from, row_offsets, dest,
                                             std::forward_as_tuple(static_cast<Rest&&>(rest)...));
  }
};
template <core::Kind kind, Roles roles, bool reduces, Name name>
using SegmentedFunction = Function<Segmented<kind, roles, reduces>, name>;

}  // namespace driver

/// An inclusive scan of each segment: segment r are the elements from row_offsets(r) on, up to row_offsets(r + 1), as
/// the rows of a CSR matrix. Offsets are integers of any type that do not decrease; the first need not be 0, and
/// outside of the first and the last one dest stays as it was. dest is as long as from, or longer, and may be from.
///
///   segmented_inclusive_scan(exec, from, row_offsets, dest)
///   segmented_inclusive_scan(exec, from, row_offsets, dest, op)
///
/// Behind them may stand Totals{view}, a View with a value for each segment, As<T>{} and Reversed{}. Offsets that
/// decrease or leave from have no meaning, but nothing is written outside of dest and the totals; on a Handle with
/// Options{.check = true} they throw std::invalid_argument.
inline constexpr driver::SegmentedFunction<
    core::Kind::inclusive,
    driver::Roles{.op = 0, .unary = driver::absent, .init = driver::absent, .required = 0, .most = 1, .segments = true},
    false, "KokkosScan::segmented_inclusive_scan">
    segmented_inclusive_scan{};

/// An exclusive scan of each segment, which begins with init.
///
///   segmented_exclusive_scan(exec, from, row_offsets, dest, init)
///   segmented_exclusive_scan(exec, from, row_offsets, dest, init, op)
inline constexpr driver::SegmentedFunction<
    core::Kind::exclusive,
    driver::Roles{.op = 1, .unary = driver::absent, .init = 0, .required = 1, .most = 2, .segments = true}, false,
    "KokkosScan::segmented_exclusive_scan">
    segmented_exclusive_scan{};

/// The total of each segment, in the order of its elements: dest has a value for each. That of an empty one is init, or
/// else the identity of op. dest must be apart from from.
///
///   segmented_reduce(exec, from, row_offsets, dest)
///   segmented_reduce(exec, from, row_offsets, dest, op)
///   segmented_reduce(exec, from, row_offsets, dest, op, init)
inline constexpr driver::SegmentedFunction<
    core::Kind::inclusive,
    driver::Roles{.op = 0, .unary = driver::absent, .init = 1, .required = 0, .most = 2, .segments = true}, true,
    "KokkosScan::segmented_reduce">
    segmented_reduce{};

}  // namespace KokkosScan
