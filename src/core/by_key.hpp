// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>

#include "arrays.hpp"
#include "problem.hpp"

// Scans by key: one for each run of equal neighbouring keys. What is scanned is a value and whether a run begins with
// it; a value that begins one takes the place of all that came before.
namespace KokkosScan::core {

/// A value, and whether a run begins with it. It is kept in words that lie side by side, the flag in one of its own: of
/// a hole behind a flag, or of a byte where others are left as they were, nvcc 13.0 makes instructions and registers
/// (docs/decisions/cuda-several-arrays.md).
template <class T>
class Keyed {
  using Word = std::conditional_t<(alignof(T) >= 4), std::uint32_t,
                                  std::conditional_t<alignof(T) == 2, std::uint16_t, std::uint8_t>>;

  struct Words {
    Word word[sizeof(T) / sizeof(Word)];
  };

 public:
  using Value = T;

  KOKKOSSCAN_FUNCTION Keyed(T const& value, bool begins)
      : value_(__builtin_bit_cast(Words, value)), begins_run_(begins) {}

  KOKKOSSCAN_FUNCTION bool begins_run() const { return begins_run_ != 0; }
  KOKKOSSCAN_FUNCTION T value() const { return __builtin_bit_cast(T, value_); }

 private:
  Words value_;
  Word begins_run_;
};

/// The equality of keys, unless a call names another.
struct EqualTo {
  template <class T>
  KOKKOSSCAN_FUNCTION constexpr bool operator()(T const& left, T const& right) const {
    return left == right;
  }
};

/// op within a run. It is never called across the ends of one.
template <class T, class Op>
struct WithinRuns {
  Op op;

  KOKKOSSCAN_FUNCTION Keyed<T> operator()(Keyed<T> const& left, Keyed<T> const& right) const {
    if (right.begins_run()) return right;
    return {static_cast<T>(op(left.value(), right.value())), left.begins_run()};
  }
};

/// Of a scan that has none.
struct NoInit {};
template <class Value>
KOKKOSSCAN_FUNCTION Maybe<Value> value_of_start(NoInit) {
  return {};
}

/// A value, which begins a run or goes on with one. What stands before the first of a run, if anything does, is in it.
template <class T, class Element, class Op, class Init>
KOKKOSSCAN_FUNCTION Keyed<T> begin_or_go_on(bool begins, Element const& element, Op const& op, Init const& init) {
  T const value = static_cast<T>(element);
  if constexpr (!std::is_same_v<Init, NoInit>)
    if (begins) return {static_cast<T>(op(*value_of_start<T>(init), value)), begins};
  return {value, begins};
}

/// What is combined through an element behind what is before it: the same, but op is called once where a value that
/// begins a run and one that goes on would each have it called.
template <class T, class Element, class Op, class Start>
KOKKOSSCAN_FUNCTION Keyed<T> behind_element(Keyed<T> const& before, bool begins, Element const& element, Op const& op,
                                            Start const& start) {
  T const value = static_cast<T>(element);
  if constexpr (std::is_same_v<Start, NoInit>) {
    if (begins) return {value, begins};
    return {static_cast<T>(op(before.value(), value)), before.begins_run()};
  } else {
    T const left = begins ? *value_of_start<T>(start) : before.value();
    return {static_cast<T>(op(left, value)), begins || before.begins_run()};
  }
}

/// Whether a run begins with the first element of all: it does, unless what is scanned goes on elsewhere, as an array
/// does that ranks share.
struct FirstBeginsRun {
  static constexpr bool begins_run = true;
};
struct FirstMayGoOn {
  bool begins_run;
};

/// The values of an array, and of each whether its key differs from the one before. An exclusive scan has an init,
/// which stands before the first value of each run.
template <class T, class Keys, class From, class Op, class Equal, class Init, class First = FirstBeginsRun>
struct FromKeyedArray {
  static constexpr int arrays         = 2;
  static constexpr bool sees_previous = true;

  Keys keys;
  From from;
  Op op;
  Equal equal;
  First first;
  Init init;

  template <int k>
  KOKKOSSCAN_FUNCTION auto const& array_at() const {
    if constexpr (k == 0)
      return keys;
    else
      return from;
  }

  template <class Key, class Element>
  KOKKOSSCAN_FUNCTION Keyed<T> make(bool is_first, Key const& previous, Key const& key, Element const& element) const {
    return begin_or_go_on<T>(is_first ? first.begins_run : !equal(previous, key), element, op, init);
  }
  KOKKOSSCAN_FUNCTION Keyed<T> load(std::size_t i) const {
    return make(i == 0, keys[i > 0 ? i - 1 : 0], keys[i], from[i]);
  }
  KOKKOSSCAN_FUNCTION void skip(std::size_t count) {
    keys.skip(count);
    from.skip(count);
  }
};

/// The results of inclusive scans by key into an array.
template <class T, class Array_>
struct ToArrayByKey {
  using Array  = Array_;
  using Stored = ElementOf<Array>;

  static constexpr Uses uses = {.before = false, .own = false, .through = true};

  Array array;

  KOKKOSSCAN_FUNCTION Stored result(Keyed<T> const&, Keyed<T> const&, Keyed<T> const& through) const {
    return static_cast<Stored>(through.value());
  }
  KOKKOSSCAN_FUNCTION void store(std::size_t i, Keyed<T> const& before, Keyed<T> const& own,
                                 Keyed<T> const& through) const {
    ::new (static_cast<void*>(&array[i])) Stored(result(before, own, through));
  }
  KOKKOSSCAN_FUNCTION void skip(std::size_t count) { array.skip(count); }
};

/// Those of exclusive scans: init at the begin of each run.
template <class T, class Array_, class Init>
struct ToArrayByKeyBehindInit {
  using Array  = Array_;
  using Stored = ElementOf<Array>;

  static constexpr Uses uses = {.before = true, .own = true, .through = false};

  Array array;
  Init init;

  KOKKOSSCAN_FUNCTION Stored result(Keyed<T> const& before, Keyed<T> const& own, Keyed<T> const&) const {
    return static_cast<Stored>(own.begins_run() ? *value_of_start<T>(init) : before.value());
  }
  KOKKOSSCAN_FUNCTION void store(std::size_t i, Keyed<T> const& before, Keyed<T> const& own,
                                 Keyed<T> const& through) const {
    ::new (static_cast<void*>(&array[i])) Stored(result(before, own, through));
  }
  KOKKOSSCAN_FUNCTION void skip(std::size_t count) { array.skip(count); }
};

}  // namespace KokkosScan::core
