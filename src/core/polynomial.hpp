// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cmath>
#include <cstddef>
#include <type_traits>

#include "operators.hpp"
#include "weighted.hpp"

// Polynomials c(0) + c(1) x + ... by Horner's rule in parts that do not wait for each other (Estrin 1960; Munro and
// Paterson 1973): a pair of a power and a value to a part, and (p, u) before (q, v) is (p q, u + p v). Parts whose
// lengths are known need no powers of their own, which leaves a product and a sum for each coefficient.
namespace KokkosScan::core {

KOKKOSSCAN_FUNCTION inline float fused(float a, float b, float c) { return ::fmaf(a, b, c); }
KOKKOSSCAN_FUNCTION inline double fused(double a, double b, double c) { return ::fma(a, b, c); }

/// A power of x that others are made of: of floats with what its rounding has cost. That would be the same in each
/// step, and errors that are the same add up, where Horner's rule has some of either sign.
template <class T>
struct Power {
  T high;
  T low = T(0);
};
template <class T>
KOKKOSSCAN_FUNCTION Power<T> product(Power<T> const& a, Power<T> const& b) {
  Power<T> result{weighted(a.high, b.high)};
  if constexpr (std::is_same_v<T, double> || std::is_same_v<T, float>)
    if (is_finite(result.high)) {
      T const low = fused(a.high, b.high, -result.high) + (a.high * b.low + a.low * b.high);
      T const sum = result.high + low;
      if (is_finite(sum)) result = {sum, low - (sum - result.high)};
    }
  return result;
}
template <class T>
KOKKOSSCAN_FUNCTION Power<T> power(Power<T> x, std::size_t exponent) {
  Power<T> result{T(1)};
  for (; exponent > 0; exponent /= 2) {
    if (exponent % 2 != 0) result = product(result, x);
    if (exponent > 1) x = product(x, x);
  }
  return result;
}

/// What has overflowed stays what it is: its product with a low part may have the other sign.
template <class T>
KOKKOSSCAN_FUNCTION T horner_step(T const& value, Power<T> const& x, T const& coefficient) {
  if constexpr (std::is_same_v<T, double> || std::is_same_v<T, float>) {
    T const product = weighted(value, x.high), rest = weighted(value, x.low);
    return product + ((is_finite(product) ? rest : T(0)) + coefficient);
  } else {
    return Sum{}(weighted(value, x.high), coefficient);
  }
}

/// The value at x of `count` coefficients, of which each lane takes one in so many: neighbours are read side by side,
/// and lanes are vectors. Then halves are put together: those of lane t and of lane t + half, which has x^half more.
template <std::size_t lanes, class T, class Array>
KOKKOSSCAN_FUNCTION T horner_in_lanes(Array const& coefficients, std::size_t begin, std::size_t count, T const& x) {
  T values[lanes];
  Power<T> powers[lanes];  // x^1, x^2, x^4, ...
  std::size_t doublings = 0;
  powers[0]             = {x};
  for (std::size_t width = 1; width < lanes; width *= 2, ++doublings)
    powers[doublings + 1] = product(powers[doublings], powers[doublings]);
  Power<T> const step    = powers[doublings];
  std::size_t const full = count / lanes, top = begin + full * lanes;
  for (std::size_t t = 0; t < lanes; ++t) values[t] = t < count % lanes ? static_cast<T>(coefficients[top + t]) : T(0);
  for (std::size_t row = full; row-- > 0;) {
    std::size_t const first = begin + row * lanes;
    for (std::size_t t = 0; t < lanes; ++t)
      values[t] = horner_step(values[t], step, static_cast<T>(coefficients[first + t]));
  }
  for (std::size_t half = lanes / 2; half > 0; half /= 2) {
    --doublings;
    for (std::size_t t = 0; t < half; ++t) values[t] = horner_step(values[t + half], powers[doublings], values[t]);
  }
  return values[0];
}

/// One point for all, a value or one in memory, or an array of them.
template <class T>
struct OnePoint {
  T x;
  KOKKOSSCAN_FUNCTION T operator[](std::size_t) const { return x; }
};
template <class T, class Stored>
struct StoredPoint {
  Stored const* address;
  KOKKOSSCAN_FUNCTION T operator[](std::size_t) const { return static_cast<T>(*address); }
};
template <class T, class Array>
struct ArrayOfPoints {
  Array array;
  KOKKOSSCAN_FUNCTION T operator[](std::size_t p) const { return static_cast<T>(array[p]); }
};

/// A polynomial at some points, in parts of so many coefficients.
template <class T_, class Coefficients, class Points, class Results>
struct PolynomialParts {
  using T = T_;

  Coefficients coefficients;
  std::size_t n;
  Points points;
  std::size_t count;  // of points
  std::size_t length;
  std::size_t parts;
  T* values;        // of each part at each point, part by part; if there are several
  Results results;  // of each point

  KOKKOSSCAN_FUNCTION std::size_t length_of(std::size_t part) const {
    return part + 1 < parts ? length : n - part * length;
  }
  KOKKOSSCAN_FUNCTION void put(std::size_t part, std::size_t point, T const& value) const {
    if (parts > 1)
      values[part * count + point] = value;
    else
      results[point] = static_cast<std::remove_reference_t<decltype(results[point])>>(value);
  }
};

/// Each part at a point, in lanes.
template <class Parts, std::size_t lanes>
struct PartInLanes {
  Parts all;

  KOKKOSSCAN_FUNCTION void operator()(std::size_t k) const {
    std::size_t const part = k / all.count, point = k % all.count;
    all.put(part, point,
            horner_in_lanes<lanes, typename Parts::T>(all.coefficients, part * all.length, all.length_of(part),
                                                      all.points[point]));
  }
};

/// Each part at some points: all go through the same coefficients.
template <class Parts, std::size_t at_once>
struct PartAtPoints {
  using T = typename Parts::T;
  Parts all;

  KOKKOSSCAN_FUNCTION std::size_t groups() const { return (all.count + at_once - 1) / at_once; }
  KOKKOSSCAN_FUNCTION void operator()(std::size_t k) const {
    std::size_t const part = k / groups(), first = k % groups() * at_once;
    T x[at_once], y[at_once];
    for (std::size_t p = 0; p < at_once; ++p) {  // the last point again, where there are no more
      std::size_t const at = first + p;
      x[p]                 = all.points[at < all.count ? at : all.count - 1];
    }
    std::size_t const begin = part * all.length, length = all.length_of(part);
    for (T& value : y) value = length > 0 ? static_cast<T>(all.coefficients[begin + length - 1]) : T(0);
    for (std::size_t i = length; i > 1; --i) {
      T const coefficient = static_cast<T>(all.coefficients[begin + i - 2]);
      for (std::size_t p = 0; p < at_once; ++p) y[p] = Sum{}(Product{}(y[p], x[p]), coefficient);
    }
    for (std::size_t p = 0; p < at_once; ++p)
      if (first + p < all.count) all.put(part, first + p, y[p]);
  }
};

/// What the parts are at a point, together.
template <class Parts>
struct PartsTogether {
  Parts all;

  KOKKOSSCAN_FUNCTION void operator()(std::size_t point) const {
    using T             = typename Parts::T;
    Power<T> const step = power(Power<T>{all.points[point]}, all.length);
    T value             = all.values[(all.parts - 1) * all.count + point];
    for (std::size_t part = all.parts - 1; part-- > 0;)
      value = horner_step(value, step, all.values[part * all.count + point]);
    all.results[point] = static_cast<std::remove_reference_t<decltype(all.results[point])>>(value);
  }
};

}  // namespace KokkosScan::core
