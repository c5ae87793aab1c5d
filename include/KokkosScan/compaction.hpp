// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/scan.hpp>

#include "../../src/driver/compact.hpp"
#include "../../src/driver/compact_in_place.hpp"

// What chooses elements, in one pass and in order: what is chosen keeps its order, and the result is the same in every
// run. `exec` is an execution space instance or a Handle; every form also takes a leading label for Kokkos Tools.
//
// `count` is Total{x}, x being an integer variable, for which the call waits, or a View of rank 0 that holds one, for
// which it does not. It says how many were chosen, even where less was written: what results go to may be shorter, and
// nothing is written past its end. Behind the arguments may stand Length{view}, by which only the first so many
// elements are looked at; that View may be the one that the count goes to. What is read and what is written must be
// apart.
//
// predicate(x) is called once for each element, or more often, always before the element is handed on.
namespace KokkosScan {

/// By index: out(i, position) exactly once for each i < n with predicate(i), position being how many there are before.
/// n is an integer, or Length{view, most}. POSIX has a function of that name: where all of this namespace is used,
/// write KokkosScan::select.
///
/// Or store(position, load(i)), load and store each exactly once: on a GPU several are loaded before the first is
/// stored, which is faster. What load returns must be trivially copyable.
///
///   select(exec, n, predicate, out, count)
///   select(exec, n, predicate, load, store, count)
inline constexpr driver::Function<driver::Select, "KokkosScan::select"> select{};

/// What predicate(from(i)) chooses goes to dest.
///
///   copy_if(exec, from, dest, predicate, count)
inline constexpr driver::Function<driver::CopyIf, "KokkosScan::copy_if"> copy_if{};

/// The elements whose flag is not 0 go to dest; there are as many flags as elements, or more.
///
///   copy_flagged(exec, from, flags, dest, count)
inline constexpr driver::Function<driver::CopyFlagged, "KokkosScan::copy_flagged"> copy_flagged{};

/// The indices of flags that are not 0, or those that predicate(i) chooses, go to indices.
///
///   where(exec, flags, indices, count)
///   where(exec, n, predicate, indices, count)
inline constexpr driver::Function<driver::Where, "KokkosScan::where"> where{};

/// The first of each run of equal neighbours goes to dest. equal(a, b) is an equivalence; without it, ==.
///
///   unique_copy(exec, from, dest, count [, equal])
inline constexpr driver::Function<driver::UniqueCopy, "KokkosScan::unique_copy"> unique_copy{};

/// What predicate(from(i)) chooses goes to chosen, all else to rest, both in order; count is how many were chosen.
///
///   partition_copy(exec, from, chosen, rest, predicate, count)
inline constexpr driver::Function<driver::PartitionCopy, "KokkosScan::partition_copy"> partition_copy{};

/// In place: what predicate(view(i)) chooses goes, the rest moves to the begin of the view; count is how many are kept,
/// and what is behind them stays as it was. Takes scratch of the size of the view.
///
///   remove_if(exec, view, predicate, count)
inline constexpr driver::Function<driver::CompactInPlace<false, false>, "KokkosScan::remove_if"> remove_if{};

/// In place: what predicate(view(i)) chooses comes first, then the rest, both in order; count is how many were chosen.
/// Takes scratch of the size of the view.
///
///   stable_partition(exec, view, predicate, count)
inline constexpr driver::Function<driver::CompactInPlace<true, true>, "KokkosScan::stable_partition">
    stable_partition{};

}  // namespace KokkosScan
