// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/operators.hpp>

#include "../../src/driver/compare.hpp"

// Comparisons of two Views of rank 1, of one type of elements and of any lengths. `exec` is an execution space instance
// or a Handle; every form also takes a leading label for Kokkos Tools. The result goes to Total{x}, x being an integer
// variable, for which the call waits, or a View of rank 0 that holds one, for which it does not. It is the same in
// every run, and may not be among what is compared.
//
// Once a difference is known nobody goes on behind it: arrays that differ early are not read.
namespace KokkosScan {

/// Their lexicographical order: -1 where a comes before b, 0 where neither does, else 1. A shorter one that the longer
/// one begins with comes first. less(x, y) is a strict weak ordering of elements; without it, <, but of char as
/// std::string has it: as if it had no sign. Elements of which neither is less count as equal.
///
///   compare(exec, a, b, order [, less])
inline constexpr driver::Function<driver::Compare, "KokkosScan::compare"> compare{};

/// The index of the first elements that differ; the length of the shorter one if there are none, be it because the
/// longer one begins with it or because both are equal. equal(x, y) is called with any elements of the same index;
/// without it, ==.
///
///   first_difference(exec, a, b, place [, equal])
inline constexpr driver::Function<driver::FirstDifference, "KokkosScan::first_difference"> first_difference{};

}  // namespace KokkosScan
