// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../element_units.hpp"
#include "../realigned.hpp"
#include "../warp.hpp"

// The units of a lane's full piece, in a region of shared memory where they begin at any byte. They are moved in the
// order of memory; of an array that is taken backwards, units and lanes follow each other downwards. `Array` is how it
// is staged, `shift` the bytes that units begin behind aligned ones.
namespace KokkosScan::cuda::pipelined {

template <class Unit, int units, class Array>
struct RealignedPiece {
  using Words   = UnitWords<Unit>;
  using Element = typename Array::Element;

  static constexpr int count = Words::bytes / Array::size;  // elements of a unit

  /// Where a unit stands in the order of memory, and the aligned units from the one on that the first there begins in.
  KOKKOSSCAN_FUNCTION static constexpr int place(int u) { return Array::backward ? units - 1 - u : u; }
  __device__ static Shared<Words> covering(Shared<Element> first, int shift) {
    return first.template from<unsigned char>(Array::backward ? 1 - units * count : 0).template from<Words>(-shift);
  }
};

/// Those of an array that is read, one after the other. `first`: the first element of the piece.
template <class Unit, int units, class Array>
class RealignedInputs {
  using Piece = RealignedPiece<Unit, units, Array>;
  using Words = UnitWords<Unit>;

  // So many are shifted together: of a whole piece ptxas 13.0 spilled registers.
  static constexpr int most = 7;

 public:
  __device__ RealignedInputs(Shared<typename Array::Element> first, int shift)
      : covering_(Piece::covering(first, shift)), shift_(shift) {}

  __device__ Unit get(int u) {
    if (u % most == 0) load(u);
    return turned<Array::backward, Piece::count>(row_[Piece::place(u) - lowest_].unit());
  }

 private:
  __device__ void load(int u) {
    int const n = units - u < most ? units - u : most;
    lowest_     = Array::backward ? Piece::place(u + n - 1) : u;
#pragma unroll
    for (int i = 0; i < most; ++i)
      if (i < n) row_[i] = covering_.load(lowest_ + i);
    row_[n] = covering_.load(shift_ > 0 ? lowest_ + n : 0);  // where units are aligned, none is wanted
    with_whole_words<Unit>(shift_, [&](auto whole) { shift_down<whole.value>(row_, shift_, n); });
  }

  Shared<Words> covering_;
  int shift_, lowest_;
  Words row_[most + 1];
};

/// Those of the results. `first`: the first of the piece.
template <class Unit, int units, class Array>
class RealignedResults {
  using Piece = RealignedPiece<Unit, units, Array>;
  using Words = UnitWords<Unit>;

 public:
  __device__ RealignedResults(Shared<typename Array::Element> first, int shift)
      : covering_(Piece::covering(first, shift)), shift_(shift) {}

  /// One after the other. Each is stored with what it shares an aligned unit with: the one before it.
  __device__ void put(int u, Unit const& unit) {
    Words const own = Words::of(turned<Array::backward, Piece::count>(unit));
    if (u > 0)
      store(u, before_, own);
    else
      first_ = own;
    before_ = own;
  }
  /// All lanes with a full piece, of n values that all lanes have. The first unit is stored with the last of the lane
  /// before, which the first lane has not; what the last one shares with none of them is stored for itself.
  __device__ void end(int n) const {
    int const lanes     = n / (units * Piece::count);
    unsigned const full = lanes < warp_size ? (1U << lanes) - 1 : all_lanes;
    store(0, shuffle(before_, lane() > 0 ? lane() - 1 : 0, full), first_);
    if (lane() != lanes - 1) return;
    Words const tail = shared_unit<Array::backward>(before_, before_, shift_);
    if (n % (units * Piece::count) == 0) {
      covering_.store(place(units), tail);
    } else {  // with a lane that stores one by one
      auto const bytes = covering_.template from<unsigned char>(place(units));
#pragma unroll
      for (int b = 0; b < Words::bytes; ++b)
        if ((b < shift_) != Array::backward)
          bytes.store(b, static_cast<unsigned char>(tail.word[b / 4] >> (b % 4 * 8)));
    }
  }

 private:
  /// Of the aligned unit that unit u shares with the one before it.
  KOKKOSSCAN_FUNCTION static constexpr int place(int u) { return Array::backward ? units - u : u; }
  __device__ void store(int u, Words const& before, Words const& own) const {
    covering_.store(place(u), shared_unit<Array::backward>(before, own, shift_));
  }

  Shared<Words> covering_;
  int shift_;
  Words first_, before_;
};

/// Fills what aligned units have in common with the bytes [begin, end) of a region and nobody wrote, as they are loaded
/// at once. All lanes.
__device__ inline void fill_beside(Shared<unsigned char> region, int begin, int end) {
  constexpr int most = 16;
  if (lane() >= most) return;
  if (int const byte = begin / most * most + lane(); byte < begin) region.store(byte, 0);
  if (int const byte = end + lane(); byte < (end + most - 1) / most * most) region.store(byte, 0);
}

}  // namespace KokkosScan::cuda::pipelined
