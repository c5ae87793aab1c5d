// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

#include "../src/core/problem.hpp"
#include "values.hpp"
#include "warp.hpp"

// What the threads of one block scan together within a kernel of somebody else's: they are there already, in any
// number. Each warp scans what its lanes bring, in registers; what several warps bring goes through a slot for each, in
// shared memory.
namespace KokkosScan::cuda {

/// A thread of the block, as it counts those who bring a value: some neighbouring lanes, a power of two, may stand for
/// one of them, and all of them then hold the same.
struct TeamThread {
  int index;  // of the thread in the block
  int count;  // of the block's threads
  int lanes = 1;

  __device__ int lane() const { return index % warp_size; }
  __device__ int warp() const { return index / warp_size; }
  __device__ int warps() const { return (count + warp_size - 1) / warp_size; }
  /// The threads of its warp; the last one may have fewer.
  __device__ int in_warp() const {
    int const rest = count - warp() * warp_size;
    return rest < warp_size ? rest : warp_size;
  }
};

/// What that lane holds. All lanes of the calling thread's warp call it.
template <class Value>
__device__ Uninitialized<Value> shuffle(TeamThread const& thread, Uninitialized<Value> const& own, int source) {
  unsigned const mask = all_lanes >> (warp_size - thread.in_warp());
  Words<Value> words(own);
#pragma unroll
  for (int w = 0; w < words.count; ++w) words.word[w] = __shfl_sync(mask, words.word[w], source);
  Uninitialized<Value> result;
  words.put(result);
  return result;
}

/// In each of the first n lanes of a warp its value combined with all before it: those of lower lanes, or of higher
/// ones.
template <bool reversed = false, class Value, class Combine>
__device__ Uninitialized<Value> scan_warp(TeamThread const& thread, Uninitialized<Value> own, int n,
                                          Combine const& combine) {
#pragma unroll
  for (int delta = 1; delta < warp_size; delta *= 2) {
    if (delta < thread.lanes) continue;
    int const from    = reversed ? thread.lane() + delta : thread.lane() - delta;
    bool const is_in  = from >= 0 && from < n;
    auto const before = shuffle(thread, own, is_in ? from : thread.lane());
    if (is_in && thread.lane() < n) own.put(combine(before.value, own.value));
  }
  return own;
}

/// What stands before a warp's values, and behind those of all warps: the running prefix, with which `before` begins,
/// combined with the aggregates in the slots, one warp after the other.
template <bool reversed = false, class Value, class Slots, class Combine>
__device__ void find_prefixes(TeamThread const& thread, int warps, Slots const& slots, Combine const& combine,
                              core::Maybe<Value>& before, core::Maybe<Value>& running) {
  for (int k = 0; k < warps; ++k) {
    int const w = reversed ? warps - 1 - k : k;
    if (w == thread.warp() && running) before.put(*running);
    Value const aggregate = slots.load(w);
    running.put(running ? combine(*running, aggregate) : aggregate);
  }
}

/// Scans a problem by all threads of the block, which all call it. What it stored all of them can read when it returns.
/// Slots, if there are several warps, are for a value of each: load(w), store(w, value).
template <class Problem, class Slots>
__device__ void scan_by_team(TeamThread const& thread, Problem const& problem, Slots const& slots) {
  using Value = typename Problem::Value;
  // So many values of a thread are on their way at once, for memory takes longer to come than to scan.
  constexpr int items  = sizeof(Value) > 16 ? 1 : sizeof(Value) > 8 ? 2 : 4;
  auto const combine   = [&](Value const& left, Value const& right) { return problem.combine(left, right); };
  auto const count     = static_cast<std::size_t>(thread.count);
  bool const has_slots = thread.warps() > 1;

  core::Maybe<Value> running = problem.start();
  for (std::size_t first = 0; first < problem.n; first += items * count) {
    std::size_t const own_first = first + static_cast<std::size_t>(thread.index);
    Uninitialized<Value> own[items];
#pragma unroll
    for (int k = 0; k < items; ++k)
      if (own_first + k * count < problem.n) own[k].put(problem.source.load(own_first + k * count));

#pragma unroll
    for (int k = 0; k < items; ++k) {
      std::size_t const begin = first + k * count, i = own_first + k * count;
      if (begin >= problem.n) break;
      int const n      = static_cast<int>(problem.n - begin < count ? problem.n - begin : count);
      int const here   = n - thread.warp() * warp_size;  // so many lanes of the warp have a value, if so many there are
      bool const has   = thread.index < n;
      auto const local = scan_warp(thread, own[k], here, combine);
      auto const local_before = shuffle(thread, local, thread.lane() > 0 ? thread.lane() - 1 : 0);

      core::Maybe<Value> before = running;  // the warp
      if (has_slots) {
        if (has && (thread.lane() == warp_size - 1 || thread.index == n - 1)) slots.store(thread.warp(), local.value);
        __syncthreads();
        find_prefixes(thread, (n + warp_size - 1) / warp_size, slots, combine, before, running);
      } else if (begin + count < problem.n) {
        auto const aggregate = shuffle(thread, local, n - 1);
        running.put(running ? combine(*running, aggregate.value) : aggregate.value);
      }
      if (has)
        core::store(
            problem.sink, i,
            [&] {
              if (thread.lane() == 0) return before ? *before : own[k].value;  // or any, where nothing is before it
              return problem.combine(before, local_before.value);
            },
            [&] { return own[k].value; }, [&] { return problem.combine(before, local.value); });
      if (has_slots) __syncthreads();  // they are free again, and results are there
    }
  }
  if (!has_slots) __syncthreads();
}

/// What stands before a thread's value, and what stands behind it; and behind those of all threads.
template <class Value>
struct TeamPrefix {
  core::Maybe<Value> before;
  Uninitialized<Value> through;
  core::Maybe<Value> total;
};

/// Scans a value of each thread. All of them call it.
template <bool reversed, class Value, class Combine, class Slots>
__device__ TeamPrefix<Value> scan_values_of_team(TeamThread const& thread, Value const& value,
                                                 core::Maybe<Value> const& start, Combine const& combine,
                                                 Slots const& slots) {
  Uninitialized<Value> own;
  own.put(value);
  int const n      = thread.in_warp();
  auto const local = scan_warp<reversed>(thread, own, n, combine);
  // The lanes of the thread before, and of the last one.
  int const previous      = reversed ? thread.lane() + thread.lanes : thread.lane() - thread.lanes;
  bool const is_in        = previous >= 0 && previous < n;
  auto const local_before = shuffle(thread, local, is_in ? previous : thread.lane());
  auto const aggregate    = shuffle(thread, local, reversed ? 0 : n - 1);

  core::Maybe<Value> before = start, total = start;
  if (thread.warps() > 1) {
    if (thread.lane() == 0) slots.store(thread.warp(), aggregate.value);
    __syncthreads();
    find_prefixes<reversed>(thread, thread.warps(), slots, combine, before, total);
    __syncthreads();  // they are free again
  } else {
    total.put(total ? combine(*total, aggregate.value) : aggregate.value);
  }
  Uninitialized<Value> through;
  through.put(before ? combine(*before, local.value) : local.value);
  if (is_in) before.put(before ? combine(*before, local_before.value) : local_before.value);
  return {before, through, total};
}

}  // namespace KokkosScan::cuda
