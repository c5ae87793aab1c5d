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

/// Of elements that are chosen: their bits are packed.
template <class Problem>
  requires keeps_chosen<Problem>
class KeptPiece<Problem> {
  using S = ShapeOf<Problem>;

  static constexpr int bits = 32 / S::unit * S::unit;  // of a word: those of a unit are in one

 public:
  __device__ void put_marks(PieceMarks<Problem> const&) {}
  __device__ void put(int u, PieceUnit<Problem> const& unit) {
    int const i = u * S::unit;
    units_[u]   = unit.elements;
    word_[i / bits] |= unit.marks << (i % bits);
  }
  __device__ PieceUnit<Problem> unit(int u) const {
    int const i = u * S::unit;
    return {units_[u], word_[i / bits] >> (i % bits) & static_cast<std::uint32_t>((std::uint64_t{1} << S::unit) - 1)};
  }

 private:
  ElementUnit<Kept<Problem>, S::unit> units_[S::units];
  std::uint32_t word_[(S::piece + bits - 1) / bits] = {};
};

}  // namespace KokkosScan::cuda::pipelined
