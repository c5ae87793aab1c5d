// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <type_traits>

#include "arrays.hpp"
#include "maybe.hpp"
#include "operators.hpp"
#include "sources.hpp"
#include "weighted.hpp"

// Linear recurrences x(i) = a(i, 0) x(i-1) + ... + a(i, k-1) x(i-k) + b(i) as scans (Blelloch 1990; Kogge and Stone
// 1973): the last k results are a state, each element is an affine map from one state to the next, and maps are
// combined by doing one behind the other. What stands before the first is a constant map, and so is everything that is
// combined with it: its value is the state.
//
//   bytes       3 n where a is an array, 2 n where it is constant, k + 2 n for rows of k coefficients
//   operations  of order k, k^2 (k + 1) products for two maps that are combined
//
// A coefficient of 0 cuts: in maps 0 times anything is 0, so that what came before such an element does not reach what
// comes behind it, infinite or not, nor does a product that has overflowed.
namespace KokkosScan::core {

/// a x and a x + b, of an element's own a; or without a look at whether that is 0, which is the same as long as all is
/// finite.
enum class Zeros : bool { cut, multiply };
template <Zeros zeros, class T>
KOKKOSSCAN_FUNCTION constexpr T times_element(T const& a, T const& x) {
  return zeros == Zeros::cut && a == T(0) ? T(0) : Product{}(a, x);
}
template <Zeros zeros, class T>
KOKKOSSCAN_FUNCTION constexpr T through_element(T const& a, T const& x, T const& b) {
  return zeros == Zeros::cut && a == T(0) ? b : Sum{}(Product{}(a, x), b);
}

/// One line of a recurrence of that order.
template <class T, std::size_t order>
struct Equation {
  T a[order];
  T b;

  /// Goes on from the last results, the latest of which is the first.
  template <Zeros zeros = Zeros::cut>
  KOKKOSSCAN_FUNCTION void step(T (&x)[order]) const {
    T next = b;
    for (std::size_t j = order; j-- > 0;) next = through_element<zeros>(a[j], x[j], next);
    for (std::size_t j = order - 1; j > 0; --j) x[j] = x[j - 1];
    x[0] = next;
  }
};

/// The results that stand before the first, the latest of which is the first.
template <class T, std::size_t order>
struct State {
  T x[order];
};
/// The same in memory that is read on exec.
template <class T, std::size_t order>
struct StoredState {
  T const* address;
  std::ptrdiff_t stride;
};

template <class Map>
inline constexpr bool is_affine_map = false;

/// Of a state it makes scale state + offset; by rows.
template <class T, std::size_t order_>
struct AffineMap {
  using Number = T;

  static constexpr std::size_t order = order_;

  T scale[order * order];
  T offset[order];

  AffineMap() = default;
  /// That of one element.
  KOKKOSSCAN_FUNCTION explicit AffineMap(Equation<T, order> const& line) : scale{}, offset{} {
    for (std::size_t j = 0; j < order; ++j) scale[j] = line.a[j];
    for (std::size_t row = 1; row < order; ++row) scale[row * order + row - 1] = T(1);
    offset[0] = line.b;
  }
  /// The constant one.
  KOKKOSSCAN_FUNCTION explicit AffineMap(State<T, order> const& state) : scale{}, offset{} {
    for (std::size_t row = 0; row < order; ++row) offset[row] = state.x[row];
  }
  template <class U>
    requires(order_ == 1 && !is_affine_map<U> && std::is_constructible_v<T, U const&>)
  KOKKOSSCAN_FUNCTION explicit AffineMap(U const& x) : scale{}, offset{static_cast<T>(x)} {}

  /// The latest result, of a constant map.
  template <class U>
    requires(!is_affine_map<U> && std::is_constructible_v<U, T const&>)
  KOKKOSSCAN_FUNCTION explicit operator U() const {
    return static_cast<U>(offset[0]);
  }

  /// An element more; fewer operations than to combine two maps.
  template <Zeros zeros = Zeros::cut>
  KOKKOSSCAN_FUNCTION void go_on(Equation<T, order> const& line) {
    line.template step<zeros>(offset);
    for (std::size_t column = 0; column < order; ++column) {
      T next = times_element<zeros>(line.a[order - 1], scale[(order - 1) * order + column]);
      for (std::size_t j = order - 1; j-- > 0;)
        next = through_element<zeros>(line.a[j], scale[j * order + column], next);
      for (std::size_t row = order - 1; row > 0; --row) scale[row * order + column] = scale[(row - 1) * order + column];
      scale[column] = next;
    }
  }
};
template <class T, std::size_t order>
inline constexpr bool is_affine_map<AffineMap<T, order>> = true;

template <class Value, class T, std::size_t order>
KOKKOSSCAN_FUNCTION Maybe<Value> value_of_start(StoredState<T, order> const& start) {
  State<typename Value::Number, order> state;
  for (std::size_t row = 0; row < order; ++row)
    state.x[row] = static_cast<typename Value::Number>(start.address[static_cast<std::ptrdiff_t>(row) * start.stride]);
  return Value(state);
}

/// The left map, and behind it the right one.
struct ThenMap {
  template <class T, std::size_t order>
  KOKKOSSCAN_FUNCTION AffineMap<T, order> operator()(AffineMap<T, order> const& left,
                                                     AffineMap<T, order> const& right) const {
    AffineMap<T, order> both;
    for (std::size_t row = 0; row < order; ++row) {
      both.offset[row] = right.offset[row];
      for (std::size_t j = order; j-- > 0;)
        both.offset[row] = Sum{}(weighted(right.scale[row * order + j], left.offset[j]), both.offset[row]);
      for (std::size_t column = 0; column < order; ++column) {
        T sum = weighted(right.scale[row * order + order - 1], left.scale[(order - 1) * order + column]);
        for (std::size_t j = order - 1; j-- > 0;)
          sum = Sum{}(weighted(right.scale[row * order + j], left.scale[j * order + column]), sum);
        both.scale[row * order + column] = sum;
      }
    }
    return both;
  }
};

/// Of an element b, where coefficients are constant: the transform of an array that is scanned.
template <class T, std::size_t order>
struct WithCoefficients {
  T a[order];
  T gain;

  template <class Element>
  KOKKOSSCAN_FUNCTION Equation<T, order> operator()(Element const& b) const {
    Equation<T, order> line;
    for (std::size_t j = 0; j < order; ++j) line.a[j] = a[j];
    line.b = static_cast<T>(b);
    if (!(gain == T(1))) line.b = Product{}(gain, line.b);
    return line;
  }
};

/// Of order 1, from an array of coefficients and one of what is added.
template <class T, class Coefficients, class Added>
struct FromCoefficients {
  static constexpr int arrays         = 2;
  static constexpr bool sees_previous = false;

  Coefficients coefficients;
  Added added;

  template <int k>
  KOKKOSSCAN_FUNCTION auto const& array_at() const {
    if constexpr (k == 0)
      return coefficients;
    else
      return added;
  }

  template <class A, class B>
  KOKKOSSCAN_FUNCTION AffineMap<T, 1> make(A const& a, B const& b) const {
    return AffineMap<T, 1>(Equation<T, 1>{{static_cast<T>(a)}, static_cast<T>(b)});
  }
  KOKKOSSCAN_FUNCTION Equation<T, 1> equation(std::size_t i) const {
    return {{static_cast<T>(coefficients[i])}, static_cast<T>(added[i])};
  }
  KOKKOSSCAN_FUNCTION AffineMap<T, 1> load(std::size_t i) const { return AffineMap<T, 1>(equation(i)); }
  KOKKOSSCAN_FUNCTION void skip(std::size_t count) {
    coefficients.skip(count);
    added.skip(count);
  }
};

/// Of a higher order, from rows of coefficients.
template <class T, std::size_t order, class Element, class Added>
struct FromRows {
  Element const* coefficients;
  std::ptrdiff_t from_row_to_row, in_a_row;
  Added added;

  KOKKOSSCAN_FUNCTION Equation<T, order> equation(std::size_t i) const {
    Element const* const row = coefficients + static_cast<std::ptrdiff_t>(i) * from_row_to_row;
    Equation<T, order> line;
    for (std::size_t j = 0; j < order; ++j) line.a[j] = static_cast<T>(row[static_cast<std::ptrdiff_t>(j) * in_a_row]);
    line.b = static_cast<T>(added[i]);
    return line;
  }
  KOKKOSSCAN_FUNCTION AffineMap<T, order> load(std::size_t i) const { return AffineMap<T, order>(equation(i)); }
  KOKKOSSCAN_FUNCTION void skip(std::size_t count) {
    coefficients += static_cast<std::ptrdiff_t>(count) * from_row_to_row;
    added.skip(count);
  }
};

/// Line i of the recurrence that a source is of.
template <class Source>
KOKKOSSCAN_FUNCTION auto equation_of(Source const& source, std::size_t i) -> decltype(source.equation(i)) {
  return source.equation(i);
}
template <class T, std::size_t order, class Array>
KOKKOSSCAN_FUNCTION Equation<T, order> equation_of(
    FromArray<AffineMap<T, order>, Array, WithCoefficients<T, order>> const& source, std::size_t i) {
  return source.unary(source.array[i]);
}

/// Whether a scan is that of a recurrence into an array.
template <class Problem>
inline constexpr bool is_recurrence = [] {
  if constexpr (is_affine_map<typename Problem::Value>)
    return std::is_same_v<typename Problem::Operator, ThenMap>;
  else
    return false;
}();

}  // namespace KokkosScan::core
