// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "compactor.hpp"
#include "staged_inputs.hpp"
#include "storer.hpp"

namespace KokkosScan::cuda::pipelined {

/// Scans slices once it is known what comes before them. The work of a warp to a slice; they do not meet.
template <class Problem>
class Scanner {
  using Value = typename Problem::Value;
  using S     = ShapeOf<Problem>;

 public:
  __device__ explicit Scanner(TiledScan<Problem> const& scan) : scan_(scan), inputs_(scan), storer_(scan) {}

  /// Scans each tile, in registers, so that its stage is empty while it waits for what comes before it.
  __device__ void run(int slice) const {
    for (PipelineStates<Problem> at;; at.next()) {
      at.record().full(slice).wait(at.of_records.parity);
      StagedMarks<Problem>::wait(at.record(), at.of_records.parity);
      std::uint32_t const k = at.record().ticket().load(0).tile;
      if (k == no_tile) break;
      at.record().reduced().wait(at.of_records.parity);
      scan(at, k, slice);
    }
    if (lane() == 0) wait_until_copied_out();  // the shared memory ends with the block
  }

 private:
  /// The results of a slice, and their way out. The last piece of all, if it is not full, is scanned where it lies: no
  /// other tile will want its stage.
  __device__ void scan(PipelineStates<Problem> const& at, std::uint32_t k, int which) const {
    TileRecord<Problem> const record = at.record();
    int const n                      = scan_.length(k, which);
    int const rest                   = n - lane() * S::piece;
    Stage<Problem> const stage       = at.stage();

    KeptPiece<Problem> own;
    if (rest >= S::piece) {
      own.put_marks(inputs_.marks(stage, k, which));
      inputs_.load_units(stage, k, which, [&](int u, PieceUnit<Problem> const& unit) { own.put(u, unit); });
      if constexpr (leaves_choices<Problem>) own.load_choices(stage.choices(which));
    }
    fence_for_copies();  // behind the reducers' loads, too
    stage.empty().arrive();

    record.found().wait(at.of_records.parity);
    Uninitialized<Value> running;
    bool any = false;
    if (rest > 0) {
      Maybe<Value> const before_slice = record.prefixes().load(which);
      any                             = lane() > 0 || before_slice;
      if (lane() > 0)
        running.put(scan_.combine(before_slice, record.pieces().load(which * warp_size + lane())));
      else if (before_slice)
        running.put(*before_slice);
    }
    if constexpr (keeps_chosen<Problem>)
      storer_.store(record, k, which, any, running, own, [&](int u) {
        auto unit = inputs_.load_chosen(stage, k, which, u, rest);
        if constexpr (leaves_choices<Problem>) unit.marks = PieceBits<Problem>::get(stage.choices(which), u);
        return unit;
      });
    else
      storer_.store(k, which, any, running, own,
                    [&](int first, std::size_t count) { return inputs_.values(stage, k, which, first, count); });
    bool const has_last =
        rest > 0 && which * S::slice + lane() * S::piece + (rest < S::piece ? rest : S::piece) == scan_.length(k);
    if (k + 1 == scan_.count && has_last) scan_.problem.put_total(running.value);
  }

  TiledScan<Problem> scan_;
  StagedInputs<Problem> inputs_;
  std::conditional_t<keeps_chosen<Problem>, Compactor<Problem>, Storer<Problem>> storer_;
};

}  // namespace KokkosScan::cuda::pipelined
