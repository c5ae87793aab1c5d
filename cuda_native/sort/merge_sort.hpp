// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "merge_pass.hpp"
#include "tile_sort.hpp"

//  Merge sort: tiles are sorted, and then pairs of runs are merged, each tile of the results by a block that finds
//  where it begins in both
//  paper       Odeh, Green, Mwassi, Shmueli, Birk 2012 (Merge Path); Green, McColl, Bader 2012 (on GPUs)
//  launches    1, and 1 each time that runs get twice as long
//  bytes       2 n for each, keys and values
//  operations  n log n comparisons, and those of a search for each tile and each thread
//  steps       those of a tile for each launch, and those of a search by 32 lanes
//  progress    none
namespace KokkosScan::cuda::merge {

/// Enqueues a sort of n > 0 keys.
template <class Sort>
void run(Stream stream, Sort const& sort) {
  using S                 = Shape<Sort>;
  std::size_t const tiles = tiles_of<Sort>(sort.n);
  bool moves              = sort.passes(S::tile) % 2 != 0;
  Grid const grid{static_cast<unsigned>(tiles), S::threads, S::bytes};
  launch(stream, grid, sort_tiles_kernel<Sort>, sort, moves);
  for (std::size_t run_tiles = 1; run_tiles < tiles; run_tiles *= 2, moves = !moves)
    launch(stream, grid, merge_pass_kernel<Sort>, sort, run_tiles, moves);
}

}  // namespace KokkosScan::cuda::merge
