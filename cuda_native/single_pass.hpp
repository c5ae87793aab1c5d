// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "groups.hpp"
#include "transfer.hpp"

// The frame of the single-pass algorithms: each block takes one tile from a counter, scans it, learns what comes before
// it from the blocks that took earlier tiles, and writes the result. Memory is read once and written once, by one
// launch. An algorithm says how blocks learn what stands before a group of tiles, and that is all it says:
//
//   find_before(groups, combine, g, init)    called by all lanes of the first warp of a block with a tile of group g
//   publish_aggregate(groups, g, aggregate)  called by one thread, as soon as the aggregate of the group is known
//   publish_prefix(groups, g, prefix)        called by that thread, once all up to the end of the group is
namespace KokkosScan::cuda {

/// Publishes the aggregate of tile k; but for the last tile of a group, that of the group is published instead, later.
template <class Value>
__device__ void publish_tile_aggregate(Groups<Value> const& groups, std::uint32_t k, Value const& aggregate) {
  if (k % warp_size != warp_size - 1) groups.tile(k).publish(TileState::aggregate, aggregate);
}

/// What comes before tile k. Called by all lanes of a warp, behind publish_tile_aggregate().
template <class Algorithm, class Value, class Combine>
__device__ Maybe<Value> find_before(Groups<Value> const& groups, Combine const& combine, std::uint32_t k,
                                    Value const& aggregate, Maybe<Value> const& init) {
  std::uint32_t const g = k / warp_size;
  int const index       = static_cast<int>(k % warp_size);
  bool const publishes  = index == warp_size - 1 && lane() == 0;  // for its group

  Uninitialized<Value> tiles;
  groups.wait_for_tiles(g, index, tiles);
  if (lane() == index) tiles.put(aggregate);
  tiles                                      = scan_warp(tiles, index + 1, combine);
  Uninitialized<Value> const group_aggregate = shuffle(tiles, index);  // once this tile is the last
  if (publishes) Algorithm::publish_aggregate(groups, g, group_aggregate.value);

  Maybe<Value> const before_group = Algorithm::find_before(groups, combine, g, init);
  if (publishes) Algorithm::publish_prefix(groups, g, combine(before_group, group_aggregate.value));
  Uninitialized<Value> const before_tile = shuffle(tiles, index > 0 ? index - 1 : 0);
  return index > 0 ? Maybe<Value>(combine(before_group, before_tile.value)) : before_group;
}

/// The blocks that must find registers on a multiprocessor; 0 where the compiler knows best.
template <class Block, class Problem>
constexpr int min_blocks_per_sm() {
  if constexpr (Block::of_marks)
    return fitting_blocks(Block::min_blocks_per_sm, Block::threads);
  else if constexpr (registers_of_functors > 0 && core::advances<typename Problem::Sink> &&
                     sizeof(typename Problem::Value) <= 8)
    return fitting_blocks(registers_per_sm / (registers_of_functors * Block::threads), Block::threads);
  else
    return 0;
}

template <class Block, class Algorithm, class Given>
__global__ void __launch_bounds__(Block::threads, (min_blocks_per_sm<Block, core::Resolved<Given>>()))
    single_pass_kernel(Given const given, States const states, typename Given::Value* staging) {
  begin_behind_previous_grid();
  using Value         = typename Given::Value;
  auto const& problem = core::resolved(given);
  auto const ticket   = shared_memory<Ticket>(Block::ticket_byte);
  auto const prefix   = shared_memory<Maybe<Value>>(Block::prefix_byte);
  Tiles const tiles{problem.n, Block::tile_length};
  auto const count = static_cast<std::uint32_t>(tiles.count());
  if (has_no_tile<Given>(problem, count)) return;

  // ---- a tile
  if (threadIdx.x == 0) ticket.store(0, states.take_tile(count));
  __syncthreads();
  Ticket const own             = ticket.load(0);
  std::uint32_t const k        = own.tile;
  core::Tile const range       = tiles[k];
  int const n                  = static_cast<int>(range.size());
  auto const combine           = [&](auto const& left, Value const& right) { return problem.combine(left, right); };
  typename Block::Tile tile    = Block::tile(staging, k);
  typename Block::Tile scratch = Block::scratch(staging, k);
  load_tile<Block>(problem, range, tile);
  __syncthreads();

  // ---- its local scan, and its aggregate as soon as that is known: others wait for it
  Groups<Value> const groups(states, own.epoch);
  auto const publish = [&](Value const& aggregate) { publish_tile_aggregate(groups, k, aggregate); };
  typename Block::Tile const result =
      block::run_and_publish<typename Block::Algorithm>(tile, scratch, n, combine, publish);

  // ---- what comes before it
  if (warp() == 0) {
    Value const aggregate     = block::local_aggregate<typename Block::Algorithm>(result, scratch, n);
    Maybe<Value> const before = find_before<Algorithm>(groups, combine, k, aggregate, problem.start());
    if (lane() == 0) {
      prefix.store(0, before);
      // Made as the last element is, so that it has the same bits.
      if (k + 1 == count && problem.total) problem.put_total(combine(before, aggregate));
    }
  }
  __syncthreads();

  // ---- the result
  store_tile<Block>(problem, range, result, scratch, prefix.load(0));
  if (warp() == 0)  // read anew: it would take a register all the way
    states.finish<Value>(ticket.load(0).epoch, blocks_with_tiles<Given>(count));
}

template <class Block, class Algorithm, class Problem>
void single_pass(Stream stream, Problem const& problem, States const& states, typename Problem::Value* staging) {
  Tiles const tiles{problem.n, Block::tile_length};
  launch(stream, Grid{static_cast<unsigned>(tiles.count()), Block::threads, Block::shared_bytes},
         single_pass_kernel<Block, Algorithm, Problem>, problem, states, staging);
}

}  // namespace KokkosScan::cuda
