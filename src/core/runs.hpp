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
template <class T, class Count, class Keys, class From, class Equal>
struct FromCountedRuns {
  static constexpr bool of_ones       = std::is_same_v<From, Ones>;
  static constexpr int arrays         = of_ones ? 1 : 2;
  static constexpr bool sees_previous = true;

  Keys keys;
  From from;
  Equal equal;

  template <int k>
  KOKKOSSCAN_FUNCTION auto const& array_at() const {
    if constexpr (k == 0)
      return keys;
    else
      return from;
  }
  template <class Key, class... Element>
  KOKKOSSCAN_FUNCTION Run<T, Count> make(bool is_first, Key const& previous, Key const& key,
                                         Element const&... element) const {
    bool const begins = is_first || !static_cast<bool>(equal(previous, key));
    if constexpr (of_ones)
      return {T{1}, begins ? Count{1} : Count{0}};
    else
      return {T(element...), begins ? Count{1} : Count{0}};
  }
  /// Whether a run begins with element i, or with one that has another before it; and the value of one.
  KOKKOSSCAN_FUNCTION bool begins(std::size_t i) const { return i == 0 || begins_behind(i); }
  KOKKOSSCAN_FUNCTION bool begins_behind(std::size_t i) const {
    return !static_cast<bool>(equal(keys[i - 1], keys[i]));
  }
  KOKKOSSCAN_FUNCTION T value([[maybe_unused]] std::size_t i) const {
    if constexpr (of_ones)
      return T{1};
    else
      return static_cast<T>(from[i]);
  }
  KOKKOSSCAN_FUNCTION Run<T, Count> load(std::size_t i) const {
    if constexpr (of_ones)
      return make(i == 0, keys[i > 0 ? i - 1 : 0], keys[i]);
    else
      return make(i == 0, keys[i > 0 ? i - 1 : 0], keys[i], from[i]);
  }
};

/// The first key and the result of each run. Where a run begins, the result of the one before stands before it.
template <class T, class Count, class Keys, class UniqueKeys, class Dest>
struct ToRuns {
  using Total = Count;

  static constexpr Uses uses = {.before = true, .own = false, .through = true};

  Keys keys;
  Bounded<UniqueKeys> unique_keys;
  Bounded<Dest> dest;
  std::size_t end;

  KOKKOSSCAN_FUNCTION void store(std::size_t i, Run<T, Count> const& before, Run<T, Count> const&,
                                 Run<T, Count> const& through) const {
    auto const last = static_cast<std::size_t>(through.count()) - 1;
    if (i == 0 || through.count() != before.count()) {
      unique_keys.put(last, keys[i]);
      if (i > 0) dest.put(last - 1, before.value());
    }
    if (i + 1 == end) dest.put(last, through.value());
  }
  KOKKOSSCAN_FUNCTION static Count total_of(Run<T, Count> const& through) { return through.count(); }
  KOKKOSSCAN_FUNCTION static Count total_of_nothing() { return Count{0}; }
};

}  // namespace KokkosScan::core
