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
__device__ void find_prefixes(int warp, int warps, Slots const& slots, Combine const& combine,
                              core::Maybe<Value>& before, core::Maybe<Value>& running) {
  for (int k = 0; k < warps; ++k) {
    int const w = reversed ? warps - 1 - k : k;
    if (w == warp && running) before.put(*running);
    Value const aggregate = slots.load(w);
    running.put(running ? combine(*running, aggregate) : aggregate);
  }
}

/// Who scans the values of a team.
enum class By {
  lanes,  // those of its only warp, of which it has not all
  warp,   // one, which can hold all values
  warps,
};

/// Scans n values from `first` on, of which each warp has so many rows: of as many neighbours as it has lanes, which
/// are all 32, or else all threads. `running` is what stands before them, and then, unless it is the last time, behind
/// them. Slots are for several warps.
///
/// Places without a value take another one, and nobody looks at what comes of it: so a row has no tests.
template <By by, int rows, class Problem, class Slots, class Value = typename Problem::Value>
__device__ void scan_rows(TeamThread const& thread, int warp, Problem const& problem, Slots const& slots,
                          std::size_t first, int n, core::Maybe<Value>& running) {
  static_assert(!Problem::Sink::uses.own, "values give way to what they combine to");
  constexpr bool full = by != By::lanes;
  auto const combine  = [&](Value const& left, Value const& right) { return problem.combine(left, right); };
  int const lanes     = full ? warp_size : thread.count;
  auto const from     = [&](int source, Uninitialized<Value> const& own) {
    if constexpr (full)
      return shuffle(own, source);
    else
      return shuffle(thread, own, source);
  };
  auto const last_of   = [&](Uninitialized<Value> const& own) { return from(lanes - 1, own); };
  auto const before_by = [&](int delta, Uninitialized<Value> const& own) {
    if constexpr (full)
      return shuffle_up(own, delta);
    else
      return shuffle(thread, own, thread.lane() >= delta ? thread.lane() - delta : 0);
  };
  int const lane = thread.lane(), place = rows * lanes * warp + lane;
  int const warps         = by == By::warps ? (n - 1) / (rows * lanes) + 1 : 1;
  std::size_t const index = first + static_cast<std::size_t>(place), apart = static_cast<std::size_t>(lanes);
  bool const has_any = by != By::warps || warp < warps;

  Uninitialized<Value> own[rows];
  if (has_any) {
    own[0].put(problem.source.load(place < n ? index : first + static_cast<std::size_t>(n - 1)));
#pragma unroll
    for (int k = 1; k < rows; ++k)
      if (place + k * lanes < n) own[k].put(problem.source.load(index + static_cast<std::size_t>(k) * apart));
#pragma unroll
    for (int k = 1; k < rows; ++k)  // only now, since that waits for the first
      if (place + k * lanes >= n) own[k] = own[0];
    __syncwarp(full ? all_lanes : all_lanes >> (warp_size - thread.count));  // dest may be from
#pragma unroll
    for (int delta = 1; delta < warp_size; delta *= 2)
#pragma unroll
      for (int k = 0; k < rows; ++k) {  // none waits for another
        auto const before = before_by(delta, own[k]);
        if (lane >= delta) own[k].put(combine(before.value, own[k].value));
      }
  }
  core::Maybe<Value> before = running;  // the warp, and then each row
  if constexpr (by == By::warps)
    if (warps > 1) {
      if (has_any) {
        auto aggregate = last_of(own[0]);
#pragma unroll
        for (int k = 1; k < rows; ++k) aggregate.put(combine(aggregate.value, last_of(own[k]).value));
        if (lane == 0) slots.store(warp, aggregate.value);
      }
      __syncthreads();
      find_prefixes(warp, warps, slots, combine, before, running);
    }
  if (!has_any) return;
#pragma unroll
  for (int k = 0; k < rows; ++k) {
    Uninitialized<Value> through = own[k], previous;
    if (before) through.put(combine(*before, own[k].value));
    if constexpr (Problem::Sink::uses.before) {
      previous = before_by(1, through);
      if (lane == 0 && before) previous.put(*before);  // or any, where nothing is before it
    }
    if (place + k * lanes < n)
      core::store(
          problem.sink, index + static_cast<std::size_t>(k) * apart, [&] { return previous.value; },
          [&] { return through.value; }, [&] { return through.value; });
    if (k + 1 < rows || (by != By::warp && warps == 1)) before.put(last_of(through).value);
  }
  if (by != By::warp && warps == 1 && before) running.put(*before);
}

/// In passes of so many values, of which each warp has so many rows.
template <By by, int rows, class Problem, class Slots>
__device__ void scan_in_passes(TeamThread const& thread, int warp, Problem const& problem, Slots const& slots,
                               int pass) {
  core::Maybe<typename Problem::Value> running = problem.start();
  for (std::size_t first = 0; first < problem.n; first += static_cast<std::size_t>(pass)) {
    std::size_t const rest = problem.n - first;
    bool const is_last     = rest <= static_cast<std::size_t>(pass);
    int const n            = is_last ? static_cast<int>(rest) : pass;
    scan_rows<by, rows>(thread, warp, problem, slots, first, n, running);
    if (pass > rows * warp_size && !is_last) __syncthreads();  // the slots are free again
  }
}

/// The number of the calling thread's warp among those that have all their lanes, counted from another one by chance:
/// each scheduler of a multiprocessor has every fourth warp, and where one warp of each block scans alone, all of them
/// should work. No test of it divides a warp.
__device__ inline int warp_in_turn(TeamThread const& thread) {
  constexpr unsigned golden_ratio = 2654435769U;  // of 2^32: its multiples have leading bits as good as drawn
  int const warps = thread.count / warp_size, warp = alike(thread.warp());
  int const turn = static_cast<int>(blockIdx.x * golden_ratio >> 30) & (warps >= 4 ? 3 : warps / 2);
  return warp >= warps ? warp : warp + turn < warps ? warp + turn : warp + turn - warps;
}

/// Scans a problem by all threads of the block, which all call it. What it stored all of them can read when it returns.
/// Slots, which are asked for where several warps have something, are for a value of each: load(w), store(w, value).
///
/// What one warp can hold it scans alone; of more, warps wait for each other in each pass. A last warp that has
/// not all lanes scans only where it is the only one.
template <class Problem, class SlotsOf>
__device__ void scan_by_team(TeamThread const& thread, Problem const& problem, SlotsOf const& slots_of) {
  using Value           = typename Problem::Value;
  constexpr int rows    = sizeof(Value) > 16 ? 1 : sizeof(Value) > 8 ? 2 : 4;
  constexpr int of_warp = rows * warp_size;
  if (thread.count < warp_size) {
    scan_in_passes<By::lanes, 1>(thread, 0, problem, nullptr, thread.count);
  } else if (int const warp = warp_in_turn(thread); problem.n > static_cast<std::size_t>(of_warp)) {
    scan_in_passes<By::warps, rows>(thread, warp, problem, slots_of(), thread.count / warp_size * of_warp);
  } else if (warp == 0 && problem.n > 0) {
    core::Maybe<Value> running = problem.start();
    scan_rows<By::warp, rows>(thread, 0, problem, nullptr, 0, static_cast<int>(problem.n), running);
  }
  __syncthreads();  // and results are there
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
    find_prefixes<reversed>(thread.warp(), thread.warps(), slots, combine, before, total);
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
