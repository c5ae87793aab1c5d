// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../spans.hpp"
#include "tiled_scan.hpp"

namespace KokkosScan::cuda::pipelined {

/// Publishes the aggregates of tiles, and finds what comes before each of their slices. The work of a warp to a record.
template <class Problem>
class Carry {
  using Value = typename Problem::Value;
  using S     = ShapeOf<Problem>;
  using L     = Layout<Problem>;

  static constexpr int delay = keeps_chosen<Problem> ? pipeline_look_back_delay_of_chosen : pipeline_look_back_delay;

 public:
  __device__ explicit Carry(TiledScan<Problem> const& scan) : scan_(scan) {}

  /// Looks back for the tiles of one record.
  __device__ void run(States const& states, int index) const {
    TileRecord<Problem> const record(index);
    for (unsigned parity = 0;; parity ^= 1) {
      record.full(0).wait(parity);
      auto const [k, epoch] = record.ticket().load(0);
      if (k == no_tile) return;
      TileSpans<Value> const spans(states, epoch);
      record.reduced().wait(parity);
      int const slices = (scan_.length(k) + S::slice - 1) / S::slice;

      Uninitialized<Value> through;
      if (lane() < slices) through.put(record.aggregates().load(lane()));
      through                                 = scan_warp<S::slices>(through, slices, scan_.combiner());
      Uninitialized<Value> const aggregate    = shuffle(through, slices - 1);
      Uninitialized<Value> const before_slice = shuffle_up(through, 1);
      if (lane() == 0) spans.aggregate(k).publish(TileState::aggregate, aggregate.value);
      // The first tiles of the blocks and their last have fewer copies before them.
      if (k >= L::records * gridDim.x && k + 2 * gridDim.x < scan_.count) pause_for(delay);
      Maybe<Value> const before_tile = find_before_by_spans(spans, scan_.combiner(), k, scan_.problem.start());
      if (ends_span(k) && lane() == 0)
        spans.through(k / warp_size).publish(TileState::inclusive_prefix, scan_.combine(before_tile, aggregate.value));
      if (lane() < slices)
        record.prefixes().store(
            lane(), lane() > 0 ? Maybe<Value>(scan_.combine(before_tile, before_slice.value)) : before_tile);
      record.found().arrive();
    }
  }

 private:
  TiledScan<Problem> scan_;
};

}  // namespace KokkosScan::cuda::pipelined
