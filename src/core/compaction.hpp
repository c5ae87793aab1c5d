// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

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

/// Values that count: one for each element that is chosen. What stands behind several elements follows from how many of
/// them are chosen.
template <class Count>
struct CountsChosen {
  static constexpr bool of_marks_alone = true;
  static constexpr int kept_arrays     = 1;

  template <class... Elements>
  KOKKOSSCAN_FUNCTION static Count value(bool chosen, Elements const&...) {
    return chosen ? Count{1} : Count{0};
  }
  template <class... Elements>
  KOKKOSSCAN_FUNCTION static Count advance(Count before, bool chosen, Elements const&...) {
    return static_cast<Count>(before + value(chosen));
  }
  KOKKOSSCAN_FUNCTION static Count behind_nothing() { return Count{0}; }
  KOKKOSSCAN_FUNCTION static Count behind_marks(Count before, int marked, int) {
    return static_cast<Count>(before + static_cast<Count>(marked));
  }
};

/// Whether neighbours are compared alike wherever that is compiled: as numbers are.
template <class Equal, class Array>
inline constexpr bool compares_alike = std::is_same_v<Equal, EqualTo> && std::is_arithmetic_v<ElementOf<Array>>;

/// Chooses the elements of an array by a function.
template <class Count, class From, class Choose>
struct FromChosen : CountsChosen<Count> {
  static constexpr int arrays         = 1;
  static constexpr bool sees_previous = false;
  static constexpr bool marks_alike   = false;

  From from;
  Choose choose;

  FromChosen() = default;
  KOKKOSSCAN_FUNCTION FromChosen(From const& elements, Choose const& by) : from(elements), choose(by) {}

  template <int>
  KOKKOSSCAN_FUNCTION From const& array_at() const {
    return from;
  }
  template <class Element>
  KOKKOSSCAN_FUNCTION bool mark(Element const& element) const {
    return choose(element);
  }
  template <class Element>
  KOKKOSSCAN_FUNCTION Count make(Element const& element) const {
    return this->value(mark(element));
  }
  KOKKOSSCAN_FUNCTION bool is_marked(std::size_t i) const { return mark(from[i]); }
  KOKKOSSCAN_FUNCTION Count load(std::size_t i) const { return make(from[i]); }
};

/// Chooses the elements of an array by an array of flags.
template <class Count, class From, class Flags>
struct FromFlagged : CountsChosen<Count> {
  static constexpr int arrays         = 2;
  static constexpr bool sees_previous = false;
  static constexpr bool marks_alike   = true;

  From from;
  Flags flags;

  FromFlagged() = default;
  KOKKOSSCAN_FUNCTION FromFlagged(From const& elements, Flags const& by) : from(elements), flags(by) {}

  template <int k>
  KOKKOSSCAN_FUNCTION auto const& array_at() const {
    if constexpr (k == 0)
      return from;
    else
      return flags;
  }
  template <class Element, class Flag>
  KOKKOSSCAN_FUNCTION bool mark(Element const&, Flag const& flag) const {
    return static_cast<bool>(flag);
  }
  template <class Element, class Flag>
  KOKKOSSCAN_FUNCTION Count make(Element const& element, Flag const& flag) const {
    return this->value(mark(element, flag));
  }
  KOKKOSSCAN_FUNCTION bool is_marked(std::size_t i) const { return static_cast<bool>(flags[i]); }
  KOKKOSSCAN_FUNCTION Count load(std::size_t i) const { return this->value(is_marked(i)); }
};

/// Chooses the elements of an array that differ from the one before, and the first.
template <class Count, class From, class Equal>
struct FromChanges : CountsChosen<Count> {
  static constexpr int arrays         = 1;
  static constexpr bool sees_previous = true;
  static constexpr bool marks_alike   = compares_alike<Equal, From>;

  From from;
  Equal equal;

  FromChanges() = default;
  KOKKOSSCAN_FUNCTION FromChanges(From const& elements, Equal const& by) : from(elements), equal(by) {}

  template <int>
  KOKKOSSCAN_FUNCTION From const& array_at() const {
    return from;
  }
  template <class Element>
  KOKKOSSCAN_FUNCTION bool mark(bool is_first, Element const& previous, Element const& element) const {
    return is_first || !static_cast<bool>(equal(previous, element));
  }
  template <class Element>
  KOKKOSSCAN_FUNCTION Count make(bool is_first, Element const& previous, Element const& element) const {
    return this->value(mark(is_first, previous, element));
  }
  KOKKOSSCAN_FUNCTION bool is_marked(std::size_t i) const { return i == 0 || is_marked_behind(i); }
  KOKKOSSCAN_FUNCTION bool is_marked_behind(std::size_t i) const {
    return !static_cast<bool>(equal(from[i - 1], from[i]));
  }
  KOKKOSSCAN_FUNCTION Count load(std::size_t i) const { return this->value(is_marked(i)); }
};

/// The user's two halves of handing on an element: what is loaded of it, and where that is stored. Several may be
/// loaded before the first is stored.
template <class Load, class Store>
struct LoadThenStore {
  Load load;
  Store store;

  KOKKOSSCAN_FUNCTION void operator()(std::size_t i, std::size_t place) const {
    auto const loaded = load(i);
    store(place, loaded);
  }
};

/// Hands on each element that is chosen, and its place, to `out`. Elements are chosen by the counts alone, so nobody
/// looks at one twice.
template <class Count, class Out>
struct ToChosen {
  static constexpr Uses uses            = {.before = true, .own = false, .through = true};
  static constexpr bool of_chosen_alone = true;

  Out out;

  KOKKOSSCAN_FUNCTION void store(std::size_t i, Count const& before, Count const&, Count const& through) const {
    if (through != before) out(i, static_cast<std::size_t>(before));
  }
};

/// Whether a sink hands on what is chosen by the user's two halves.
template <class Sink>
inline constexpr bool hands_on_loaded = false;
template <class Count, class Load, class Store>
inline constexpr bool hands_on_loaded<ToChosen<Count, LoadThenStore<Load, Store>>> = true;

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

/// Copies what is chosen of the source's first array, `from`.
template <class Count, class From, class Dest>
struct ToCompacted {
  static constexpr Uses uses            = {.before = true, .own = false, .through = true};
  static constexpr bool of_chosen_alone = true;
  static constexpr int streams          = 1;
  static constexpr bool share_streams   = false;

  From from;
  Bounded<Dest> dest;

  template <int>
  KOKKOSSCAN_FUNCTION Bounded<Dest> const& stream() const {
    return dest;
  }
  template <int>
  KOKKOSSCAN_FUNCTION static Count begin(Count const& before, std::size_t) {
    return before;
  }
  template <class Put, class Element>
  KOKKOSSCAN_FUNCTION static void emit(Put const& put, std::size_t, bool chosen, Count const& before,
                                       Element const& element) {
    if (chosen) put.template put<0>(before, element);
  }
  KOKKOSSCAN_FUNCTION void store(std::size_t i, Count const& before, Count const&, Count const& through) const {
    if (through != before) dest.put(static_cast<std::size_t>(before), from[i]);
  }
};

/// Copies what is chosen of the source's first array, and the others elsewhere.
template <class Count, class From, class Chosen, class Rest>
struct ToParted {
  static constexpr Uses uses            = {.before = true, .own = false, .through = true};
  static constexpr bool of_chosen_alone = false;
  static constexpr int streams          = 2;
  static constexpr bool share_streams   = true;  // each element goes to one of them

  From from;
  Bounded<Chosen> chosen;
  Bounded<Rest> rest;

  template <int k>
  KOKKOSSCAN_FUNCTION auto const& stream() const {
    if constexpr (k == 0)
      return chosen;
    else
      return rest;
  }
  template <int k>
  KOKKOSSCAN_FUNCTION static Count begin(Count const& before, std::size_t i) {
    return k == 0 ? before : static_cast<Count>(static_cast<Count>(i) - before);
  }
  template <class Put, class Element>
  KOKKOSSCAN_FUNCTION static void emit(Put const& put, std::size_t i, bool is_chosen, Count const& before,
                                       Element const& element) {
    if (is_chosen)
      put.template put<0>(before, element);
    else
      put.template put<1>(begin<1>(before, i), element);
  }
  KOKKOSSCAN_FUNCTION void store(std::size_t i, Count const& before, Count const&, Count const& through) const {
    emit(PutInStreams<ToParted>{*this}, i, through != before, before, from[i]);
  }
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
  static constexpr Uses uses            = {.before = true, .own = false, .through = true};
  static constexpr bool of_chosen_alone = false;

  Bounded<Indices> offsets;
  std::size_t end;

  KOKKOSSCAN_FUNCTION void store(std::size_t i, Count const& before, Count const&, Count const& through) const {
    if (through != before) offsets.put(static_cast<std::size_t>(before), i);
    if (i + 1 == end) offsets.put(static_cast<std::size_t>(through), end);
  }
  KOKKOSSCAN_FUNCTION void store_nothing() const { offsets.put(0, std::size_t{0}); }
};

/// Whether the values of a problem are whether an element is chosen. Sinks of such say whether they look at what is
/// chosen alone.
template <class Problem>
concept OfChosen = requires { Problem::Sink::of_chosen_alone; };

/// Whether a source of such a problem chooses element i.
template <class Source>
KOKKOSSCAN_FUNCTION bool is_marked(Source const& source, std::size_t i) {
  if constexpr (requires { source.is_marked(i); })
    return source.is_marked(i);
  else
    return static_cast<bool>(source.load(i));
}

}  // namespace KokkosScan::core
