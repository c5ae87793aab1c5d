// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "carry.hpp"
#include "staged.hpp"

//  Fewer columns, by tiles: a chunk of rows of a strip of columns
//  launches    1
//  bytes       2 n
//  operations  2 n, and a few for each row group
//  steps       the rows of a piece twice, two networks, and a chain with a link to two spans of chunks
//  progress    a block that has a tile must be able to go on; tiles come from a counter, chunk by chunk
namespace KokkosScan::cuda::columns {

/// What so many chunks from `first` on combine to, of the columns of the calling thread: in every group.
template <class Values, class Own, class Exchange, class Combine>
__device__ Values fold_chunks(Carry<Values> const& carry, std::uint32_t first, int n, int groups, Place const& place,
                              Own const& own, Exchange& exchange, Combine const& combine) {
  constexpr int at_once = Carry<Values>::Polled::words > 2 ? 2 : 4;  // on their way
  Values folded;
  int const each  = (n + groups - 1) / groups;
  int const begin = place.group * each, end = own.has(0) ? begin + each < n ? begin + each : n : 0;
  for (int c = begin; c < begin + each; c += at_once) {
    typename Carry<Values>::Polled aggregates[at_once];
    poll_until(c < end, [&] {
    // What is not there is asked for as something else that is: behind a question nvcc 13.0 would wait for each.
#pragma unroll
      for (int k = 0; k < at_once; ++k)
        aggregates[k] = carry.poll(carry.chunk(first + static_cast<std::uint32_t>(c + k < end ? c + k : c)));
      bool waits = false;
#pragma unroll
      for (int k = 0; k < at_once; ++k) waits = waits || (c + k < end && !carry.has_come(aggregates[k]));
      return !waits;
    });
#pragma unroll
    for (int k = 0; k < at_once; ++k)
      if (c + k < end) put_behind(folded, c + k > begin, own, aggregates[k].value().value, combine);
  }
  int const used = (n + each - 1) / each;
  return exchange.scan(place, own, used, folded, combine);
}

template <class Size, class Piece, class LineScan>
__global__ void __launch_bounds__(Size::threads, Size::blocks_per_sm)
    column_tiles_kernel(LineScan const scan, Tiling const tiling, Moves const moves, States const states) {
  begin_behind_previous_grid();
  using Value           = typename LineScan::Value;
  using Shape           = TileShape<Piece, Size, Value>;
  constexpr int columns = Piece::columns, warps = Size::threads / warp_size;
  auto const combine  = [&](Value const& left, Value const& right) { return scan.combine(left, right); };
  auto const across   = static_cast<std::uint32_t>(tiling.across);
  auto const chunks   = static_cast<std::uint32_t>(tiling.chunks);
  bool const is_alone = chunks == 1;
  typename Shape::Exchange exchange(0);
  Place const place(tiling.lanes);
  int const first_column = place.lane * columns;
  Piece::init(Shape::piece_byte);
  auto const taken = shared_memory<Ticket>(Shape::ticket_byte);
  if (!is_alone && threadIdx.x == 0) taken.store(0, states.take_tile(static_cast<std::uint32_t>(tiling.tiles())));
  __syncthreads();
  Ticket const ticket = is_alone ? Ticket{blockIdx.x, 0} : taken.load(0);
  // ---- a tile
  std::uint32_t const chunk = ticket.tile / across, at = ticket.tile % across;
  Strip const strip(tiling, at);
  TileOf<LineScan> const tile = strip.tile(scan, tiling, chunk);
  typename Piece::Own const own{1, tile.columns - first_column};
  Piece piece(scan, place, own, Shape::piece_byte, moves);
  piece.begin(tile);
  piece.end();

  // ---- the aggregates of its row groups, which are in shared memory then
  int const groups = groups_of<Piece::rows>(tile.rows);  // that have rows
  Neighbours<Value, columns> running;
  bool const is_full = is_full_piece(tiling, tile, place);
  auto before        = aggregate_of(piece, scan, own, is_full);
  auto const total   = exchange.scan(place, own, groups, before, combine);

  // ---- its own, which others wait for, and what comes before it
  bool any = false;
  if (is_alone) {
    any = put_starts<columns>(scan, strip.row, strip.column + first_column, own, running);
  } else {
    Carry<Neighbours<Value, columns>> const carry(tiling, at, place, states, ticket.epoch);
    bool const publishes = place.group == 0;
    if (publishes && chunk + 1 < chunks) carry.put(carry.chunk(chunk), total);

    std::uint32_t const span   = chunk / tiling.span;
    std::uint32_t const anchor = span > 1 ? (span - 1) * tiling.span : 0;
    int const behind           = static_cast<int>(chunk - anchor);
    auto const poll_anchor     = [&] { return carry.poll(anchor > 0 ? carry.through(span - 2) : carry.chunk(0)); };
    // What ends a span waits for the end of the last but one. So it is asked for first, and waited for when all else is
    // done.
    auto through = poll_anchor();
    Neighbours<Value, columns> folded;
    if (behind > 0) folded = fold_chunks(carry, anchor, behind, tiling.groups, place, own, exchange, combine);
    if (anchor > 0) {
      poll_until(!carry.has_come(through), [&] { return carry.has_come(through = poll_anchor()); });
      running = through.value().value;
      any     = true;
    } else {
      any = put_starts<columns>(scan, strip.row, strip.column + first_column, own, running);
    }
    if (behind > 0) {
      put_behind(running, any, own, folded, combine);
      any = true;
    }
    bool const is_waited_for = chunk + 1 + tiling.span < chunks;
    if (publishes && is_waited_for && (chunk + 1) % tiling.span == 0) {
      auto end = running;
      put_behind(end, any, own, total, combine);
      carry.put(carry.through(span), end);
    }
  }
  if (place.group > 0 && piece.n() > 0) put_behind(running, any, own, before, combine);

  // ---- the results
  put_results(piece, scan, own, is_full, any || place.group > 0, running);
  piece.store();
  if (!is_alone) {
    __syncwarp();  // its lanes have published: that goes before what finish() may clear
    states.finish<Neighbours<Value, columns>>(ticket.epoch, gridDim.x * warps);
  }
}

template <class Size, class Piece, class LineScan, class CurrentDevice>
void tiles(Stream stream, LineScan const& scan, Tiling const& tiling, Moves moves, core::Memory const& memory,
           CurrentDevice const& current_device) {
  using Shape       = TileShape<Piece, Size, typename LineScan::Value>;
  auto const kernel = column_tiles_kernel<Size, Piece, LineScan>;
  if (moves == Moves::flat && has_copies_in(reinterpret_cast<void const*>(kernel)) && current_device().copies)
    moves = Moves::copied;
  launch(stream, Grid{static_cast<unsigned>(tiling.tiles()), Size::threads, Shape::shared_bytes}, kernel, scan, tiling,
         moves, States::in(memory.states, memory.states_bytes));
}

}  // namespace KokkosScan::cuda::columns
