// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <type_traits>

#include "maybe.hpp"
#include "operators.hpp"
#include "sinks.hpp"
#include "sources.hpp"
#include "tiles.hpp"

namespace KokkosScan::core {

/// A start that stands in memory and is read by whoever scans: it may be the total of a scan that is still to come.
template <class T>
struct StoredStart {
  T const* address;
};

template <class Value>
KOKKOSSCAN_FUNCTION Maybe<Value> const& value_of_start(Maybe<Value> const& start) {
  return start;
}
template <class Value, class T>
KOKKOSSCAN_FUNCTION Maybe<Value> value_of_start(StoredStart<T> const& start) {
  return static_cast<Value>(*start.address);
}

/// What the total of a scan is: a value, unless the sink names another type.
template <class Value, class Sink>
struct TotalOfSink {
  using type = Value;
};
template <class Value, class Sink>
  requires requires { typename Sink::Total; }
struct TotalOfSink<Value, Sink> {
  using type = typename Sink::Total;
};

/// A scan as every backend sees it: a source, an operator, a sink and what stands before the first element. Plain
/// pointers and parameters, no Kokkos.
template <class Value_, class Source_, class Op, class Sink_, class Start_ = Maybe<Value_>>
struct Problem {
  using Value    = Value_;  // the accumulator
  using Source   = Source_;
  using Operator = Op;
  using Sink     = Sink_;
  using Start    = Start_;
  using Total    = typename TotalOfSink<Value, Sink>::type;

  Source source;
  Sink sink;
  std::size_t n;
  Op op;
  Start before_all;
  Total* total;  // where the backend leaves the total; null when nobody asked

  /// What stands before the first element. By reference where it is a value: kernels have it among their parameters.
  KOKKOSSCAN_FUNCTION decltype(auto) start() const { return value_of_start<Value>(before_all); }

  KOKKOSSCAN_FUNCTION Value combine(Value const& left, Value const& right) const {
    return static_cast<Value>(op(left, right));
  }
  KOKKOSSCAN_FUNCTION Value combine(Maybe<Value> const& left, Value const& right) const {
    return left ? combine(*left, right) : right;
  }

  KOKKOSSCAN_FUNCTION void put_total(Value const& through) const {
    if (!total) return;
    if constexpr (std::is_same_v<Total, Value>)
      core::put(*total, through);
    else
      core::put(*total, Sink::total_of(through));
  }
};

/// A scan from an array into an array.
template <Kind kind, class Value, class From, class Dest, class Op, class Unary = Unchanged, class Start = Maybe<Value>>
using ArrayScan = Problem<Value, FromArray<Value, From, Unary>, Op, ToArray<kind, Value, Dest>, Start>;

/// The scan of the aggregates of a problem's tiles, in place.
template <class Problem>
auto scan_of_aggregates(Problem const& problem, typename Problem::Value* aggregates, Tiles tiles) {
  using Value  = typename Problem::Value;
  using Values = Contiguous<Value>;
  return ArrayScan<Kind::inclusive, Value, Values, Values, typename Problem::Operator, Unchanged,
                   typename Problem::Start>{{{aggregates}, {}}, {{aggregates}},     tiles.count(),
                                            problem.op,         problem.before_all, nullptr};
}

/// Whether the results of a tile without its prefix can be left where the tile's own will be: they are values still.
template <class Problem, class Sink = typename Problem::Sink>
inline constexpr bool holds_local_results = false;
template <class Problem, Kind kind, class Array>
inline constexpr bool holds_local_results<Problem, ToArray<kind, ElementOf<Array>, Array>> = true;

/// What the total of an empty scan is: what stands before it, or else the identity.
template <class Problem>
KOKKOSSCAN_FUNCTION typename Problem::Value empty_total(Problem const& problem) {
  using Value = typename Problem::Value;
  if constexpr (HasIdentity<typename Problem::Operator, Value>)
    return problem.start() ? *problem.start() : Problem::Operator::template identity<Value>();
  else
    return *problem.start();  // the API refuses an empty scan that has neither
}

/// Stores the result of element i, and asks for no more of before(), own() and through() than the sink looks at.
KOKKOSSCAN_MAY_CALL_HOST_FUNCTIONS
template <class Sink, class Before, class Own, class Through>
KOKKOSSCAN_FUNCTION void store(Sink const& sink, std::size_t i, Before const& before, Own const& own,
                               Through const& through) {
  constexpr Uses uses = Sink::uses;
  if constexpr (uses.before && uses.through) {
    sink.store(i, before(), own(), through());
  } else if constexpr (uses.before) {
    auto const& value = before();
    if constexpr (uses.own)
      sink.store(i, value, own(), value);
    else
      sink.store(i, value, value, value);
  } else {
    auto const& value = through();
    if constexpr (uses.own)
      sink.store(i, value, own(), value);
    else
      sink.store(i, value, value, value);
  }
}

}  // namespace KokkosScan::core
