// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "macros.hpp"

// Radix sort as every backend sees it: keys are words of bits that stay as they are, and an order makes of each the
// unsigned integer that it is sorted by. So one piece of code sorts all types of keys of a size.
namespace KokkosScan::core {

/// The order of keys of so many bits.
///
/// Zeros of either sign are equal; what is no number comes behind all numbers, upwards and downwards.
template <class Bits_, bool is_float_>
struct RadixOrder {
  using Bits = Bits_;

  static constexpr bool is_float = is_float_;
  static constexpr int width     = static_cast<int>(8 * sizeof(Bits));
  static constexpr Bits sign     = static_cast<Bits>(Bits{1} << (width - 1));
  static constexpr Bits all      = static_cast<Bits>(~Bits{0});

  Bits flip;       // the bits of the integer that are turned: the sign, or all to go downwards
  Bits infinity;   // of floats
  int begin, end;  // the bits that are looked at

  /// A key behind which none is sorted, whatever bits are looked at.
  KOKKOSSCAN_FUNCTION Bits last() const { return is_float ? all : static_cast<Bits>(all ^ flip); }

  /// The integer by which a key is sorted.
  KOKKOSSCAN_FUNCTION Bits ordered(Bits key) const {
    if constexpr (is_float) {
      if (key == sign) key = 0;
      if (static_cast<Bits>(key & ~sign) > infinity) return all;
      key = static_cast<Bits>(key ^ ((key & sign) != 0 ? all : sign));
    }
    return static_cast<Bits>(key ^ flip);
  }
  /// The bits of that integer that are looked at, at least one.
  KOKKOSSCAN_FUNCTION Bits compared(Bits key) const {
    return static_cast<Bits>(static_cast<Bits>(ordered(key) >> begin) &
                             static_cast<Bits>(all >> (width - (end - begin))));
  }
};

/// By comparisons of those integers.
template <class Order>
struct LessInOrder {
  Order order;
  KOKKOSSCAN_FUNCTION bool operator()(typename Order::Bits left, typename Order::Bits right) const {
    return order.ordered(left) < order.ordered(right);
  }
};

/// Up to 32 neighbouring bits of the integer that a key is sorted by: what a pass looks at. Loops have a copy of their
/// own, which no store can change.
template <class Order_>
class Digit {
 public:
  using Order = Order_;
  using Bits  = typename Order::Bits;

  /// Of so many bits, at least one, from that on.
  KOKKOSSCAN_FUNCTION Digit(Order const& order, int first, int bits)
      : order_(order),
        first_(first),
        flip_(static_cast<std::uint32_t>(order.flip >> first)),
        mask_(~std::uint32_t{0} >> (32 - bits)) {}

  /// The same as those of the order's integer; what is turned is turned behind the shift, where it costs nothing.
  KOKKOSSCAN_FUNCTION std::uint32_t operator()(Bits key) const {
    if constexpr (Order::is_float) return in(order_.ordered(key));
    return (static_cast<std::uint32_t>(key >> first_) ^ flip_) & mask_;
  }
  KOKKOSSCAN_FUNCTION std::uint32_t in(Bits ordered) const {
    return static_cast<std::uint32_t>(ordered >> first_) & mask_;
  }

 private:
  Order order_;
  int first_;
  std::uint32_t flip_, mask_;
};

/// Keys without values.
struct NoValues {};

/// Sorts n keys, and values with them, by digits from the lowest on; each pass keeps the order of equal digits. Values
/// are words, too, of 1 to 16 bytes. What is sorted ends where it was; `other` arrays have room for as much.
template <class Order_, class Value_ = NoValues>
struct RadixSort {
  using Order = Order_;
  using Bits  = typename Order::Bits;
  using Value = Value_;

  static constexpr bool has_values = !std::is_same_v<Value, NoValues>;
  static constexpr int digit_bits  = 8;
  static constexpr int digits      = 1 << digit_bits;  // that there are
  static constexpr int most_passes = Order::width / digit_bits;

  Order order;
  Bits* keys;
  Bits* other_keys;
  Value* values;
  Value* other_values;
  std::size_t n;

  KOKKOSSCAN_FUNCTION int passes() const { return (order.end - order.begin + digit_bits - 1) / digit_bits; }
  /// The digit that a pass looks at.
  KOKKOSSCAN_FUNCTION Digit<Order> digit_of(int pass) const {
    int const first = order.begin + pass * digit_bits, rest = order.end - first;
    return {order, first, rest < digit_bits ? rest : digit_bits};
  }
};

/// An array of values that passes take from one place to the other, and its place.
template <class T>
struct FromTo {
  T* from;
  T* to;
};
template <class T>
KOKKOSSCAN_FUNCTION FromTo<T> of_pass(T* array, T* other, int pass) {
  return pass % 2 == 0 ? FromTo<T>{array, other} : FromTo<T>{other, array};
}

}  // namespace KokkosScan::core
