// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "by_key.hpp"
#include "length.hpp"

// Scans of segments: of the elements between an offset and the next, each by itself. They are runs; where runs begin
// stands in a bit for each element, which is made of the offsets before (boundaries.hpp). So the cost does not depend
// on how long segments are, and the scan reads an eighth of a byte more an element.
namespace KokkosScan::core {

inline constexpr std::size_t bits_of_word = 32;
/// Of an array of so many elements; hosts read two words at once.
constexpr std::size_t words_of_boundaries(std::size_t n) { return n / bits_of_word + 1; }
constexpr std::size_t bytes_of_boundaries(std::size_t n) {
  return (words_of_boundaries(n) + 1) * sizeof(std::uint32_t);
}

/// For each element of an array, and for what is behind the last one, whether an offset points there; and from which
/// element on a scan goes, upwards or downwards.
template <bool backward_>
struct Boundaries {
  static constexpr bool backward = backward_;

  std::uint32_t const* words;
  std::size_t first;

  KOKKOSSCAN_FUNCTION bool at(std::size_t element) const {
    return (words[element / bits_of_word] >> (element % bits_of_word) & 1U) != 0;
  }
  KOKKOSSCAN_FUNCTION std::size_t element(std::size_t i) const { return backward ? first - i : first + i; }
  KOKKOSSCAN_FUNCTION bool before(std::size_t i) const { return at(element(i) + (backward ? 1 : 0)); }
  KOKKOSSCAN_FUNCTION bool behind(std::size_t i) const { return at(element(i) + (backward ? 0 : 1)); }
  KOKKOSSCAN_FUNCTION void skip(std::size_t count) { first = element(count); }
};

/// The offsets of segments: one more than there are segments, or none.
template <class Integer_>
struct Offsets {
  using Integer = Integer_;

  Strided<Integer const> offsets;
  std::size_t segments;

  /// As a place in an array of so many elements.
  KOKKOSSCAN_FUNCTION std::size_t clamped(std::size_t k, std::size_t most) const {
    return core::clamped(offsets[k], most);
  }
  /// The first offset from that one on that is not less than an element; behind the last one, if there is none.
  KOKKOSSCAN_FUNCTION std::size_t find(std::size_t from, std::size_t element) const {
    std::size_t count = segments + 1 - from;
    while (count > 0) {
      std::size_t const half = count / 2;
      bool const less        = clamped(from + half, static_cast<std::size_t>(-1)) < element;
      if (less) from += half + 1;
      count = less ? count - half - 1 : half;
    }
    return from;
  }
  /// The segment of an element: of several that begin there, the one that is not empty.
  KOKKOSSCAN_FUNCTION std::size_t segment_of(std::size_t element) const {
    std::size_t const behind = find(0, element + 1);
    return behind > segments ? segments - 1 : behind > 0 ? behind - 1 : 0;
  }
};

/// The values of an array, in segments.
template <class T, class From, class Op, class Init, bool backward>
struct FromSegments {
  Boundaries<backward> boundaries;
  From from;
  Op op;
  Init init;

  KOKKOSSCAN_FUNCTION Keyed<T> load(std::size_t i) const {
    return begin_or_go_on<T>(i == 0 || boundaries.before(i), from[i], op, init);
  }
  KOKKOSSCAN_FUNCTION void skip(std::size_t count) {
    boundaries.skip(count);
    from.skip(count);
  }
};

/// Nobody wants the results, but the totals.
template <class T>
struct ToNowhere {
  static constexpr Uses uses = {.before = false, .own = false, .through = false};
  KOKKOSSCAN_FUNCTION void store(std::size_t, Keyed<T> const&, Keyed<T> const&, Keyed<T> const&) const {}
  KOKKOSSCAN_FUNCTION void skip(std::size_t) {}
};

/// What another sink makes of a scan, and the total of each segment that is not empty.
template <class T, class Results, class Totals, class Integer, bool backward>
struct WithTotals {
  using Stored = ElementOf<Totals>;

  static constexpr Uses uses = {.before = Results::uses.before, .own = Results::uses.own, .through = true};

  Results results;
  Totals totals;
  Offsets<Integer> offsets;
  Boundaries<backward> boundaries;

  KOKKOSSCAN_FUNCTION void store(std::size_t i, Keyed<T> const& before, Keyed<T> const& own,
                                 Keyed<T> const& through) const {
    results.store(i, before, own, through);
    if (!boundaries.behind(i)) return;
    auto& total = totals[offsets.segment_of(boundaries.element(i))];
    ::new (static_cast<void*>(&total)) Stored(static_cast<Stored>(through.value()));
  }
  KOKKOSSCAN_FUNCTION void skip(std::size_t count) {
    results.skip(count);
    boundaries.skip(count);
  }
};

/// How many elements segments hold, and how many others an array has before them: between the first offset and the last
/// one, of an array of so many elements.
template <class Integer, bool backward>
struct StoredSegments {
  static constexpr bool moves = true;

  Integer const* first_address;
  Integer const* last_address;
  std::size_t most;

  KOKKOSSCAN_FUNCTION std::size_t last() const { return clamped(*last_address, most); }
  KOKKOSSCAN_FUNCTION std::size_t first() const { return clamped(*first_address, last()); }
  KOKKOSSCAN_FUNCTION std::size_t length() const { return last() - first(); }
  KOKKOSSCAN_FUNCTION std::size_t others(std::size_t, std::size_t) const { return backward ? most - last() : first(); }
};

}  // namespace KokkosScan::core
