// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>

#include "macros.hpp"

namespace KokkosScan {

// The orders of keys: less(left, right) says whether left comes first.

template <class T>
concept HasLess = requires(T const& left, T const& right) {
  { left < right } -> std::convertible_to<bool>;
};

struct Less {
  template <HasLess T>
  KOKKOSSCAN_FUNCTION constexpr bool operator()(T const& left, T const& right) const {
    return left < right;
  }
};
struct Greater {
  template <HasLess T>
  KOKKOSSCAN_FUNCTION constexpr bool operator()(T const& left, T const& right) const {
    return right < left;
  }
};

}  // namespace KokkosScan
