// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

#include "arrays.hpp"
#include "by_key.hpp"
#include "length.hpp"
#include "memory.hpp"
#include "sinks.hpp"

// Compaction: what is scanned is how many elements are chosen, one or none for each, and the sum before an element that
// is chosen is its place among them.
namespace KokkosScan::core {

/// A function of the user's, as a choice.
template <class Function>
struct Chooses {
  Function function;

  template <class... Arguments>
  KOKKOSSCAN_FUNCTION bool operator()(Arguments const&... arguments) const {
    return static_cast<bool>(function(arguments...));
  }
};

/// Chooses the elements of an array that differ from the one before, and the first.
template <class Count, class From, class Equal>
struct FromChanges {
  static constexpr int arrays         = 1;
  static constexpr bool sees_previous = true;

  From from;
  Equal equal;

  template <int>
  KOKKOSSCAN_FUNCTION From const& array_at() const {
    return from;
  }
  template <class Element>
  KOKKOSSCAN_FUNCTION Count make(bool is_first, Element const& previous, Element const& element) const {
    return is_first || !static_cast<bool>(equal(previous, element)) ? Count{1} : Count{0};
  }
  KOKKOSSCAN_FUNCTION Count load(std::size_t i) const { return make(i == 0, from[i > 0 ? i - 1 : 0], from[i]); }
  /// Whether element i is chosen, that has another before it.
  KOKKOSSCAN_FUNCTION bool begins_behind(std::size_t i) const {
    return !static_cast<bool>(equal(from[i - 1], from[i]));
  }
};

/// Chooses the elements of an array by an array of flags.
template <class Count, class From, class Flags>
struct FromFlagged {
  static constexpr int arrays         = 2;
  static constexpr bool sees_previous = false;

  From from;
  Flags flags;

  template <int k>
  KOKKOSSCAN_FUNCTION auto const& array_at() const {
    if constexpr (k == 0)
      return from;
    else
      return flags;
  }
  template <class Element, class Flag>
  KOKKOSSCAN_FUNCTION Count make(Element const&, Flag const& flag) const {
    return static_cast<bool>(flag) ? Count{1} : Count{0};
  }
  KOKKOSSCAN_FUNCTION Count load(std::size_t i) const { return static_cast<bool>(flags[i]) ? Count{1} : Count{0}; }
};

/// Hands on each element that is chosen, and its place, to `out`; and if that takes the others, too, those with theirs.
/// Elements are chosen by the counts alone, so nobody looks at one twice.
template <class Count, class Out>
struct ToChosen {
  static constexpr Uses uses = {.before = true, .own = false, .through = true};

  Out out;

  KOKKOSSCAN_FUNCTION void store(std::size_t i, Count const& before, Count const&, Count const& through) const {
    std::size_t const place = static_cast<std::size_t>(before);
    if (through != before)
      out(i, place);
    else if constexpr (requires { out.others(i, place); })
      out.others(i, i - place);
  }
};

/// An array that may be too short: nothing is written past its end.
template <class Array>
struct Bounded {
  Array array;
  std::size_t extent;

  template <class T>
  KOKKOSSCAN_FUNCTION void put(std::size_t place, T const& value) const {
    if (place < extent) core::put(array[place], static_cast<ElementOf<Array>>(value));
  }
};

/// Copies what is chosen of the source's first array, `from`. An engine that has its elements may do so without
/// store().
template <class Count, class From, class Dest>
struct ToCompacted {
  using Compacted = Dest;

  static constexpr Uses uses = {.before = true, .own = false, .through = true};

  From from;
  Bounded<Dest> dest;

  KOKKOSSCAN_FUNCTION void store(std::size_t i, Count const& before, Count const&, Count const& through) const {
    if (through != before) dest.put(static_cast<std::size_t>(before), from[i]);
  }
};

/// Copies what is chosen, and the others elsewhere.
template <class From, class Chosen, class Rest>
struct CopyBoth {
  From from;
  Bounded<Chosen> chosen;
  Bounded<Rest> rest;

  KOKKOSSCAN_FUNCTION void operator()(std::size_t i, std::size_t place) const { chosen.put(place, from[i]); }
  KOKKOSSCAN_FUNCTION void others(std::size_t i, std::size_t place) const { rest.put(place, from[i]); }
};

/// Where in scratch, behind what a scan needs, elements stand for a while that go back to where they came from; and
/// behind those the count, and the length.
inline std::size_t begin_of_moved(Needs const& needs) { return round_up(needs.scratch, 128); }
template <class T>
std::size_t begin_of_count(Needs const& needs, std::size_t n) {
  return round_up(begin_of_moved(needs) + bytes_of(n, sizeof(T)), 128);
}
inline constexpr std::size_t most_bytes_of_integer = 8;
template <class T>
Needs with_elements_moved(Needs needs, std::size_t n) {
  needs.scratch = begin_of_count<T>(needs, n) + 2 * most_bytes_of_integer;
  return needs;
}

/// A length that is known.
struct KnownLength {
  std::size_t n;
  KOKKOSSCAN_FUNCTION std::size_t length() const { return n; }
};

/// Puts what was chosen of an array, and moved elsewhere, at its begin; and the others, which stand there from the far
/// end on, behind it.
template <class Array, class Count, class Length, bool of_others>
struct MoveBack {
  Array array;
  ElementOf<Array> const* moved;
  std::size_t most;  // elements that there may be
  Length length;     // how many there are
  Count const* count;

  KOKKOSSCAN_FUNCTION void operator()(std::size_t i) const {
    std::size_t const chosen = static_cast<std::size_t>(*count);
    if (i < chosen)
      core::put(array[i], moved[i]);
    else if (of_others && i < clamped(length.length(), most))
      core::put(array[i], moved[most - 1 - (i - chosen)]);
  }
};

/// Writes the indices of what is chosen.
template <class Indices>
struct WriteIndex {
  Bounded<Indices> indices;

  KOKKOSSCAN_FUNCTION void operator()(std::size_t i, std::size_t place) const { indices.put(place, i); }
};

/// Writes the indices of what is chosen, and behind them how many elements there are.
template <class Count, class Indices>
struct ToOffsets {
  static constexpr Uses uses = {.before = true, .own = false, .through = true};

  Bounded<Indices> offsets;
  std::size_t end;

  KOKKOSSCAN_FUNCTION void store(std::size_t i, Count const& before, Count const&, Count const& through) const {
    if (through != before) offsets.put(static_cast<std::size_t>(before), i);
    if (i + 1 == end) offsets.put(static_cast<std::size_t>(through), end);
  }
  KOKKOSSCAN_FUNCTION void store_nothing() const { offsets.put(0, std::size_t{0}); }
};

}  // namespace KokkosScan::core
