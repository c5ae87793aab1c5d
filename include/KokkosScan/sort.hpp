// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/operators.hpp>

#include "../../src/driver/reserve_sort.hpp"
#include "../../src/driver/segmented_sort.hpp"
#include "../../src/driver/sort.hpp"

// Sorts. `exec` is an execution space instance or a Handle; every form also takes a leading label for Kokkos Tools.
// Nothing is waited for, and the result is the same in every run and for any number of threads.
//
// less(a, b) is a strict weak ordering of keys; without it, <. Integers, float, double and half types are sorted by
// their digits where less is absent, Less, Greater, std::less or std::greater: in time that grows with n alone. All
// else is merged. Of floats, zeros of either sign are equal, and what is no number comes behind all numbers, upwards
// and downwards (those of other types with such values must be kept out). Scratch is one to three times as large as
// what is sorted: three where Views do not lie side by side, or keys must stay; more for segments on devices that
// number them, which CUDA does not.
namespace KokkosScan {

/// Keys that are equal keep their order, which shows where they differ all the same.
///
///   sort(exec, keys [, less])
inline constexpr driver::Function<driver::SortKeys, "KokkosScan::sort"> sort{};

/// Sorts keys, and moves values(i) with keys(i). Stable. Values behind the keys stay.
///
///   sort_by_key(exec, keys, values [, less])
inline constexpr driver::Function<driver::SortByKey, "KokkosScan::sort_by_key"> sort_by_key{};

/// Leaves keys, and tells their order: keys(order(0)), keys(order(1)), ... would be sorted. Stable.
///
///   sort_permutation(exec, keys, order [, less])
inline constexpr driver::Function<driver::SortPermutation, "KokkosScan::sort_permutation"> sort_permutation{};

/// dest(i) = from(order(i)), as for each array of a structure of arrays. Both must be apart, and every
/// order(i) an index of from.
///
///   apply_permutation(exec, order, from, dest)
inline constexpr driver::Function<driver::ApplyPermutation, "KokkosScan::apply_permutation"> apply_permutation{};

/// By some bits of the keys, or downwards. Keys that have the same bits keep their order.
///
///   radix_sort(exec, keys [, Bits{begin, end}] [, Descending{}])
inline constexpr driver::Function<driver::RadixSortKeys, "KokkosScan::radix_sort"> radix_sort{};

/// Sorts each segment by itself: the keys from a row offset up to the next. Stable. What is before the first offset or
/// behind the last one stays. Offsets ascend: those that do not may lose keys, and are refused where Options ask to
/// check. Many short segments cost no more than a few long ones.
///
///   segmented_sort(exec, keys, row_offsets [, less])
inline constexpr driver::Function<driver::SegmentedSortKeys, "KokkosScan::segmented_sort"> segmented_sort{};

/// Takes now the scratch that sort and radix_sort of up to n keys need; or, with Value, sort_by_key with such values
/// and sort_permutation into indices of that type. Then a CUDA graph can capture a first call.
///
///   reserve_sort<Key>(handle, n)
///   reserve_sort<Key, Value>(handle, n)
template <class Key, class Value = core::NoValues>
inline constexpr driver::ReserveSort<Key, Value> reserve_sort{};

}  // namespace KokkosScan
