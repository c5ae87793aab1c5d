// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../../src/driver/linear_recurrence.hpp"

// Linear recurrences, as scans of affine maps. `exec` is an execution space instance or a Handle; every form also takes
// a leading label for Kokkos Tools. Nothing is waited for, and the result is the same in every run and for any number
// of threads.
//
// Results differ from those of a loop as sums do that are made in another order: products of coefficients stand where
// the loop multiplies results. Where coefficients are not larger than 1 that does no harm. Where they are, products
// grow with the number of factors, and overflow at results that the loop would find finite: of 2 x(i-1) - 1 and a start
// of 1, where the loop has 1, 60 elements lose all digits and 1100 give infinities or NaN. RestartEvery{count} then
// goes on from values: products have that many factors at most, blocks of so many elements follow one after the other,
// and in blocks of 1 the results are those of the loop. Products that underflow count as 0.
//
// A coefficient of 0 cuts, in every form: what came before, infinite or NaN, is not seen behind it. Coefficients are
// finite numbers; of others results up to the next coefficient of 0 are not specified. b may be infinite: NaN comes
// where the loop has one, or where a product overflows, and an infinity may end where a product underflows.
namespace KokkosScan {

/// x(i) = a(i) x(i-1) + b(i), start being x(-1). Results go to dest(i), which is as long as b, or longer; dest may be
/// b, or a where that is a View of rank 1. a is a View of rank 1, or a constant: then this is a filter. start is a
/// value or a View of rank 0, which is read on exec. As<T>{} names the type that it is computed in, else the value type
/// of dest.
///
///   linear_recurrence(exec, a, b, dest, start [, Reversed{}] [, As<T>{}] [, RestartEvery{count}])
///
/// Along an axis of Views of rank 2, 3 or 4, with a constant; start is then also a View of one rank less:
///
///   linear_recurrence(exec, a, b, dest, start, Axis{d})                 or Axis{d}.reversed()
///
/// Of order k, x(i) = a(i, 0) x(i-1) + ... + a(i, k-1) x(i-k) + b(i): a is a View of rank 2 with k columns, such as
/// View<double*[2]>, or constant, a Kokkos::Array of k; start is a Kokkos::Array of k, or a View of rank 1: x(-1),
/// x(-2), ... The k (k + 1) numbers of a map take 160 bytes at most.
inline constexpr driver::Function<driver::LinearRecurrence, "KokkosScan::linear_recurrence"> linear_recurrence{};

/// y(i) = alpha from(i) + (1 - alpha) y(i-1), start being y(-1); all else as above.
///
///   exponential_smoothing(exec, alpha, from, dest, start [, Reversed{} or Axis{d}] [, As<T>{}])
inline constexpr driver::Function<driver::ExponentialSmoothing, "KokkosScan::exponential_smoothing">
    exponential_smoothing{};

}  // namespace KokkosScan
