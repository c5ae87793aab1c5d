// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <type_traits>

#include "macros.hpp"

namespace KokkosScan {

// The orders of keys: less(left, right) says whether left comes first.

struct Less {
  template <class T>
  KOKKOSSCAN_FUNCTION constexpr bool operator()(T const& left, T const& right) const {
    return left < right;
  }
};
struct Greater {
  template <class T>
  KOKKOSSCAN_FUNCTION constexpr bool operator()(T const& left, T const& right) const {
    return right < left;
  }
};

namespace core {

template <class Order, class Key>
inline constexpr bool is_upwards =
    std::is_same_v<Order, Less> || std::is_same_v<Order, std::less<>> || std::is_same_v<Order, std::less<Key>>;
template <class Order, class Key>
inline constexpr bool is_downwards =
    std::is_same_v<Order, Greater> || std::is_same_v<Order, std::greater<>> || std::is_same_v<Order, std::greater<Key>>;

}  // namespace core
}  // namespace KokkosScan
