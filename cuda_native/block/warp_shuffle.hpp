// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../warp.hpp"
#include "block.hpp"

//  Warp shuffles: each warp scans 32 values in registers, the first warp scans the aggregates of the others
//  paper       Kogge and Stone 1973 within a warp; Sengupta, Harris, Garland 2008
//  operations  n log2 32, those of the aggregates, and n less the first warp
//  steps       log2 32, log2 of the number of warps, 1; three barriers in all
//  memory      the tile and a value for each warp
namespace KokkosScan::cuda::block {

struct WarpShuffle : InPlace<1> {
  static constexpr int scratch(int, int) { return warp_size; }

  template <class Tile, class Combine>
  __device__ static Tile run(Tile tile, Tile scratch, int n, Combine const& combine) {
    int const i = static_cast<int>(threadIdx.x);
    Uninitialized<TileValue<Tile>> own;
    if (i < n) own.put(tile.load(i));
    int const of_warp = whole_warp();
    own               = scan_warp(own, n - of_warp * warp_size, combine);
    if (i < n && (lane() == warp_size - 1 || i == n - 1)) scratch.store(of_warp, own.value);
    __syncthreads();

    if (of_warp == 0) {
      int const warps = (n + warp_size - 1) / warp_size;
      Uninitialized<TileValue<Tile>> aggregate;
      if (lane() < warps) aggregate.put(scratch.load(lane()));
      aggregate = scan_warp(aggregate, warps, combine);
      if (lane() < warps) scratch.store(lane(), aggregate.value);
    }
    __syncthreads();

    if (i < n) tile.store(i, of_warp == 0 ? own.value : combine(scratch.load(of_warp - 1), own.value));
    __syncthreads();
    return tile;
  }
};

}  // namespace KokkosScan::cuda::block
