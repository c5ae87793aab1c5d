// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../tile_states.hpp"
#include "staged_inputs.hpp"

namespace KokkosScan::cuda::pipelined {

/// Brings tiles into stages. The work of one thread.
template <class Problem>
class Loader {
  using Value  = typename Problem::Value;
  using Inputs = StagedInputs<Problem>;
  using S      = ShapeOf<Problem>;
  using L      = Layout<Problem>;

 public:
  __device__ explicit Loader(TiledScan<Problem> const& scan) : scan_(scan), inputs_(scan) {}

  /// Takes tiles from the counter until there are no more, and has their slices copied in.
  ///
  /// Tile states take the same way as the tiles: so no more slices are under way than keep memory busy, and a tile is
  /// taken no earlier than it can be copied.
  __device__ void run(States const& states) const {
    std::uint32_t const takes = scan_.count + gridDim.x;  // each block takes one that is none
    Ticket ticket{};
    PipelineStates<Problem> at;
    PipelineState<L::records> earlier;
    constexpr int wanted = pipeline_slices_under_way * sizeof(typename S::Kept) / L::Staged::element_bytes / S::slices;
    constexpr int most_under_way = wanted < 1 ? 1 : wanted < L::stages ? wanted : L::stages;  // tiles
    for (int i = 0, ends = 0; ends < L::records; ++i, at.next()) {
      TileRecord<Problem> const record = at.record();
      // A tile is about to leave its stage now, so the counter answers just in time.
      if (i >= L::records) record.found().wait(at.of_records.parity ^ 1);
      if (ticket.tile != no_tile) ticket = states.take_tile(takes);
      if (i >= L::stages && ends < L::stages) at.stage().empty().wait(at.of_stages.parity ^ 1);
      if (ticket.tile >= scan_.count) ticket.tile = no_tile;
      record.ticket().store(0, ticket);
      if (ticket.tile != no_tile) {
        inputs_.copy_tile(at.stage(), record, ticket.tile, [&](int slice) {
          if (i >= most_under_way) TileRecord<Problem>(earlier.index).full(slice).wait(earlier.parity);
        });
        if (i >= most_under_way) earlier.next();
      } else {
        if (ends == 0) let_next_grid_start();  // earlier it would only lie in the way of other streams
        // Each warp that looks back learns it from its own record; the others learn it once.
        for (int slice = 0; slice < (ends == 0 ? S::slices : 1); ++slice) record.full(slice).arrive();
        ++ends;
      }
    }
  }

 private:
  TiledScan<Problem> scan_;
  Inputs inputs_;
};

}  // namespace KokkosScan::cuda::pipelined
