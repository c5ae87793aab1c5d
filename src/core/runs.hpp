// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "compaction.hpp"

// Reductions of runs of equal neighbouring keys. What is scanned is a value and how many runs have begun; the first
// element of a run finds before it the result of the run before, and its place.
namespace KokkosScan::core {

/// What is combined of a run so far, and how many runs have begun since what stands before. Kept as Keyed is.
template <class T, class Count>
class Run {
  using Word = std::conditional_t<(alignof(T) >= 4), std::uint32_t,
                                  std::conditional_t<alignof(T) == 2, std::uint16_t, std::uint8_t>>;

  template <class Part>
  struct Words {
    Word word[(sizeof(Part) + sizeof(Word) - 1) / sizeof(Word)];
  };
  /// A count may be narrower than a word.
  using Held = std::conditional_t<(sizeof(Count) < sizeof(Word)), Word, Count>;

 public:
  KOKKOSSCAN_FUNCTION Run(T const& value, Count count)
      : value_(__builtin_bit_cast(Words<T>, value)),
        count_(__builtin_bit_cast(Words<Held>, static_cast<Held>(count))) {}

  KOKKOSSCAN_FUNCTION T value() const { return __builtin_bit_cast(T, value_); }
  KOKKOSSCAN_FUNCTION Count count() const { return static_cast<Count>(__builtin_bit_cast(Held, count_)); }

 private:
  Words<T> value_;
  Words<Held> count_;
};

/// op within a run. It is never called across the ends of one.
template <class T, class Count, class Op>
struct WithinCountedRuns {
  Op op;

  KOKKOSSCAN_FUNCTION Run<T, Count> operator()(Run<T, Count> const& left, Run<T, Count> const& right) const {
    Count const count = static_cast<Count>(left.count() + right.count());
    if (right.count() != Count{0}) return {right.value(), count};
    return {static_cast<T>(op(left.value(), right.value())), count};
  }
};

/// A value for each element, of which there is no array: its length.
struct Ones {};

/// The values of an array in runs of keys, or a one for each key.
template <class T, class Count, class Keys, class From, class Op, class Equal>
struct FromCountedRuns {
  using Value = Run<T, Count>;

  static constexpr bool of_ones        = std::is_same_v<From, Ones>;
  static constexpr bool of_marks_alone = of_ones;
  static constexpr int arrays          = of_ones ? 1 : 2;
  static constexpr int kept_arrays     = arrays;
  static constexpr bool sees_previous  = true;
  static constexpr bool marks_alike    = compares_alike<Equal, Keys>;

  Keys keys;
  From from;
  Op op;
  Equal equal;

  template <int k>
  KOKKOSSCAN_FUNCTION auto const& array_at() const {
    if constexpr (k == 0)
      return keys;
    else
      return from;
  }
  template <class Key, class... Element>
  KOKKOSSCAN_FUNCTION bool mark(bool is_first, Key const& previous, Key const& key, Element const&...) const {
    return is_first || !static_cast<bool>(equal(previous, key));
  }
  template <class Key, class... Element>
  KOKKOSSCAN_FUNCTION static Value value(bool begins, Key const&, Element const&... element) {
    if constexpr (of_ones)
      return {T{1}, begins ? Count{1} : Count{0}};
    else
      return {T(element...), begins ? Count{1} : Count{0}};
  }
  template <class Key, class... Element>
  KOKKOSSCAN_FUNCTION Value advance(Value const& before, bool begins, Key const&, Element const&... element) const {
    Count const count = static_cast<Count>(before.count() + (begins ? Count{1} : Count{0}));
    if constexpr (of_ones)
      return {static_cast<T>(begins ? T{1} : before.value() + T{1}), count};
    else
      return {begins ? T(element...) : static_cast<T>(op(before.value(), T(element...))), count};
  }
  /// Of ones: what stands behind some elements, `since` being how many from the last that begins a run on, or else all.
  KOKKOSSCAN_FUNCTION static Value behind_nothing() { return {T{0}, Count{0}}; }
  KOKKOSSCAN_FUNCTION static Value behind_marks(Value const& before, int marked, int since) {
    T const length = static_cast<T>(since);
    return {static_cast<T>(marked > 0 ? length : before.value() + length),
            static_cast<Count>(before.count() + static_cast<Count>(marked))};
  }
  template <class Key, class... Element>
  KOKKOSSCAN_FUNCTION Value make(bool is_first, Key const& previous, Key const& key, Element const&... element) const {
    return value(mark(is_first, previous, key), key, element...);
  }

  KOKKOSSCAN_FUNCTION bool is_marked(std::size_t i) const { return i == 0 || is_marked_behind(i); }
  KOKKOSSCAN_FUNCTION bool is_marked_behind(std::size_t i) const {
    return !static_cast<bool>(equal(keys[i - 1], keys[i]));
  }
  KOKKOSSCAN_FUNCTION T element([[maybe_unused]] std::size_t i) const {
    if constexpr (of_ones)
      return T{1};
    else
      return static_cast<T>(from[i]);
  }
  KOKKOSSCAN_FUNCTION Value load(std::size_t i) const { return {element(i), is_marked(i) ? Count{1} : Count{0}}; }
};

/// The first key and the result of each run. Where a run begins, the result of the one before stands before it.
template <class T, class Count, class Keys, class UniqueKeys, class Dest>
struct ToRuns {
  using Value = Run<T, Count>;
  using Total = Count;

  static constexpr Uses uses          = {.before = true, .own = false, .through = true};
  static constexpr int streams        = 2;
  static constexpr bool share_streams = false;

  Keys keys;
  Bounded<UniqueKeys> unique_keys;
  Bounded<Dest> dest;
  std::size_t end;

  template <int k>
  KOKKOSSCAN_FUNCTION auto const& stream() const {
    if constexpr (k == 0)
      return unique_keys;
    else
      return dest;
  }
  /// The run that goes on has no result yet.
  template <int k>
  KOKKOSSCAN_FUNCTION static Count begin(Value const& before, std::size_t) {
    return k == 1 && before.count() > Count{0} ? static_cast<Count>(before.count() - Count{1}) : before.count();
  }
  template <class Put, class Key, class... Element>
  KOKKOSSCAN_FUNCTION static void emit(Put const& put, std::size_t i, bool begins, Value const& before, Key const& key,
                                       Element const&...) {
    if (!begins) return;
    put.template put<0>(i == 0 ? Count{0} : before.count(), key);
    if (i > 0) put.template put<1>(begin<1>(before, i), before.value());
  }
  /// Behind the last element the last run ends.
  template <class Put>
  KOKKOSSCAN_FUNCTION static void emit_end(Put const& put, Value const& through) {
    put.template put<1>(begin<1>(through, 0), through.value());
  }
  KOKKOSSCAN_FUNCTION void store(std::size_t i, Value const& before, Value const&, Value const& through) const {
    PutInStreams<ToRuns> const put{*this};
    emit(put, i, i == 0 || through.count() != before.count(), before, keys[i]);
    if (i + 1 == end) emit_end(put, through);
  }
  KOKKOSSCAN_FUNCTION static Count total_of(Value const& through) { return through.count(); }
  KOKKOSSCAN_FUNCTION static Count total_of_nothing() { return Count{0}; }
};

}  // namespace KokkosScan::core
