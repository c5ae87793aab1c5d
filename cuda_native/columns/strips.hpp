// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "staged.hpp"

//  Columns enough for all multiprocessors: a block walks down a strip of them, tile by tile
//  launches    1
//  bytes       2 n
//  operations  2 n, and a few for each row group
//  steps       for each tile of a strip the rows of a piece twice, and a network
//  progress    none: no block waits for another
namespace KokkosScan::cuda::columns {

/// Elements that are not packed take more registers.
template <class Size, class Piece>
inline constexpr int strip_blocks_per_sm = Piece::staged      ? Size::staged_blocks_per_sm
                                           : Piece::is_packed ? Size::blocks_per_sm
                                                              : 1;

/// While a tile is scanned the next one is on its way: pieces in registers have others beside them. In place each
/// element is read before its result is written, by the same block.
template <class Size, class Piece, class LineScan>
__global__ void __launch_bounds__(Size::threads, strip_blocks_per_sm<Size, Piece>)
    column_strips_kernel(LineScan const scan, Tiling const tiling) {
  begin_behind_previous_grid();
  using Value           = typename LineScan::Value;
  using Shape           = TileShape<Piece, Size, Value>;
  constexpr int columns = Piece::columns;
  auto const combine    = [&](Value const& left, Value const& right) { return scan.combine(left, right); };
  auto const chunks     = static_cast<std::uint32_t>(tiling.chunks);
  Strip const strip(tiling, blockIdx.x);
  auto const tile = [&](std::uint32_t chunk) { return strip.tile(scan, tiling, chunk); };
  Place const place(tiling.lanes);
  int const first_column = place.lane * columns;
  typename Piece::Own const own{1, tile(0).columns - first_column};
  typename Shape::Exchange const exchange(shared_memory<Value>(0));

  Neighbours<Value, columns> running;  // what comes before a tile
  bool any             = put_starts<columns>(scan, strip.row, strip.column + first_column, own, running);
  int part             = 2;
  auto const scan_tile = [&](std::uint32_t chunk, Piece& piece) {
    int const groups   = chunk + 1 < chunks ? tiling.groups : groups_of<Piece::rows>(tile(chunk).rows);
    bool const is_full = is_full_piece(tiling, tile(chunk), place);
    auto aggregate     = aggregate_of(piece, scan, own, is_full);
    // What the tile before has left may still be read.
    part        = exchange.scan((part + 1) % 3, (part + 2) % 3, place, own, groups, aggregate, combine);
    auto before = running;
    if (place.group > 0 && piece.n() > 0) exchange.advance(part, place, own, place.group, any, before, combine);
    put_results(piece, scan, own, is_full, any || place.group > 0, before);
    piece.store();
    exchange.advance(part, place, own, groups, any, running, combine);
    any = true;
  };
  Piece one(scan, place, own, Shape::piece_byte, Moves::along_rows);
  if constexpr (Piece::staged) {
    // A thread brings elements to places that it has emptied itself.
    for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
      one.begin(tile(chunk));
      one.end();
      scan_tile(chunk, one);
    }
  } else {
    Piece other(one);
    one.begin(tile(0));
    for (std::uint32_t chunk = 0; chunk < chunks; chunk += 2) {
      if (chunk + 1 < chunks) other.begin(tile(chunk + 1));
      scan_tile(chunk, one);
      if (chunk + 2 < chunks) one.begin(tile(chunk + 2));
      if (chunk + 1 < chunks) scan_tile(chunk + 1, other);
    }
  }
}

template <class Size, class Piece, class LineScan>
void strips(Stream stream, LineScan const& scan, Tiling const& tiling) {
  using Shape = TileShape<Piece, Size, typename LineScan::Value>;
  launch(stream, Grid{static_cast<unsigned>(tiling.across), Size::threads, Shape::shared_bytes},
         column_strips_kernel<Size, Piece, LineScan>, scan, tiling);
}

}  // namespace KokkosScan::cuda::columns
