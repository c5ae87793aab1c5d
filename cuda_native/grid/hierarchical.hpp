// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

#include "../transfer.hpp"

//  Hierarchical scan: scan the tiles, scan their aggregates in the same way, update the tiles
//  paper       Sengupta, Harris, Zhang, Owens 2007; on vector machines Blelloch 1990
//  launches    2 log n - 1, the logarithm to the base of the tile length
//  bytes       4 n; 3 n where results are stored in another type than they are made in
//  operations  those of the block algorithm, and n for the prefixes
//  steps       those of the block algorithm, and one, for each level
//  progress    none: no block waits for another
namespace KokkosScan::cuda::hierarchical {

/// The values of scratch: the aggregates of all levels.
template <class Block>
constexpr std::size_t scratch_values(std::size_t n) {
  std::size_t values = 0;
  for (std::size_t count = Tiles{n, Block::tile_length}.count(); count > 1;
       count             = Tiles{count, Block::tile_length}.count())
    values += count;
  return values;
}

/// One block scans one tile: as if there were no others, or, if it is the only one or all `aggregates` are known, for
/// good.
template <class Block, bool aggregates_are_known, class Given>
__global__ void __launch_bounds__(Block::threads)
    scan_tile_kernel(Given const given, typename Given::Value* aggregates, typename Given::Value* staging) {
  begin_behind_previous_grid();
  using Value         = typename Given::Value;
  using Problem       = core::Resolved<Given>;
  auto const& problem = core::resolved(given);
  Tiles const tiles{problem.n, Block::tile_length};
  if (has_no_tile<Given>(problem, tiles.count())) return;
  core::Tile const range       = tiles[blockIdx.x];
  int const n                  = static_cast<int>(range.size());
  auto const combine           = [&](Value const& left, Value const& right) { return problem.combine(left, right); };
  typename Block::Tile tile    = Block::tile(staging, blockIdx.x);
  typename Block::Tile scratch = Block::scratch(staging, blockIdx.x);

  load_tile<Block>(problem, range, tile);
  __syncthreads();
  typename Block::Tile const result = Block::Algorithm::run(tile, scratch, n, combine);

  bool const only           = gridDim.x == 1;
  bool const first          = only || (aggregates_are_known && blockIdx.x == 0);
  Maybe<Value> const before = first                  ? problem.start()
                              : aggregates_are_known ? Maybe<Value>(aggregates[blockIdx.x - 1])
                                                     : Maybe<Value>();
  if (threadIdx.x == 0) {
    Value const aggregate = block::local_aggregate<typename Block::Algorithm>(result, scratch, n);
    if (!only && !aggregates_are_known) ::new (static_cast<void*>(aggregates + blockIdx.x)) Value(aggregate);
    // Of the last tile alone until its prefix is known: made as the last element is, it has the same bits.
    if (problem.total && blockIdx.x + 1 == blocks_with_tiles<Given>(tiles.count()))
      problem.put_total(problem.combine(before, aggregate));
  }
  // Without a prefix, the first element of an exclusive scan gets nothing of use: the next kernel writes it.
  if (only || aggregates_are_known || core::holds_local_results<Problem>)
    store_tile<Block>(problem, range, result, scratch, before);
}

/// Combines the aggregate of the tiles before it with each result of a tile.
template <class Block, class Given>
__global__ void __launch_bounds__(Block::threads)
    add_prefix_kernel(Given const given, typename Given::Value const* aggregates) {
  begin_behind_previous_grid();
  using Value         = typename Given::Value;
  using Problem       = core::Resolved<Given>;
  auto const& problem = core::resolved(given);
  Tiles const tiles{problem.n, Block::tile_length};
  if (has_no_tile<Given>(problem, tiles.count())) return;
  core::Tile const range    = tiles[blockIdx.x];
  Maybe<Value> const before = blockIdx.x == 0 ? problem.start() : Maybe<Value>(aggregates[blockIdx.x - 1]);
  if (!before) return;
  Value const prefix = *before;
  if (problem.total && range.end == problem.n && threadIdx.x == 0) {
    Value const local = *problem.total;
    ::new (static_cast<void*>(problem.total)) Value(problem.combine(prefix, local));
  }
  for (std::size_t i = range.begin + threadIdx.x; i < range.end; i += blockDim.x) {
    bool const first   = Problem::Sink::kind == Kind::exclusive && i == range.begin;  // it has no local result
    Value const result = first ? prefix : problem.combine(prefix, problem.sink.array[i]);
    // Only now: an operator may write to its result before it has read all, and that must not be what it reads.
    ::new (static_cast<void*>(&problem.sink.array[i])) Value(result);
  }
}

template <class Block, class Problem>
void run(Stream stream, Problem const& problem, typename Problem::Value* aggregates, typename Problem::Value* staging) {
  Tiles const tiles{problem.n, Block::tile_length};
  auto const blocks = static_cast<unsigned>(tiles.count());
  launch(stream, Grid{blocks, Block::threads, Block::shared_bytes}, scan_tile_kernel<Block, false, Problem>, problem,
         aggregates, staging);
  if (blocks == 1) return;

  // The aggregates are scanned in place, behind init. No block works on the staged tiles any more.
  run<Block>(stream, core::scan_of_aggregates(problem, aggregates, tiles), aggregates + tiles.count(), staging);

  // What is stored in another type, or handed on, is no longer what a prefix must be combined with.
  if constexpr (core::holds_local_results<core::Resolved<Problem>>)
    launch(stream, Grid{blocks, Block::threads}, add_prefix_kernel<Block, Problem>, problem, aggregates);
  else
    launch(stream, Grid{blocks, Block::threads, Block::shared_bytes}, scan_tile_kernel<Block, true, Problem>, problem,
           aggregates, staging);
}

}  // namespace KokkosScan::cuda::hierarchical
