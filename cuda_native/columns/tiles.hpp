// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "carry.hpp"
#include "pieces.hpp"

//  Fewer columns, by tiles: a chunk of rows of a strip of columns
//  launches    1
//  bytes       2 n
//  operations  2 n, and a few for each row group
//  steps       the rows of a piece twice, three networks, and a chain with a link to two spans of chunks
//  progress    a block that has a tile must be able to go on; tiles come from a counter, chunk by chunk
namespace KokkosScan::cuda::columns {

/// Where the shared memory of a block has what.
template <class Piece, class Numbers, class Value>
struct TileShape {
  using Exchange                    = columns::Exchange<Numbers::tile_threads, Piece::columns, Value>;
  static constexpr int piece_byte   = static_cast<int>(core::round_up(Exchange::bytes, 128));
  static constexpr int ticket_byte  = static_cast<int>(core::round_up(piece_byte + Piece::shared_bytes, 16));
  static constexpr int shared_bytes = ticket_byte + 16;
  static_assert(shared_bytes <= 60 * 1024);  // every device has them
};

/// What so many chunks from `first` on combine to, of the columns of the calling thread: in every group.
template <int count, class Value, class Own, class Exchange, class Combine>
__device__ auto fold_chunks(Carry<Value> const& carry, std::uint32_t first, int n, int groups, Place const& place,
                            Own const& own, Exchange const& exchange, int free_part, Combine const& combine) {
  Neighbours<Value, count> folded;
  [[maybe_unused]] constexpr int at_once = Own::packed ? 2 : 1;  // for nvcc alone: registers
  int const each                         = (n + groups - 1) / groups;
  int const begin = place.group * each, end = begin + each < n ? begin + each : n;
#pragma unroll at_once
  for (int c = begin; c < end; ++c) {
    auto const chunk = carry.chunk(first + static_cast<std::uint32_t>(c));
#pragma unroll
    for (int v = 0; v < count; ++v)
      if (own.has(v)) {
        Value const aggregate = carry.get(chunk, v * place.lanes + place.lane).value;
        folded.put(v, c > begin ? combine(folded.get(v), aggregate) : aggregate);
      }
  }
  int const used = (n + each - 1) / each;
  int const part = exchange.scan(free_part, 2, place, own, used, folded, combine);
#pragma unroll
  for (int v = 0; v < count; ++v)
    if (own.has(v)) folded.put(v, exchange.get(part, place, v, used - 1));
  return folded;
}

template <class Numbers, class Piece, class LineScan>
__global__ void __launch_bounds__(Numbers::tile_threads, Piece::blocks_per_sm)
    column_tiles_kernel(LineScan const scan, Tiling const tiling, States const states, void* const scratch) {
  begin_behind_previous_grid();
  using Value           = typename LineScan::Value;
  using Shape           = TileShape<Piece, Numbers, Value>;
  constexpr int columns = Piece::columns;
  // What is in registers has names there; of what is in shared memory some is on its way at once.
  constexpr bool staged                  = Piece::shared_bytes > 0;
  [[maybe_unused]] constexpr int at_once = staged ? 8 : Piece::rows;  // for nvcc alone
  auto const combine = [&](Value const& left, Value const& right) { return scan.combine(left, right); };

  // ---- a tile
  bool const is_alone = tiling.chunks == 1;
  Ticket ticket{blockIdx.x, 0};
  if (!is_alone) {
    auto const taken = shared_memory<Ticket>(Shape::ticket_byte);
    if (threadIdx.x == 0) taken.store(0, states.take_tile(static_cast<std::uint32_t>(tiling.tiles())));
    __syncthreads();
    ticket = taken.load(0);
  }
  auto const across         = static_cast<std::uint32_t>(tiling.across);
  std::uint32_t const chunk = ticket.tile / across, at = ticket.tile % across;
  auto const strips     = static_cast<std::uint32_t>(tiling.strips);
  std::size_t const row = at / strips, column = std::size_t{at % strips} * static_cast<std::size_t>(tiling.strip);
  std::size_t const first = std::size_t{chunk} * static_cast<std::size_t>(tiling.rows());
  auto const extent       = [](std::size_t left, int most) {
    return left < static_cast<std::size_t>(most) ? static_cast<int>(left) : most;
  };
  TileOf<LineScan> const tile{
      scan.from.row(scan.shape, row) + column + static_cast<std::ptrdiff_t>(first) * scan.from.step,
      scan.dest.row(scan.shape, row) + column + static_cast<std::ptrdiff_t>(first) * scan.dest.step,
      extent(scan.shape.length - first, tiling.rows()), extent(scan.shape.extents[2] - column, tiling.strip)};
  Place const place(tiling.lanes);
  int const first_column = Piece::first(place);
  typename Piece::Own const own{place.lanes, tile.columns - first_column};
  int const groups = (tile.rows + Piece::rows - 1) / Piece::rows;  // that have rows
  int const rest   = tile.rows - place.group * Piece::rows;
  int const n      = rest < 0 || !own.has(0) ? 0 : rest < Piece::rows ? rest : Piece::rows;
  Piece piece(scan, tile, place, own, n, Shape::piece_byte);
  piece.load();

  // ---- the aggregates of its row groups, which are in shared memory then
  Neighbours<Value, columns> aggregate, running;
#pragma unroll at_once
  for (int i = 0; i < (staged ? n : Piece::rows); ++i)
    if (i < n)
#pragma unroll
      for (int v = 0; v < columns; ++v)
        if (own.has(v)) {
          Value const value = piece.value(i, v);
          aggregate.put(v, i > 0 ? combine(aggregate.get(v), value) : value);
        }
  typename Shape::Exchange const exchange(shared_memory<Value>(0));
  int const part = exchange.scan(0, 1, place, own, groups, aggregate, combine);

  // ---- its own, which others wait for, and what comes before it
  bool any = false;
  if (is_alone) {
    any = put_starts<columns>(scan, row, column + first_column, own, running);
  } else {
    Carry<Value> const carry(tiling, at, states, ticket.epoch, scratch);
    auto const chunks   = static_cast<std::uint32_t>(tiling.chunks);
    bool const has_last = n > 0 && place.group == groups - 1;  // whose aggregates are those of the tile
    if (chunk + 1 < chunks) {
#pragma unroll
      for (int v = 0; v < columns; ++v)
        if (has_last && own.has(v)) carry.put(carry.chunk(chunk), v * place.lanes + place.lane, aggregate.get(v));
      carry.publish(carry.chunk(chunk));
    }

    std::uint32_t const span   = chunk / tiling.span;
    std::uint32_t const anchor = span > 1 ? (span - 1) * tiling.span : 0;
    int const behind           = static_cast<int>(chunk - anchor);
    for (int c = 0; c <= behind; c += Numbers::tile_threads) {
      int const own_chunk = c + static_cast<int>(threadIdx.x);
      bool const is_chunk = own_chunk < behind;
      carry.wait_for(is_chunk || (own_chunk == behind && anchor > 0),
                     is_chunk ? carry.chunk(anchor + static_cast<std::uint32_t>(own_chunk))
                              : carry.through(span > 1 ? span - 2 : 0));
    }
    __syncthreads();
    if (anchor > 0) {
#pragma unroll
      for (int v = 0; v < columns; ++v)
        if (own.has(v)) running.put(v, carry.get(carry.through(span - 2), v * place.lanes + place.lane).value);
      any = true;
    } else {
      any = put_starts<columns>(scan, row, column + first_column, own, running);
    }
    if (behind > 0) {
      auto const folded =
          fold_chunks<columns>(carry, anchor, behind, tiling.groups, place, own, exchange, 1 - part, combine);
#pragma unroll
      for (int v = 0; v < columns; ++v)
        if (own.has(v)) running.put(v, any ? combine(running.get(v), folded.get(v)) : folded.get(v));
      any = true;
    }
    bool const is_waited_for = chunk + 1 + tiling.span < chunks;
    if (is_waited_for && (chunk + 1) % tiling.span == 0) {
#pragma unroll
      for (int v = 0; v < columns; ++v)
        if (has_last && own.has(v)) {
          Value const through = exchange.get(part, place, v, place.group);
          carry.put(carry.through(span), v * place.lanes + place.lane,
                    any ? combine(running.get(v), through) : through);
        }
      carry.publish(carry.through(span));
    }
  }
  if (place.group > 0 && n > 0) {
#pragma unroll
    for (int v = 0; v < columns; ++v)
      if (own.has(v)) {
        Value const before = exchange.get(part, place, v, place.group - 1);
        running.put(v, any ? combine(running.get(v), before) : before);
      }
    any = true;
  }

  // ---- the results
#pragma unroll at_once
  for (int i = 0; i < (staged ? n : Piece::rows); ++i)
    if (i < n) {
      piece.put(i, scan_row<columns>(scan, own, any, running, [&](int v) { return piece.value(i, v); }));
      any = true;
    }
  piece.store();
  if (!is_alone && warp() == 0) states.finish(ticket.epoch, gridDim.x);
}

template <class Numbers, class Piece, class LineScan>
void tiles(Stream stream, LineScan const& scan, Tiling const& tiling, core::Memory const& memory) {
  using Shape = TileShape<Piece, Numbers, typename LineScan::Value>;
  launch(stream, Grid{static_cast<unsigned>(tiling.tiles()), Numbers::tile_threads, Shape::shared_bytes},
         column_tiles_kernel<Numbers, Piece, LineScan>, scan, tiling, States::in(memory.states, memory.states_bytes),
         memory.scratch);
}

}  // namespace KokkosScan::cuda::columns
