// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../kept.hpp"
#include "../tuning.hpp"
#include "../warp.hpp"

namespace KokkosScan::cuda::pipelined {

/// How values are shared out among the warps of a block: a tile is cut into slices, of which each warp takes one, and a
/// slice into pieces, one to a lane. `Kept` is what a lane keeps of each.
template <class Kept_>
struct Shape {
  using Kept = Kept_;

  static constexpr int slices = pipeline_slices(sizeof(Kept));
  static constexpr int unit   = Unit<Kept>::count;
  static constexpr int units  = pipeline_units(sizeof(Kept), sizeof(Unit<Kept>), alignof(Kept));  // of a piece
  static constexpr int piece  = units * unit;
  static constexpr int slice  = warp_size * piece;
  static constexpr int tile   = slices * slice;
};
template <class Problem>
using ShapeOf = Shape<Kept<Problem>>;

/// The units and the marks of a full piece.
template <class Problem>
using PieceUnit = KeptUnit<Problem, ShapeOf<Problem>::unit>;
template <class Problem>
using PieceMarks = Marks<Problem, ShapeOf<Problem>::unit, ShapeOf<Problem>::piece>;

/// A full piece, as a lane keeps it.
template <class Problem>
class KeptPiece {
 public:
  __device__ void put_marks(PieceMarks<Problem> const& marks) { marks_ = marks; }
  __device__ void put(int u, PieceUnit<Problem> const& unit) {
    ::new (static_cast<void*>(&units_[u])) PieceUnit<Problem>(unit);
  }
  /// A unit of values; they may be lost.
  __device__ decltype(auto) values(Problem const& problem, int u) { return marks_.values(problem, u, units_[u]); }

 private:
  PieceMarks<Problem> marks_;
  PieceUnit<Problem> units_[ShapeOf<Problem>::units];
};

}  // namespace KokkosScan::cuda::pipelined
