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

/// Elements that are not packed take more registers, and so do many columns.
template <class Size, class Piece>
inline constexpr int strip_blocks_per_sm =
    Piece::staged      ? Size::staged_blocks_per_sm - (Piece::columns > 4) - (Piece::columns > 8)
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
  typename Shape::Exchange exchange(0);

  Neighbours<Value, columns> running;  // what comes before a tile
  bool any             = put_starts<columns>(scan, strip.row, strip.column + first_column, own, running);
  auto const scan_tile = [&](std::uint32_t chunk, Piece& piece) {
    int const groups   = chunk + 1 < chunks ? tiling.groups : groups_of<Piece::rows>(tile(chunk).rows);
    bool const is_full = is_full_piece(tiling, tile(chunk), place);
    auto values        = aggregate_of(piece, scan, own, is_full);
    auto const total   = exchange.scan(place, own, groups, values, combine);
    auto before        = running;
    if (place.group > 0 && piece.n() > 0) put_behind(before, any, own, values, combine);
    put_results(piece, scan, own, is_full, any || place.group > 0, before);
    piece.store();
    put_behind(running, any, own, total, combine);
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
