// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <limits>
#include <type_traits>
#include "macros.hpp"

namespace KokkosScan {

/// The bounds that Min and Max take their identities from. Specialise it for a type of your own, or give that type a
/// std::numeric_limits; without either a type has no identity for them, which only an empty scan's total needs.
template <class T>
struct Bounds {};

template <class T>
  requires std::numeric_limits<T>::is_specialized
struct Bounds<T> {
  using Limits = std::numeric_limits<T>;

  KOKKOSSCAN_FUNCTION static constexpr T lowest() { return least; }
  KOKKOSSCAN_FUNCTION static constexpr T highest() { return greatest; }

 private:
  // With infinities the largest finite value is no identity: min(max(), infinity()) is not infinity(). Constants, since
  // a kernel may not call the functions of std::numeric_limits.
  static constexpr T least    = Limits::has_infinity ? static_cast<T>(-Limits::infinity()) : Limits::lowest();
  static constexpr T greatest = Limits::has_infinity ? Limits::infinity() : Limits::max();
};

template <class T>
concept HasBounds = requires {
  { Bounds<T>::lowest() } -> std::convertible_to<T>;
  { Bounds<T>::highest() } -> std::convertible_to<T>;
};

namespace core {

/// The type to count in: integers as unsigned, so that they wrap around on every backend and overflow nowhere.
template <class T>
struct CountsAs {
  using type = T;
};
template <class T>
  requires(std::is_integral_v<T> && sizeof(T) <= sizeof(int))
struct CountsAs<T> {
  using type = unsigned;
};
template <class T>
  requires(std::is_integral_v<T> && sizeof(T) > sizeof(int))
struct CountsAs<T> : std::make_unsigned<T> {};

/// Whether 1 becomes the one of a type of numbers. Of an aggregate it would be the first member's value.
template <class T>
concept HasOne = std::is_constructible_v<T, int> && !std::is_aggregate_v<T>;

}  // namespace core

// The library calls every operator as op(left, right), left being the earlier element, and never needs its identity
// but for the total of an empty scan without init.

struct Sum {
  template <class T>
    requires std::is_default_constructible_v<T>
  KOKKOSSCAN_FUNCTION static constexpr T identity() {
    return T{};
  }
  template <class T>
  KOKKOSSCAN_FUNCTION constexpr T operator()(T const& left, T const& right) const {
    using Number = typename core::CountsAs<T>::type;
    return static_cast<T>(static_cast<Number>(left) + static_cast<Number>(right));
  }
};

struct Product {
  template <class T>
    requires core::HasOne<T>
  KOKKOSSCAN_FUNCTION static constexpr T identity() {
    return static_cast<T>(1);
  }
  template <class T>
  KOKKOSSCAN_FUNCTION constexpr T operator()(T const& left, T const& right) const {
    using Number = typename core::CountsAs<T>::type;
    return static_cast<T>(static_cast<Number>(left) * static_cast<Number>(right));
  }
};

/// Of two equal values the earlier one, as std::min.
struct Min {
  template <HasBounds T>
  KOKKOSSCAN_FUNCTION static constexpr T identity() {
    return Bounds<T>::highest();
  }
  template <class T>
  KOKKOSSCAN_FUNCTION constexpr T operator()(T const& left, T const& right) const {
    return right < left ? right : left;
  }
};

/// Of two equal values the earlier one, as std::max.
struct Max {
  template <HasBounds T>
  KOKKOSSCAN_FUNCTION static constexpr T identity() {
    return Bounds<T>::lowest();
  }
  template <class T>
  KOKKOSSCAN_FUNCTION constexpr T operator()(T const& left, T const& right) const {
    return left < right ? right : left;
  }
};

struct BitAnd {
  template <class T>
  KOKKOSSCAN_FUNCTION static constexpr T identity() {
    return static_cast<T>(~T{});
  }
  template <class T>
  KOKKOSSCAN_FUNCTION constexpr T operator()(T const& left, T const& right) const {
    return static_cast<T>(left & right);
  }
};

struct BitOr {
  template <class T>
  KOKKOSSCAN_FUNCTION static constexpr T identity() {
    return T{};
  }
  template <class T>
  KOKKOSSCAN_FUNCTION constexpr T operator()(T const& left, T const& right) const {
    return static_cast<T>(left | right);
  }
};

struct BitXor {
  template <class T>
  KOKKOSSCAN_FUNCTION static constexpr T identity() {
    return T{};
  }
  template <class T>
  KOKKOSSCAN_FUNCTION constexpr T operator()(T const& left, T const& right) const {
    return static_cast<T>(left ^ right);
  }
};

struct LogicalAnd {
  template <class T>
  KOKKOSSCAN_FUNCTION static constexpr T identity() {
    return static_cast<T>(true);
  }
  template <class T>
  KOKKOSSCAN_FUNCTION constexpr T operator()(T const& left, T const& right) const {
    return static_cast<T>(left && right);
  }
};

struct LogicalOr {
  template <class T>
  KOKKOSSCAN_FUNCTION static constexpr T identity() {
    return static_cast<T>(false);
  }
  template <class T>
  KOKKOSSCAN_FUNCTION constexpr T operator()(T const& left, T const& right) const {
    return static_cast<T>(left || right);
  }
};

/// What a scan without a transform applies to each element.
struct Unchanged {
  template <class T>
  KOKKOSSCAN_FUNCTION constexpr T const& operator()(T const& value) const {
    return value;
  }
};

/// Whether `Op` names an identity for `T`, as the operators above do and an operator of your own may.
template <class Op, class T>
concept HasIdentity = requires {
  { Op::template identity<T>() } -> std::convertible_to<T>;
};

}  // namespace KokkosScan
