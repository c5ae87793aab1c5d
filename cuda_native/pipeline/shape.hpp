// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <utility>

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
    put(u, unit, all_kept);
    word_[i / bits] |= unit.marks << (i % bits);
  }
  __device__ PieceUnit<Problem> unit(int u) const {
    int const i = u * S::unit;
    PieceUnit<Problem> unit;
    get(u, unit, all_kept);
    unit.marks = word_[i / bits] >> (i % bits) & static_cast<std::uint32_t>((std::uint64_t{1} << S::unit) - 1);
    return unit;
  }

 private:
  static constexpr auto all_kept = std::make_index_sequence<Problem::Source::kept_arrays>();

  template <std::size_t k>
  struct Units {
    typename PieceUnit<Problem>::template UnitAt<k> unit[S::units];
  };
  template <class Sequence>
  struct AllUnits;
  template <std::size_t... k>
  struct AllUnits<std::index_sequence<k...>> : Units<k>... {};

  template <std::size_t... k>
  __device__ void put(int u, PieceUnit<Problem> const& unit, std::index_sequence<k...>) {
    ((static_cast<Units<k>&>(units_).unit[u] = unit.template elements<k>()), ...);
  }
  template <std::size_t... k>
  __device__ void get(int u, PieceUnit<Problem>& unit, std::index_sequence<k...>) const {
    ((unit.template elements<k>() = static_cast<Units<k> const&>(units_).unit[u]), ...);
  }

  AllUnits<std::remove_const_t<decltype(all_kept)>> units_;
  std::uint32_t word_[(S::piece + bits - 1) / bits] = {};
};

}  // namespace KokkosScan::cuda::pipelined
