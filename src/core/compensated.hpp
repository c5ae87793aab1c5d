// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <type_traits>

#include "macros.hpp"

namespace KokkosScan {

/// A number as the sum of two floats: the nearest one, and what is missing. Additions find what they round off, and
/// keep it (Knuth's TwoSum, Dekker 1971), so that a sum of n values is off by about n 2^-48 times the sum of their
/// absolute values with float, n 2^-105 with double, rather than by n 2^-24 or n 2^-53; on devices that are slow in
/// double, too.
///
///   Compensated<T>
///
/// It is an accumulator, As<Compensated<float>>{}, or the value type of a result, whose differences are then as exact.
/// Compilers must not reorder additions: -ffast-math makes a plain sum of it. Sums with an infinity are no numbers.
template <class T>
struct Compensated {
  static_assert(std::is_floating_point_v<T>, "KokkosScan: Compensated<T> is a sum of two floats or doubles");

  T value;
  T missing;

  Compensated() = default;
  KOKKOSSCAN_FUNCTION constexpr Compensated(T nearest, T rest = T(0)) : value(nearest), missing(rest) {}

  /// Of a wider number what T holds, and what it does not.
  template <class Number>
    requires(std::is_arithmetic_v<Number> && !std::is_same_v<Number, T>)
  KOKKOSSCAN_FUNCTION constexpr Compensated(Number number)
      : value(static_cast<T>(number)), missing(rest_of(number, value)) {}

  template <class Number>
    requires(std::is_arithmetic_v<Number>)
  KOKKOSSCAN_FUNCTION constexpr explicit operator Number() const {
    return static_cast<Number>(value) + static_cast<Number>(missing);
  }

  KOKKOSSCAN_FUNCTION friend constexpr Compensated operator+(Compensated const& left, Compensated const& right) {
    T const sum     = left.value + right.value;
    T const of_left = sum - right.value, of_right = sum - of_left;
    T const lost    = (left.value - of_left) + (right.value - of_right);
    T const rest    = lost + (left.missing + right.missing);
    T const nearest = sum + rest;
    return {nearest, rest - (nearest - sum)};
  }
  KOKKOSSCAN_FUNCTION friend constexpr Compensated operator-(Compensated const& left, Compensated const& right) {
    return left + Compensated(-right.value, -right.missing);
  }

 private:
  template <class Number>
  KOKKOSSCAN_FUNCTION static constexpr T rest_of(Number number, T nearest) {
    if constexpr (std::is_integral_v<Number> && sizeof(Number) == 8 && sizeof(T) == 8) {
      T const high = static_cast<T>(number >> 32) * T(4294967296), low = static_cast<T>(number & 0xffffffff);
      return low - (nearest - high);
    } else if constexpr (sizeof(Number) < sizeof(T)) {
      return T(0);
    } else {
      return static_cast<T>(static_cast<double>(number) - static_cast<double>(nearest));
    }
  }
};

}  // namespace KokkosScan
