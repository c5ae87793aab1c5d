// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "macros.hpp"

// How the elements of an array lie in memory.
namespace KokkosScan::core {

/// Side by side.
template <class Element>
struct Contiguous {
  Element* data;
  KOKKOSSCAN_FUNCTION Element& operator[](std::size_t i) const { return data[i]; }
  KOKKOSSCAN_FUNCTION void skip(std::size_t count) { data += count; }
};

/// Side by side, taken from the last one on.
template <class Element>
struct Backward {
  Element* data;  // the last one
  KOKKOSSCAN_FUNCTION Element& operator[](std::size_t i) const { return *(data - i); }
  KOKKOSSCAN_FUNCTION void skip(std::size_t count) { data -= count; }
};

/// The same distance apart; a negative one where the array is taken from its far end.
template <class Element>
struct Strided {
  Element* data;
  std::ptrdiff_t stride;
  KOKKOSSCAN_FUNCTION Element& operator[](std::size_t i) const { return data[static_cast<std::ptrdiff_t>(i) * stride]; }
  KOKKOSSCAN_FUNCTION void skip(std::size_t count) { data = &(*this)[count]; }
};

template <class Array>
using ElementOf = std::remove_cvref_t<decltype(std::declval<Array const&>()[0])>;

/// Whether elements lie side by side, in either direction.
template <class Array>
inline constexpr bool is_side_by_side = false;
template <class Element>
inline constexpr bool is_side_by_side<Contiguous<Element>> = true;
template <class Element>
inline constexpr bool is_side_by_side<Backward<Element>> = true;
template <class Array>
inline constexpr bool is_backward = false;
template <class Element>
inline constexpr bool is_backward<Backward<Element>> = true;

/// The first n elements of an array, taken from the last one on.
template <class Element>
KOKKOSSCAN_FUNCTION Backward<Element> backwards(Contiguous<Element> const& array, std::size_t n) {
  return {n > 0 ? array.data + (n - 1) : array.data};
}
template <class Element>
KOKKOSSCAN_FUNCTION Strided<Element> backwards(Strided<Element> const& array, std::size_t n) {
  return {n > 0 ? &array[n - 1] : array.data, -array.stride};
}

/// The array that a source or a sink is made of; void, if it is of none.
template <class Part>
struct ArrayOfPart {
  using type = void;
};
template <class Part>
  requires requires { typename Part::Array; }
struct ArrayOfPart<Part> {
  using type = typename Part::Array;
};
template <class Part>
using ArrayOf = typename ArrayOfPart<Part>::type;

}  // namespace KokkosScan::core
