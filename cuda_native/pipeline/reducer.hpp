// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../units.hpp"
#include "last_piece.hpp"
#include "staged_inputs.hpp"

namespace KokkosScan::cuda::pipelined {

/// Finds the aggregates of slices. The work of a warp for every second one.
template <class Problem>
class Reducer {
  using Value = typename Problem::Value;
  using S     = ShapeOf<Problem>;
  using L     = Layout<Problem>;

 public:
  __device__ explicit Reducer(TiledScan<Problem> const& scan) : scan_(scan), inputs_(scan) {}

  /// Reduces each slice as soon as it is here, whether earlier tiles can go on or not: others may wait for the
  /// aggregate.
  __device__ void run(int warp) const {
    for (PipelineStates<Problem> at;; at.next())
      for (int slice = warp; slice < S::slices; slice += L::reducers) {
        at.record().full(slice).wait(at.of_records.parity);
        StagedMarks<Problem>::wait(at.record(), at.of_records.parity);
        std::uint32_t const k = at.record().ticket().load(0).tile;
        if (k == no_tile) return;
        reduce(at.stage(), at.record(), k, slice);
      }
  }

 private:
  /// The aggregate of a slice, and what stands before each of its pieces. Only the last piece of all is not full: it is
  /// taken a few values at a time, as its lane is the only one that does so.
  __device__ void reduce(Stage<Problem> const& stage, TileRecord<Problem> const& record, std::uint32_t k,
                         int which) const {
    int const n = scan_.length(k, which);
    inputs_.load_rest(stage, k, which, n);
    int const rest = n - lane() * S::piece;
    Uninitialized<Value> aggregate;
    if (rest >= S::piece) {
      auto const marks = inputs_.marks(stage, k, which);
      [[maybe_unused]] PieceBits<Problem> choices;
      inputs_.load_units(stage, k, which, [&](int u, PieceUnit<Problem> const& own) {
        fold_unit(scan_.problem, u > 0, aggregate, marks.values(scan_.problem, u, own));
        if constexpr (leaves_choices<Problem>) choices.put(u, own.marks);
      });
      if constexpr (leaves_choices<Problem>) choices.store(stage.choices(which));
    } else if constexpr (leaves_choices<Problem>) {
      auto const choices = stage.choices(which);
      if (rest > 0) PieceBits<Problem>().store(choices);
#pragma unroll 1
      for (int u = 0; u * S::unit < rest; ++u) {
        auto const own = inputs_.load_chosen(stage, k, which, u, rest);
        PieceBits<Problem>::put(choices, u, own.marks);
        fold_unit<false>(scan_.problem, u > 0, aggregate, own, part_length(rest, u * S::unit, S::unit));
      }
    } else {
      for_each_of_last_piece(
          rest, [&](int first, std::size_t count) { return inputs_.values(stage, k, which, first, count); },
          [&](int i, Value const& own) { aggregate.put(i == 0 ? own : scan_.combine(aggregate.value, own)); });
    }
    int const lanes = (n + S::piece - 1) / S::piece;
    aggregate       = scan_warp(aggregate, lanes, scan_.combiner());
    if (lane() == lanes - 1) record.aggregates().store(which, aggregate.value);
    if (lane() < lanes - 1) record.pieces().store(which * warp_size + lane() + 1, aggregate.value);
    record.reduced().arrive();
  }

  TiledScan<Problem> scan_;
  StagedInputs<Problem> inputs_;
};

}  // namespace KokkosScan::cuda::pipelined
