// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "block.hpp"

//  Kogge-Stone, in place
//  paper       Kogge and Stone 1973
//  operations  n log2 n - (n - 1)
//  steps       log2 n, two barriers each: every thread has read before anyone writes
//  memory      the tile; a thread keeps its own values in registers
namespace KokkosScan::cuda::block {

template <int items>
struct KoggeStone : InPlace<items> {
  template <class Tile, class Combine>
  __device__ static Tile run(Tile tile, Tile, int n, Combine const& combine) {
    using Value = TileValue<Tile>;
    Uninitialized<Value> own[items];
    for_each_own<items>(n, [&](int k, int i) { own[k].put(tile.load(i)); });
    for (int stride = 1; stride < n; stride *= 2) {
      for_each_own<items>(n, [&](int k, int i) {
        if (i >= stride) own[k].put(combine(tile.load(i - stride), own[k].value));
      });
      __syncthreads();
      for_each_own<items>(n, [&](int k, int i) { tile.store(i, own[k].value); });
      __syncthreads();
    }
    return tile;
  }
};

}  // namespace KokkosScan::cuda::block
