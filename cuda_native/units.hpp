// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <type_traits>
#include "../src/core/operators.hpp"

#include "../src/core/problem.hpp"
#include "../src/core/tiles.hpp"
#include "values.hpp"

// What a thread makes of the values of a unit, one after the other: their aggregate, and their results.
namespace KokkosScan::cuda {

/// Takes the next value, and returns its result. `any`: whether `running` holds what stands before it.
template <class Problem, class Value = typename Problem::Value>
__device__ Uninitialized<Value> scan_value(Problem const& problem, bool any, Uninitialized<Value>& running,
                                           Value const& value) {
  Uninitialized<Value> result;
  if constexpr (core::kind_of<typename Problem::Sink> == core::Kind::exclusive) result = running;
  running.put(any ? problem.combine(running.value, value) : value);
  if constexpr (core::kind_of<typename Problem::Sink> == core::Kind::inclusive) result = running;
  return result;
}

/// Sums of bytes are made four at a time: one by one, they are what the pipeline waits for
/// (docs/decisions/cuda-bytes.md). They wrap around, so the bits are the same.
template <class Problem, class Value = typename Problem::Value>
inline constexpr bool adds_bytes = std::is_same_v<typename Problem::Operator, Sum> && std::is_integral_v<Value> &&
                                   sizeof(Value) == 1 && !std::is_same_v<Value, bool>;

/// What is combined through value v of a unit.
template <class Problem, class Values, class Value = typename Problem::Value>
__device__ Value combine_value(Problem const& problem, Value const& before, Values const& unit, int v) {
  if constexpr (requires { unit.advance(before, v); })
    return unit.advance(before, v);
  else
    return problem.combine(before, unit.get(v));
}

/// Combines `aggregate` with the values of a unit. `any`: whether it holds what stands before them. If it is not
/// `full`, only the first n are values.
template <bool full = true, class Problem, class Values, class Value = typename Problem::Value>
__device__ void fold_unit(Problem const& problem, bool any, Uninitialized<Value>& aggregate, Values const& unit,
                          [[maybe_unused]] int n = Values::count) {
  if constexpr (requires { unit.chosen(); }) {
    fold_chosen(problem, any, aggregate, unit, full ? Values::count : n);
  } else if constexpr (full && adds_bytes<Problem>) {
    constexpr int ones = 0x01010101;
    int sum            = any ? static_cast<int>(aggregate.value) : 0;
#pragma unroll
    for (int w = 0; w < unit.words; ++w) sum = __dp4a(static_cast<int>(unit.word(w)), ones, sum);
    aggregate.put(static_cast<Value>(sum));
  } else {
#pragma unroll
    for (int v = 0; v < unit.count; ++v)
      if (full || v < n) aggregate.put(any || v > 0 ? combine_value(problem, aggregate.value, unit, v) : unit.get(v));
  }
}

/// Puts results in place of the values of a unit; `any`, `full` and n as above.
template <bool full = true, class Problem, class Value = typename Problem::Value>
__device__ void scan_unit(Problem const& problem, bool any, Uninitialized<Value>& running, Unit<Value>& unit,
                          [[maybe_unused]] int n = Unit<Value>::count) {
  if constexpr (full && adds_bytes<Problem>) {
    // Two bytes to a word, in its halves, where sums of a few do not meet: the odd ones with all up to them, from
    // which the even ones follow.
    constexpr unsigned both = 0x00010001;
    unsigned before         = any ? static_cast<unsigned char>(running.value) * both : 0;
#pragma unroll
    for (int w = 0; w < unit.words; ++w) {
      unsigned const even    = unit.word(w) & 0x00ff00ff;
      unsigned const odd     = __byte_perm(unit.word(w), 0, 0x4341);
      unsigned const through = (even + odd) * both + before;
      if constexpr (core::kind_of<typename Problem::Sink> == core::Kind::inclusive)
        unit.put_word(w, __byte_perm(through - odd, through, 0x6240));
      else
        unit.put_word(w, __byte_perm(through - odd - even, through - odd, 0x6240));
      before = __byte_perm(through, 0, 0x4242);
    }
    running.put(static_cast<Value>(before));
  } else {
#pragma unroll
    for (int v = 0; v < unit.count; ++v)
      if (full || v < n) unit.put(v, scan_value(problem, any || v > 0, running, unit.get(v)).value);
  }
}

/// Stores the one value that a sink looks at.
template <class Problem, class Value = typename Problem::Value>
__device__ void store_value(Problem const& problem, std::size_t i, Value const& result) {
  problem.sink.store(i, result, result, result);
}

/// Takes the next value, element i, and stores its result, for a sink that looks at more than one value. `any`: as
/// above.
template <class Problem, class Value = typename Problem::Value>
__device__ void store_next(Problem const& problem, bool any, Uninitialized<Value>& running, Value const& own,
                           std::size_t i) {
  Value const before = any ? running.value : own;
  running.put(any ? problem.combine(before, own) : own);
  core::store(problem.sink, i, [&] { return before; }, [&] { return own; }, [&] { return running.value; });
}

/// The same for a unit whose first value is element i.
template <bool full = true, class Problem, class Values, class Value = typename Problem::Value>
__device__ void store_unit(Problem const& problem, bool any, Uninitialized<Value>& running, Values const& unit,
                           std::size_t i, [[maybe_unused]] int n = Values::count) {
#pragma unroll
  for (int v = 0; v < unit.count; ++v)
    if (full || v < n) store_next(problem, any || v > 0, running, unit.get(v), i + static_cast<std::size_t>(v));
}

/// Takes the next value, and returns what a sink that fills an array stores of it. `any`: as above.
template <class Problem, class Value = typename Problem::Value>
__device__ auto next_result(Problem const& problem, bool any, Uninitialized<Value>& running, Value const& own) {
  Value const before = any ? running.value : own;
  running.put(any ? problem.combine(before, own) : own);
  return problem.sink.result(before, own, running.value);
}

/// The same for a unit; its values may be lost.
template <class ResultUnit, class Problem, class Values, class Value = typename Problem::Value>
__device__ ResultUnit next_results(Problem const& problem, bool any, Uninitialized<Value>& running, Values&& unit) {
  if constexpr (std::is_same_v<ResultUnit, Unit<Value>> && core::takes_one<typename Problem::Sink>) {
    scan_unit(problem, any, running, unit);
    return unit;
  } else {
    ResultUnit results;
#pragma unroll
    for (int v = 0; v < unit.count; ++v) {
      Value const own    = unit.get(v);
      Value const before = any || v > 0 ? running.value : own;
      running.put(any || v > 0 ? combine_value(problem, before, unit, v) : own);
      results.put(v, problem.sink.result(before, own, running.value));
    }
    return results;
  }
}

}  // namespace KokkosScan::cuda
