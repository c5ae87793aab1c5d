// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/scan.hpp>

#include "../../src/driver/fill_slots.hpp"

namespace KokkosScan {

/// count(i) slots for each i < n, one behind the other, and then fill(i, begin) exactly once, begin being the first of
/// them. There are no atomics, so the order is always the same. n is an integer, or Length{view, most}.
///
///   count_then_fill(exec, n, count, fill)
///   count_then_fill(exec, n, count, fill, Total{x})     x is how many slots there are
///
/// Slots are counted in the type of the total if there is one, else in what count(i) returns, or in int where that is
/// narrower; with As<T>{} in T. count(i) may be called more than once, always before fill(i, begin).
inline constexpr driver::Function<driver::CountThenFill, "KokkosScan::count_then_fill"> count_then_fill{};

}  // namespace KokkosScan
