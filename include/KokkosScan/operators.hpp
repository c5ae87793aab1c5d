// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/macros.hpp>
#include <concepts>
#include <limits>
#include <type_traits>

namespace KokkosScan {

/// The bounds that Min and Max take their identities from. Specialise it for a type of your own, or give that type a
/// std::numeric_limits.
template <class T>
struct Bounds {
  static_assert(std::numeric_limits<T>::is_specialized,
                "KokkosScan: Min and Max need the bounds of this value type: specialise KokkosScan::Bounds<T> or "
                "std::numeric_limits<T>");
  using Limits = std::numeric_limits<T>;

  // With infinities the largest finite value is no identity: min(max(), infinity()) is not infinity().
  KOKKOSSCAN_FUNCTION static constexpr T lowest() {
    if constexpr (Limits::has_infinity)
      return -Limits::infinity();
    else
      return Limits::lowest();
  }
  KOKKOSSCAN_FUNCTION static constexpr T highest() {
    if constexpr (Limits::has_infinity)
      return Limits::infinity();
    else
      return Limits::max();
  }
};

// The library calls every operator as op(left, right), left being the earlier element, and never needs its identity
// but for the total of an empty scan without init.

struct Sum {
  template <class T>
  KOKKOSSCAN_FUNCTION static constexpr T identity() {
    return T{};
  }
  template <class T>
  KOKKOSSCAN_FUNCTION constexpr T operator()(T const& left, T const& right) const {
    return static_cast<T>(left + right);
  }
};

struct Product {
  template <class T>
  KOKKOSSCAN_FUNCTION static constexpr T identity() {
    return static_cast<T>(1);
  }
  template <class T>
  KOKKOSSCAN_FUNCTION constexpr T operator()(T const& left, T const& right) const {
    return static_cast<T>(left * right);
  }
};

/// Of two equal values the earlier one, as std::min.
struct Min {
  template <class T>
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
  template <class T>
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
