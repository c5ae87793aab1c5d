// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <type_traits>

#include "macros.hpp"
#include "operators.hpp"

// Products with coefficients, of which 0 cuts: what it is multiplied with may be infinite, or no number.
namespace KokkosScan::core {

template <class T>
KOKKOSSCAN_FUNCTION constexpr bool is_finite(T const& x) {
  if constexpr (std::is_integral_v<T>)
    return true;
  else
    return x - x == T(0);
}

/// a x, but 0 where one of them is, infinite as the other may be: a power that has overflowed and a coefficient of 0.
template <class T>
KOKKOSSCAN_FUNCTION constexpr T weighted(T const& a, T const& x) {
  T const product       = Product{}(a, x);
  bool const is_nothing = (static_cast<int>(a == T(0)) | static_cast<int>(x == T(0))) != 0;  // no branch: vectors
  return is_nothing ? T(0) : product;
}

}  // namespace KokkosScan::core
