// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "arrays.hpp"
#include "operators.hpp"

// What is scanned. Every source has
//
//   load(i)   the value of element i, in the accumulator's type
//
// and an engine may call it more than once, always before the result of i is stored. One that goes from the far end has
//
//   skip(count)   leaves out its first elements
//
// One that is made of arrays lists them, and an engine may then bring their elements nearer before it makes values of
// them:
//
//   arrays            how many there are, up to three
//   array_at<k>()     where the elements of each are
//   make(e, ...)      the value of an element, from one of each array
//
// One that sees_previous looks at the element before in its first array, too:
//
//   make(is_first, previous, e, ...)   before the first element nothing stands, and `previous` may be any
//
// One that sees_marks knows a bit of each element of its one array by where it stands. An engine may keep elements and
// bits, and make values later:
//
//   marks(i, count)   the bits of as many as 64 elements, that of element i last
//   make(i, mark, e)
//   advance(before, i, mark, e)   op(before, make(i, mark, e))
//
// and if those bits stand in memory, where; then an engine may bring them nearer, too:
//
//   mark_words(i, count)    the words that hold those of so many elements
//   marks(i, count, word)   word(k) is word k of them
//   offsets, elements       what an engine may make those words of, itself (segments.hpp)
//
// One that makes such a bit of each element, and the value of that and perhaps the elements of its first kept_arrays
//
//   mark(e, ...)      or mark(is_first, previous, e, ...)
//   marks_alike       whether that is the same wherever it is compiled; of a function of the user's, which may round,
//   two
//                     copies can differ, so that an engine that needs marks twice makes them once
//   value(mark, e, ...), advance(before, mark, e, ...)
//   of_marks_alone    whether values need no elements; then
//   behind_nothing(), behind_marks(before, marked, since)
//                     what stands behind several elements, of which so many are marked, `since` being how many there
//                     are from the last of those on, or of all
namespace KokkosScan::core {

/// The elements of an array, each by way of a function.
template <class Value, class Array_, class Unary>
struct FromArray {
  using Array = Array_;

  static constexpr int arrays         = 1;
  static constexpr bool sees_previous = false;

  Array array;
  Unary unary;

  template <int>
  KOKKOSSCAN_FUNCTION Array const& array_at() const {
    return array;
  }

  template <class Element>
  KOKKOSSCAN_FUNCTION Value make(Element const& element) const {
    return static_cast<Value>(unary(element));
  }
  KOKKOSSCAN_FUNCTION Value load(std::size_t i) const { return make(array[i]); }
  KOKKOSSCAN_FUNCTION void skip(std::size_t count) { array.skip(count); }
};

/// What a function makes of an index.
template <class Value, class Function>
struct FromIndex {
  Function function;

  KOKKOSSCAN_FUNCTION Value load(std::size_t i) const { return static_cast<Value>(function(i)); }
  KOKKOSSCAN_FUNCTION void skip(std::size_t count) { function.skip(count); }
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
  KOKKOSSCAN_FUNCTION void skip(std::size_t count) { last -= count; }
};

/// The arrays that a source lists; none, if it lists none.
template <class Source>
inline constexpr int arrays_of = 0;
template <class Source>
  requires(Source::arrays > 0)
inline constexpr int arrays_of<Source> = Source::arrays;
template <class Source, int k>
using ArrayAt = std::remove_cvref_t<decltype(std::declval<Source const&>().template array_at<k>())>;

/// Whether a source makes values of elements and a bit of each.
template <class Source>
inline constexpr bool sees_marks = requires { requires Source::sees_marks; };

/// Words of bits in memory, from one on up to another, of those that begin at an address.
struct MarkWords {
  std::uint32_t const* words;
  std::size_t begin, end;
};
template <class Source>
inline constexpr bool has_mark_words = requires(Source const& source) { source.mark_words(0, 0); };

/// Whether the values are the elements of an array as they are.
template <class Source>
inline constexpr bool is_plain = false;
template <class Value, class Array>
inline constexpr bool is_plain<FromArray<Value, Array, Unchanged>> = std::is_same_v<ElementOf<Array>, Value>;

}  // namespace KokkosScan::core
