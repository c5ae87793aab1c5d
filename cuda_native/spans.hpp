// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tile_states.hpp"
#include "warp.hpp"

// How blocks learn what comes before a part of the values (a tile, or a group of tiles), when all publish the
// aggregates of theirs. Parts form spans of as many as a warp has lanes, and before part k stands
//
//   (all up to the end of the span before the last) + (the last span) + (the parts before k in its own)
//
// Of what blocks publish, only the aggregates have to be there in time: the rest is a whole span old. Each of the three
// is made by one and the same instructions for every part of a span, so the bits of a float never depend on the
// schedule, nor on what the compiler makes of the operator in different places. (Merrill and Garland's nearest prefix
// was tried: made by whoever found it, it had other bits where nvcc contracted two calls of the operator differently.)
namespace KokkosScan::cuda {

/// Whether part k is the last of its span, whose prefix is then published with it.
__device__ inline bool ends_span(std::uint32_t k) { return k % warp_size == warp_size - 1; }

/// What comes before part k. Called by all lanes of a warp. Spans have states: aggregate(k) of a part, and through(s),
/// the prefix up to the end of a span; and say how many steps of a scan of a warp may be unrolled (registers).
template <class Value, class Spans, class Combine>
__device__ Maybe<Value> find_before_by_spans(Spans const& spans, Combine const& combine, std::uint32_t k,
                                             Maybe<Value> const& init) {
  std::uint32_t const span = k / warp_size;
  int const index          = static_cast<int>(k % warp_size);
  auto const part          = k - static_cast<std::uint32_t>(index - lane());  // that this lane polls

  // All is polled together: a poll takes long, since it waits for the copies that are under way. Lanes that have all
  // values poll on, what is near, until all lanes have: where lanes leave one by one, they meet again late.
  Uninitialized<Value> own, last, rest;
  bool no_own = lane() < index, no_last = span > 0, no_rest = span > 1;
  while (__any_sync(all_lanes, no_own || no_last || no_rest)) {
    // What is not wanted is replaced by what is near: without branches, the polls do not wait for each other.
    auto const own_snapshot  = spans.aggregate(no_own ? part : k).snapshot();
    auto const last_snapshot = spans.aggregate(no_last ? part - warp_size : k).snapshot();
    auto const rest_snapshot = (no_rest ? spans.through(span - 2) : spans.aggregate(k)).snapshot();
    if (no_own) no_own = spans.aggregate(part).read(own_snapshot, own) == TileState::empty;
    if (no_last) no_last = spans.aggregate(part - warp_size).read(last_snapshot, last) == TileState::empty;
    if (no_rest) no_rest = spans.through(span - 2).read(rest_snapshot, rest) == TileState::empty;
    if (no_own || no_last || no_rest) pause();
  }

  // Both at once: alone, each would wait for shuffles most of the time.
  [[maybe_unused]] constexpr int at_once = Spans::steps_at_once;  // for nvcc alone
#pragma unroll at_once
  for (int delta = 1; delta < warp_size; delta *= 2) {
    Uninitialized<Value> const before_own  = shuffle_up(own, delta);
    Uninitialized<Value> const before_last = shuffle_up(last, delta);
    if (lane() >= delta && lane() < index) own.put(combine(before_own.value, own.value));
    if (lane() >= delta && span > 0) last.put(combine(before_last.value, last.value));
  }
  Uninitialized<Value> const own_aggregate  = shuffle(own, index > 0 ? index - 1 : 0);
  Uninitialized<Value> const last_aggregate = shuffle(last, warp_size - 1);
  Maybe<Value> result                       = span > 1 ? Maybe<Value>(rest.value) : init;
  if (span > 0) result.put(combine(result, last_aggregate.value));
  if (index > 0) result.put(combine(result, own_aggregate.value));
  return result;
}

/// What blocks publish: the aggregate of each tile and, for each span of as many tiles as a warp has lanes, the prefix
/// up to its end.
template <class Value>
class TileSpans {
 public:
  static constexpr int steps_at_once = 5;

  static constexpr std::size_t slots(std::size_t tiles) {
    return (tiles + tiles / warp_size) * TileStatus<Value>::slots;
  }

  __device__ TileSpans(States const& states, std::uint32_t epoch) : states_(states), epoch_(epoch) {}

  __device__ TileStatus<Value> aggregate(std::uint32_t k) const { return status(k + k / warp_size); }
  __device__ TileStatus<Value> through(std::uint32_t span) const { return status((span + 1) * (warp_size + 1) - 1); }

 private:
  __device__ TileStatus<Value> status(std::uint32_t c) const {
    return {states_.slot(c * TileStatus<Value>::slots), epoch_};
  }

  States states_;
  std::uint32_t epoch_;
};

}  // namespace KokkosScan::cuda
