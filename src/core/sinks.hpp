// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <new>

#include "arrays.hpp"

// What becomes of a scan. Every sink has
//
//   uses      which of the values at element i it looks at: what stands before it, its own, and both combined
//   store(i, before, own, through)
//             called once for each i. What it does not look at may be any value; before the first element, where
//             nothing stands before it, `before` may be any, too
//
// One that goes from the far end has skip(count), as its source has. One that fills an array says so, and an engine may
// then keep results until it can store many at once:
//
//   array     where the results go
//   result(before, own, through)
//             what is stored there
//
// One that makes what stands behind an element of what stands before it has
//
//   initial()            what stands before the first element
//   advance(i, running)  store(), `running` being what stands before i and then what stands behind it
//
// One that emits some of a source's elements, or what is made of them, each kind one behind the other, has streams of
// them, and an engine may keep what is emitted until it can store many at once (compaction.hpp):
//
//   streams, stream<k>()           how many, and the array of each
//   begin<k>(before, i)            the place there of what is emitted from element i on
//   emit(put, i, mark, before, e...)
//                                  calls put.put<k>(place, value) for what element i emits
//   emit_end(put, through)         the same behind the last element, if it has that
//   share_streams                  whether each element is emitted once, to one of them
//
// One whose total is of another type than the values has
//
//   Total, total_of(through), total_of_nothing()
//
// One that must know which element is the last has `end`, the number of elements, which whoever learns it later sets;
// and one that stores something even where there is no element, though a total was asked for, has store_nothing().
namespace KokkosScan::core {

struct Uses {
  bool before, own, through;
};

enum class Kind : bool { inclusive, exclusive };

/// The results of an inclusive or an exclusive scan into an array.
template <Kind kind_, class Value, class Array_>
struct ToArray {
  using Array  = Array_;
  using Stored = ElementOf<Array>;

  static constexpr Kind kind = kind_;
  static constexpr Uses uses = {kind == Kind::exclusive, false, kind == Kind::inclusive};

  Array array;

  KOKKOSSCAN_FUNCTION static Stored result(Value const& before, Value const&, Value const& through) {
    return static_cast<Stored>(kind == Kind::exclusive ? before : through);
  }
  /// What is there, a value or none, is not read.
  KOKKOSSCAN_FUNCTION void store(std::size_t i, Value const& before, Value const& own, Value const& through) const {
    ::new (static_cast<void*>(&array[i])) Stored(result(before, own, through));
  }
  KOKKOSSCAN_FUNCTION void skip(std::size_t count) { array.skip(count); }
};

/// The results of an inclusive or an exclusive scan, each handed to a function.
template <Kind kind, class Value, class Function>
struct ToFunction {
  static constexpr Uses uses = {kind == Kind::exclusive, false, kind == Kind::inclusive};

  Function function;

  KOKKOSSCAN_FUNCTION void store(std::size_t i, Value const& before, Value const&, Value const& through) const {
    function(i, kind == Kind::exclusive ? before : through);
  }
  KOKKOSSCAN_FUNCTION void skip(std::size_t count) { function.skip(count); }
};

/// Nothing is stored: of such a scan the total is wanted alone. It looks at what is combined through an element, so
/// that engines which know no better scan as usual.
template <class Value>
struct Discard {
  static constexpr Uses uses = {false, false, true};

  KOKKOSSCAN_FUNCTION void store(std::size_t, Value const&, Value const&, Value const&) const {}
  KOKKOSSCAN_FUNCTION void skip(std::size_t) {}
};
template <class Sink>
inline constexpr bool stores_nothing = false;
template <class Value>
inline constexpr bool stores_nothing<Discard<Value>> = true;

/// What a sink emits, put where it goes.
template <class Sink>
struct PutInStreams {
  Sink const& sink;

  template <int stream, class Place, class T>
  KOKKOSSCAN_FUNCTION void put(Place place, T const& value) const {
    sink.template stream<stream>().put(static_cast<std::size_t>(place), value);
  }
};

template <class Sink>
inline constexpr bool advances = requires(Sink const& sink) { sink.initial(); };

/// Whether a sink looks at one value alone: what stands before an element, or what is combined through it.
template <class Sink>
inline constexpr bool takes_one = !Sink::uses.own && Sink::uses.before != Sink::uses.through;

/// The kind of scan whose results a sink takes that looks at one value alone.
template <class Sink>
  requires takes_one<Sink>
inline constexpr Kind kind_of = Sink::uses.before ? Kind::exclusive : Kind::inclusive;

}  // namespace KokkosScan::core
