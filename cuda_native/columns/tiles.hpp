// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "carry.hpp"
#include "staged.hpp"

//  Fewer columns, by tiles: a chunk of rows of a strip of columns
//  launches    1
//  bytes       2 n
//  operations  2 n, and a few for each row group
//  steps       the rows of a piece twice, three networks, and a chain with a link to two spans of chunks
//  progress    a block that has a tile must be able to go on; tiles come from a counter, chunk by chunk
namespace KokkosScan::cuda::columns {

/// What so many chunks from `first` on combine to, of the columns of the calling thread: in every group.
template <int count, class Value, class Own, class Exchange, class Combine>
__device__ auto fold_chunks(Carry<Value> const& carry, std::uint32_t first, int n, int groups, Place const& place,
                            Own const& own, Exchange const& exchange, int free_part, Combine const& combine) {
  constexpr int at_once = count > 1 ? 2 : 8;  // on their way
  Neighbours<Value, count> folded;
  int const each  = (n + groups - 1) / groups;
  int const begin = place.group * each, end = begin + each < n ? begin + each : n;
  for (int c = begin; c < end && own.has(0); c += at_once) {
    // What is not there is loaded as something else that is: behind a question nvcc 13.0 would wait for each by itself.
    Uninitialized<Value> aggregates[at_once][count];
#pragma unroll
    for (int k = 0; k < at_once; ++k) {
      std::uint32_t const chunk = carry.chunk(first + static_cast<std::uint32_t>(c + k < end ? c + k : c));
#pragma unroll
      for (int v = 0; v < count; ++v)
        aggregates[k][v] = carry.get(chunk, (own.has(v) ? v * place.lanes : 0) + place.lane);
    }
#pragma unroll
    for (int k = 0; k < at_once; ++k)
#pragma unroll
      for (int v = 0; v < count; ++v)
        if (c + k < end && own.has(v)) {
          Value const aggregate = aggregates[k][v].value;
          folded.put(v, c + k > begin ? combine(folded.get(v), aggregate) : aggregate);
        }
  }
  int const used = (n + each - 1) / each;
  int const part = exchange.scan(free_part, 2, place, own, used, folded, combine);
#pragma unroll
  for (int v = 0; v < count; ++v)
    if (own.has(v)) folded.put(v, exchange.get(part, place, v, used - 1));
  return folded;
}

template <class Size, class Piece, class LineScan>
__global__ void __launch_bounds__(Size::threads, Size::blocks_per_sm)
    column_tiles_kernel(LineScan const scan, Tiling const tiling, Moves const moves, States const states,
                        void* const scratch) {
  begin_behind_previous_grid();
  using Value           = typename LineScan::Value;
  using Shape           = TileShape<Piece, Size, Value>;
  constexpr int columns = Piece::columns;
  auto const combine    = [&](Value const& left, Value const& right) { return scan.combine(left, right); };
  auto const across     = static_cast<std::uint32_t>(tiling.across);
  auto const chunks     = static_cast<std::uint32_t>(tiling.chunks);
  bool const is_alone   = chunks == 1;
  typename Shape::Exchange const exchange(shared_memory<Value>(0));
  Place const place(tiling.lanes);
  int const first_column = place.lane * columns;
  Ticket ticket{blockIdx.x, 0};
  if (!is_alone) {
    auto const taken = shared_memory<Ticket>(Shape::ticket_byte);
    if (threadIdx.x == 0) taken.store(0, states.take_tile(static_cast<std::uint32_t>(tiling.tiles())));
    __syncthreads();
    ticket = taken.load(0);
  }
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
  auto aggregate     = aggregate_of(piece, scan, own, is_full);
  int const part     = exchange.scan(0, 1, place, own, groups, aggregate, combine);

  // ---- its own, which others wait for, and what comes before it
  bool any = false;
  if (is_alone) {
    any = put_starts<columns>(scan, strip.row, strip.column + first_column, own, running);
  } else {
    Carry<Value> const carry(tiling, at, states, ticket.epoch, scratch);
    bool const has_last = piece.n() > 0 && place.group == groups - 1;  // whose aggregates are those of the tile
    if (chunk + 1 < chunks) {
#pragma unroll
      for (int v = 0; v < columns; ++v)
        if (has_last && own.has(v)) carry.put(carry.chunk(chunk), v * place.lanes + place.lane, aggregate.get(v));
      carry.publish(carry.chunk(chunk));
    }

    std::uint32_t const span   = chunk / tiling.span;
    std::uint32_t const anchor = span > 1 ? (span - 1) * tiling.span : 0;
    int const behind           = static_cast<int>(chunk - anchor);
    // What ends a span waits for the end of the last but one. So what else is to be done is done before.
    for (int c = 0; c < behind; c += Size::threads) {
      int const own_chunk = c + static_cast<int>(threadIdx.x);
      carry.wait_for(own_chunk < behind, carry.chunk(anchor + static_cast<std::uint32_t>(own_chunk)));
    }
    Neighbours<Value, columns> folded;
    if (behind > 0) {
      __syncthreads();
      folded = fold_chunks<columns>(carry, anchor, behind, tiling.groups, place, own, exchange, 1 - part, combine);
    }
    if (anchor > 0) {
      if (warp() == 0) carry.wait_for(threadIdx.x == 0, carry.through(span - 2));
      __syncthreads();
#pragma unroll
      for (int v = 0; v < columns; ++v)
        if (own.has(v)) running.put(v, carry.get(carry.through(span - 2), v * place.lanes + place.lane).value);
      any = true;
    } else {
      any = put_starts<columns>(scan, strip.row, strip.column + first_column, own, running);
    }
    if (behind > 0) {
#pragma unroll
      for (int v = 0; v < columns; ++v)
        if (own.has(v)) running.put(v, any ? combine(running.get(v), folded.get(v)) : folded.get(v));
      any = true;
    }
    bool const is_waited_for = chunk + 1 + tiling.span < chunks;
    if (is_waited_for && (chunk + 1) % tiling.span == 0) {
      if (has_last) {
        auto through = running;
        exchange.advance(part, place, own, groups, any, through, combine);
#pragma unroll
        for (int v = 0; v < columns; ++v)
          if (own.has(v)) carry.put(carry.through(span), v * place.lanes + place.lane, through.get(v));
      }
      carry.publish(carry.through(span));
    }
  }
  if (place.group > 0 && piece.n() > 0) exchange.advance(part, place, own, place.group, any, running, combine);

  // ---- the results
  put_results(piece, scan, own, is_full, any || place.group > 0, running);
  piece.store();
  if (!is_alone && warp() == 0) states.finish(ticket.epoch, gridDim.x);
}

template <class Size, class Piece, class LineScan>
void tiles(Stream stream, LineScan const& scan, Tiling const& tiling, Moves moves, core::Memory const& memory) {
  using Shape = TileShape<Piece, Size, typename LineScan::Value>;
  launch(stream, Grid{static_cast<unsigned>(tiling.tiles()), Size::threads, Shape::shared_bytes},
         column_tiles_kernel<Size, Piece, LineScan>, scan, tiling, moves,
         States::in(memory.states, memory.states_bytes), memory.scratch);
}

}  // namespace KokkosScan::cuda::columns
