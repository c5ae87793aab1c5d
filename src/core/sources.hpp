// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <type_traits>

#include "arrays.hpp"
#include "operators.hpp"

// What is scanned. Every source has
//
//   load(i)   the value of element i, in the accumulator's type
//
// and an engine may call it more than once, always before the result of i is stored. One that is made of an array says
// so, and an engine may then bring the elements nearer before it makes values of them:
//
//   array     where the elements are
//   make(e)   the value of an element
namespace KokkosScan::core {

/// The elements of an array, each by way of a function.
template <class Value, class Array_, class Unary>
struct FromArray {
  using Array = Array_;

  Array array;
  Unary unary;

  template <class Element>
  KOKKOSSCAN_FUNCTION Value make(Element const& element) const {
    return static_cast<Value>(unary(element));
  }
  KOKKOSSCAN_FUNCTION Value load(std::size_t i) const { return make(array[i]); }
};

/// What a function makes of an index.
template <class Value, class Function>
struct FromIndex {
  Function function;

  KOKKOSSCAN_FUNCTION Value load(std::size_t i) const { return static_cast<Value>(function(i)); }
};

/// A function of indices from `last` down to 0.
template <class Function>
struct Backwards {
  Function function;
  std::size_t last;

  template <class... Arguments>
  KOKKOSSCAN_FUNCTION decltype(auto) operator()(std::size_t i, Arguments const&... arguments) const {
    return function(last - i, arguments...);
  }
};

/// Whether the values are the elements of an array as they are.
template <class Source>
inline constexpr bool is_plain = false;
template <class Value, class Array>
inline constexpr bool is_plain<FromArray<Value, Array, Unchanged>> = std::is_same_v<ElementOf<Array>, Value>;

}  // namespace KokkosScan::core
