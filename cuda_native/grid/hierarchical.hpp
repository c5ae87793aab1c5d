// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

#include "../transfer.hpp"

//  Hierarchical scan: scan the tiles, scan their totals in the same way, update the tiles
//  paper       Sengupta, Harris, Zhang, Owens 2007; on vector machines Blelloch 1990
//  launches    2 log n - 1, the logarithm to the base of the tile length
//  bytes       4 n; 3 n where results are stored in another type than they are made in
//  operations  those of the block algorithm, and n for the prefixes
//  steps       those of the block algorithm, and one, for each level
//  progress    none: no block waits for another
namespace KokkosScan::cuda::hierarchical {

/// The values of scratch: the totals of all levels.
template <class Block>
constexpr std::size_t scratch_values(std::size_t n) {
  std::size_t values = 0;
  for (std::size_t count = Tiles{n, Block::tile_length}.count(); count > 1;
       count             = Tiles{count, Block::tile_length}.count())
    values += count;
  return values;
}

/// One block scans one tile: as if there were no others, or, if it is the only one or all `totals` are known, for good.
template <class Block, bool totals_are_known, class Scan>
__global__ void __launch_bounds__(Block::threads)
    scan_tile_kernel(Scan const scan, typename Scan::Value* totals, typename Scan::Value* staging) {
  using Value = typename Scan::Value;
  Tiles const tiles{scan.n, Block::tile_length};
  driver::Tile const range   = tiles[blockIdx.x];
  int const n                = static_cast<int>(range.size());
  auto const combine         = [&](Value const& left, Value const& right) { return scan.join(left, right); };
  typename Block::Tile tile  = Block::tile(staging, blockIdx.x);
  typename Block::Tile spare = Block::spare(staging, blockIdx.x);

  bring_in<Block>(scan, range, tile);
  __syncthreads();
  typename Block::Tile const result = Block::Algorithm::run(tile, spare, n, combine);

  bool const only           = gridDim.x == 1;
  bool const first          = only || (totals_are_known && blockIdx.x == 0);
  Maybe<Value> const before = first              ? scan.start()
                              : totals_are_known ? Maybe<Value>(totals[blockIdx.x - 1])
                                                 : Maybe<Value>();
  if (threadIdx.x == 0) {
    Value const total = block::local_total<typename Block::Algorithm>(result, spare, n);
    if (!only && !totals_are_known) ::new (static_cast<void*>(totals + blockIdx.x)) Value(total);
    // Of the last tile alone until its prefix is known: made as the last element is, it has the same bits.
    if (scan.total && blockIdx.x + 1 == gridDim.x)
      ::new (static_cast<void*>(scan.total)) Value(scan.join(before, total));
  }
  // Without a prefix, the first element of an exclusive scan gets nothing of use: the next kernel writes it.
  if (only || totals_are_known || !Scan::converts_results) write_out<Block>(scan, range, result, spare, before);
}

/// Combines the aggregate of the tiles before it with each result of a tile.
template <class Block, class Scan>
__global__ void __launch_bounds__(Block::threads)
    add_prefix_kernel(Scan const scan, typename Scan::Value const* totals) {
  using Value = typename Scan::Value;
  Tiles const tiles{scan.n, Block::tile_length};
  driver::Tile const range  = tiles[blockIdx.x];
  Maybe<Value> const before = blockIdx.x == 0 ? scan.start() : Maybe<Value>(totals[blockIdx.x - 1]);
  if (!before) return;
  Value const prefix = *before;
  if (scan.total && range.end == scan.n && threadIdx.x == 0) {
    Value const total = *scan.total;
    ::new (static_cast<void*>(scan.total)) Value(scan.join(prefix, total));
  }
  for (std::size_t i = range.begin + threadIdx.x; i < range.end; i += blockDim.x) {
    bool const first   = Scan::kind == Kind::exclusive && i == range.begin;  // it has no local result
    Value const result = first ? prefix : scan.join(prefix, scan.dest[i]);
    // Only now: an operator may write to its result before it has read all, and that must not be what it reads.
    ::new (static_cast<void*>(&scan.dest[i])) Value(result);
  }
}

template <class Block, class Scan>
void run(Stream stream, Scan const& scan, typename Scan::Value* scratch, typename Scan::Value* staging) {
  using Value = typename Scan::Value;
  Tiles const tiles{scan.n, Block::tile_length};
  auto const blocks = static_cast<unsigned>(tiles.count());
  launch(stream, Grid{blocks, Block::threads, Block::shared_bytes}, scan_tile_kernel<Block, false, Scan>, scan, scratch,
         staging);
  if (blocks == 1) return;

  // The totals are scanned in place, behind init. Nobody works on the staged tiles any more.
  using Totals = driver::Scan<Kind::inclusive, Value, Contiguous<Value>, Contiguous<Value>, typename Scan::Operator,
                              Unchanged, decltype(scan.init)>;
  Totals const totals{{scratch}, {scratch}, tiles.count(), scan.op, {}, scan.init, nullptr};
  run<Block>(stream, totals, scratch + tiles.count(), staging);

  // What is stored in another type is no longer what a prefix must be combined with.
  if constexpr (Scan::converts_results)
    launch(stream, Grid{blocks, Block::threads, Block::shared_bytes}, scan_tile_kernel<Block, true, Scan>, scan,
           scratch, staging);
  else
    launch(stream, Grid{blocks, Block::threads}, add_prefix_kernel<Block, Scan>, scan, scratch);
}

}  // namespace KokkosScan::cuda::hierarchical
