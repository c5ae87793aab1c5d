// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstring>
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

/// A bit for each element of a piece, packed; those of a unit are in one word.
template <class Problem>
class PieceBits {
  using S = ShapeOf<Problem>;

  static constexpr int bits = 32 / S::unit * S::unit;

 public:
  static constexpr int words = (S::piece + bits - 1) / bits;

  __device__ void put(int u, std::uint32_t marks) { word_[u * S::unit / bits] |= marks << (u * S::unit % bits); }
  __device__ std::uint32_t get(int u) const { return of_unit(u, word_[u * S::unit / bits]); }
  __device__ void store(Shared<std::uint32_t> to) const {
#pragma unroll
    for (int w = 0; w < words; ++w) to.store(w * warp_size, word_[w]);
  }
  __device__ void load(Shared<std::uint32_t> from) {
#pragma unroll
    for (int w = 0; w < words; ++w) word_[w] = from.load(w * warp_size);
  }
  /// Those of a unit of what was stored; or of one more.
  __device__ static std::uint32_t get(Shared<std::uint32_t> from, int u) {
    return of_unit(u, from.load(u * S::unit / bits * warp_size));
  }
  __device__ static void put(Shared<std::uint32_t> to, int u, std::uint32_t marks) {
    int const word = u * S::unit / bits * warp_size;
    to.store(word, to.load(word) | marks << (u * S::unit % bits));
  }

 private:
  __device__ static std::uint32_t of_unit(int u, std::uint32_t word) {
    return word >> (u * S::unit % bits) & static_cast<std::uint32_t>((std::uint64_t{1} << S::unit) - 1);
  }

  std::uint32_t word_[words] = {};
};

/// Of elements that are chosen.
template <class Problem>
  requires keeps_chosen<Problem>
class KeptPiece<Problem> {
  using S = ShapeOf<Problem>;

 public:
  __device__ void put_marks(PieceMarks<Problem> const&) {}
  __device__ void put(int u, PieceUnit<Problem> const& unit) {
    put(u, unit, all_kept);
    choices_.put(u, unit.marks);
  }
  /// Instead of those that came with the units.
  __device__ void load_choices(Shared<std::uint32_t> from) { choices_.load(from); }
  __device__ PieceUnit<Problem> unit(int u) const {
    PieceUnit<Problem> unit;
    get(u, unit, all_kept);
    unit.marks = choices_.get(u);
    return unit;
  }

 private:
  static constexpr auto all_kept = std::make_index_sequence<Problem::Source::kept_arrays>();

  /// Of bytes nvcc 13.0 would keep each in a register of its own.
  template <class Unit>
  struct InWords {
    std::uint32_t word[sizeof(Unit) / 4];
  };
  template <class Unit>
  using Packed = std::conditional_t<sizeof(core::ElementOf<core::ArrayAt<typename Problem::Source, 0>>) < 4 &&
                                        sizeof(Unit) % 4 == 0,
                                    InWords<Unit>, Unit>;
  template <std::size_t k>
  struct Units {
    using Unit = typename PieceUnit<Problem>::template UnitAt<k>;
    Packed<Unit> unit[S::units];
  };
  template <class Sequence>
  struct AllUnits;
  template <std::size_t... k>
  struct AllUnits<std::index_sequence<k...>> : Units<k>... {};

  template <class To, class From>
  __device__ static To as(From const& from) {
    if constexpr (std::is_same_v<To, From>) {
      return from;
    } else {
      static_assert(sizeof(To) == sizeof(From));
      To to;
      memcpy(static_cast<void*>(&to), static_cast<void const*>(&from), sizeof(To));
      return to;
    }
  }
  template <std::size_t... k>
  __device__ void put(int u, PieceUnit<Problem> const& unit, std::index_sequence<k...>) {
    ((static_cast<Units<k>&>(units_).unit[u] = as<Packed<typename Units<k>::Unit>>(unit.template elements<k>())), ...);
  }
  template <std::size_t... k>
  __device__ void get(int u, PieceUnit<Problem>& unit, std::index_sequence<k...>) const {
    ((unit.template elements<k>() = as<typename Units<k>::Unit>(static_cast<Units<k> const&>(units_).unit[u])), ...);
  }

  AllUnits<std::remove_const_t<decltype(all_kept)>> units_;
  PieceBits<Problem> choices_;
};

}  // namespace KokkosScan::cuda::pipelined
