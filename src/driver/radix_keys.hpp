// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <functional>
#include <type_traits>

#include "../core/comparisons.hpp"
#include "../core/radix_sort.hpp"

// Which keys are sorted by their bits, and in which order those stand for numbers.
namespace KokkosScan::driver {

template <class Order, class Key>
inline constexpr bool is_upwards =
    std::is_same_v<Order, Less> || std::is_same_v<Order, std::less<>> || std::is_same_v<Order, std::less<Key>>;
template <class Order, class Key>
inline constexpr bool is_downwards =
    std::is_same_v<Order, Greater> || std::is_same_v<Order, std::greater<>> || std::is_same_v<Order, std::greater<Key>>;

/// The word of so many bytes, up to 8.
template <std::size_t size>
using WordOf = std::conditional_t<
    size == 1, std::uint8_t,
    std::conditional_t<size == 2, std::uint16_t, std::conditional_t<size == 4, std::uint32_t, std::uint64_t>>>;

/// The bits of infinity; 0 of what is no float.
template <class Key>
inline constexpr std::uint64_t infinity_of = 0;
template <>
inline constexpr std::uint64_t infinity_of<float> = 0x7f800000;
template <>
inline constexpr std::uint64_t infinity_of<double> = 0x7ff0000000000000;
#if !KOKKOS_HALF_T_IS_FLOAT
template <>
inline constexpr std::uint64_t infinity_of<Kokkos::Experimental::half_t> = 0x7c00;
#endif
#if !KOKKOS_BHALF_T_IS_FLOAT
template <>
inline constexpr std::uint64_t infinity_of<Kokkos::Experimental::bhalf_t> = 0x7f80;
#endif

template <class Key>
concept RadixKey = (std::is_integral_v<Key> && sizeof(Key) <= 8) || infinity_of<Key> != 0;

template <RadixKey Key>
using RadixOrderOf = core::RadixOrder<WordOf<sizeof(Key)>, infinity_of<Key> != 0>;

/// The order of keys by their bits from `begin` to `end`.
template <RadixKey Key>
RadixOrderOf<Key> radix_order(bool downwards, int begin, int end) {
  using Order = RadixOrderOf<Key>;
  using Bits  = typename Order::Bits;
  Bits flip   = std::is_signed_v<Key> && std::is_integral_v<Key> ? Order::sign : Bits{0};
  if (downwards) flip = static_cast<Bits>(~flip);
  return {flip, static_cast<Bits>(infinity_of<Key>), begin, end};
}

}  // namespace KokkosScan::driver
