// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/arguments.hpp>
#include <KokkosScan/handle.hpp>
#include <KokkosScan/operators.hpp>

#include "../../src/driver/function.hpp"
#include "../../src/driver/scan_windows.hpp"

// Windows of fixed width: running minima and maxima, erosion and dilation, moving sums. What they take hardly depends
// on the width.
namespace KokkosScan {

/// dest(i) = from(i - before) op ... op from(i + after); of what there is, at the ends of the array.
///
///   window_scan(exec, from, dest, Window{before, after}, op)
///   window_scan(exec, from, dest, Window{before, after}, op, Axis{d})    of rank 2 and 3, each line along the axis
///
/// op is associative, and need neither commute nor have an inverse or an identity; it is called as op(left, right),
/// left being the earlier element. Window, Axis and As<T>{}, which names another accumulator than the value type of
/// dest, may stand anywhere behind dest. before and after are 0 or more; windows may be wider than the array. dest has
/// the extents of from, or larger ones, and may be from, for which scratch holds a copy. A kernel of erosion is Min, of
/// dilation Max, along one axis after the other.
inline constexpr driver::Function<driver::WindowScan, "KokkosScan::window_scan"> window_scan{};

}  // namespace KokkosScan
