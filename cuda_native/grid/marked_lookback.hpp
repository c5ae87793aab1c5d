// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>

#include "../marked_tile.hpp"
#include "../spans.hpp"

//  Look-back over tiles of marks: decoupled look-back in which each block chooses from its next tile before it waits
//  paper       Merrill and Garland 2016
//  launches    1
//  bytes       what is chosen by, and what becomes of it
//  operations  a look at each element, and some 300 a tile to look back
//  steps       those of two tiles, one look-back, and a chain with a link to 64 tiles
//  progress    a block that has a tile must be able to go on; tiles come from a counter
//
// The aggregate of a tile is published as soon as it is chosen from, and only then does its block wait for what comes
// before the tile that it had before: for that, most of the others have gone on meanwhile
// (docs/decisions/compaction.md).
namespace KokkosScan::cuda::marked_lookback {

/// The shared memory of a block: two tickets, a prefix, two tiles.
template <class Value>
struct Layout {
  static constexpr int tickets_byte = 0;
  static constexpr int prefix_byte  = 64;
  static constexpr int tiles_byte   = prefix_byte + static_cast<int>(core::round_up(sizeof(Value), 64));
  static constexpr int bytes        = tiles_byte + 2 * MarkedTile::bytes;
};

/// How many are chosen before tile k; publishes what ends a span, and leaves the total.
template <class Problem, class Value = typename Problem::Value>
__device__ Value find_before(Problem const& problem, TileSpans<Value> const& spans, std::uint32_t k, Value aggregate,
                             bool is_last) {
  auto const combine        = [&](auto const& left, Value const& right) { return problem.combine(left, right); };
  Maybe<Value> const before = find_before_by_spans(spans, combine, k, problem.start());
  Value const through       = combine(before, aggregate);
  if (lane() == 0) {
    if (ends_span(k)) spans.through(k / warp_size).publish(TileState::inclusive_prefix, through);
    if (is_last) problem.put_total(through);
  }
  return before ? *before : Value{0};
}

template <class Given>
__global__ void __launch_bounds__(marked_threads) marked_kernel(Given const given, States const states) {
  using Value         = typename Given::Value;
  auto const& problem = core::resolved(given);
  using Problem       = core::Resolved<Given>;
  using L             = Layout<Value>;
  auto const tickets  = shared_memory<Ticket>(L::tickets_byte);
  auto const prefix   = shared_memory<Value>(L::prefix_byte);
  Tiles const tiles{problem.n, MarkedTile::length};
  auto const count          = static_cast<std::uint32_t>(tiles.count());
  std::uint32_t const takes = count + gridDim.x;  // each block takes one that is none
  put_total_of_nothing<Given>(problem);

  Ticket own{count, 0};
  for (int turn = 0;; turn ^= 1) {
    Ticket const earlier = own;
    MarkedTile const tile(L::tiles_byte + turn * MarkedTile::bytes);
    MarkedTile const earlier_tile(L::tiles_byte + (turn ^ 1) * MarkedTile::bytes);

    // ---- a tile, and what is chosen of it
    if (threadIdx.x == 0) tickets.store(turn, states.take_tile(takes));
    __syncthreads();
    own = tickets.load(turn);
    if (own.tile < count) tile.choose(problem, tiles[own.tile]);
    __syncthreads();

    // ---- its aggregate, and what comes before the tile that was taken earlier
    if (warp() == 0) {
      TileSpans<Value> const spans(states, own.epoch);
      if (own.tile < count) {
        Value const aggregate = static_cast<Value>(tile.count_marks());
        if (lane() == 0) spans.aggregate(own.tile).publish(TileState::aggregate, aggregate);
      }
      if (earlier.tile < count) {
        Value const before = find_before(problem, spans, earlier.tile, static_cast<Value>(earlier_tile.count()),
                                         earlier.tile + 1 == count);
        if (lane() == 0) prefix.store(0, before);
      }
    }
    __syncthreads();

    // ---- the results
    if (own.tile < count) tile.template list_chosen<Problem>();
    if (earlier.tile < count) earlier_tile.hand_on(problem, tiles[earlier.tile], prefix.load(0));
    if (own.tile >= count) break;
  }
  if (warp() == 0) states.finish(own.epoch, gridDim.x);
}

template <class Problem>
void run(Stream stream, Problem const& problem, States const& states, Device const& device) {
  std::size_t const tiles  = Tiles{problem.n, MarkedTile::length}.count();
  std::size_t const blocks = std::min(tiles, static_cast<std::size_t>(device.multiprocessors * marked_blocks_per_sm));
  launch(stream, Grid{static_cast<unsigned>(blocks), marked_threads, Layout<typename Problem::Value>::bytes},
         marked_kernel<Problem>, problem, states);
}

}  // namespace KokkosScan::cuda::marked_lookback
