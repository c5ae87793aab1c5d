// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../core/macros.hpp"

#include "kogge_stone_double_buffered.hpp"
#include "network.hpp"

//  Three phases: each of T workers reduces a piece, the T aggregates are scanned, each piece is updated
//  paper       Dotsenko 2008
//  operations  n - T, then T log2 T - (T - 1), then n - T less the first piece, which has nothing before it
//  steps       2 n / T + log2 T
//  memory      n + 2 T values
namespace KokkosScan::block {

struct ThreePhase {
  static constexpr Kind native_kind = Kind::inclusive;

  template <class Workers, class Value, class Combine>
  KOKKOSSCAN_FUNCTION static Value* run(Workers const& workers, int n, Value* tile, Value* scratch,
                                        Combine const& combine) {
    int const length = n < pieces ? 1 : (n + pieces - 1) / pieces;
    int const count  = (n + length - 1) / length;
    auto const end   = [=](int piece) { return (piece + 1) * length < n ? (piece + 1) * length : n; };

    workers.for_each(count, [&](int piece) {
      for (int i = piece * length + 1; i < end(piece); ++i) put(tile[i], combine(tile[i - 1], tile[i]));
      put(scratch[piece], tile[end(piece) - 1]);
    });
    Value const* const through = KoggeStoneDoubleBuffered::run(workers, count, scratch, scratch + pieces, combine);
    workers.for_each(count - 1, [&](int before) {
      for (int i = end(before); i < end(before + 1); ++i) put(tile[i], combine(through[before], tile[i]));
    });
    return tile;
  }

  // Fixed, so that the grouping, and with it the bits of a float result, do not depend on the number of workers.
  static constexpr int pieces = 64;
};

}  // namespace KokkosScan::block
