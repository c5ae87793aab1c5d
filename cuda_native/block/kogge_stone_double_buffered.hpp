// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "block.hpp"

//  Kogge-Stone between two buffers
//  paper       Kogge and Stone 1973; Hillis and Steele 1986
//  operations  n log2 n - (n - 1)
//  steps       log2 n, one barrier each: what is read is never what is written
//  memory      two tiles; a thread keeps its own values in registers
namespace KokkosScan::cuda::block {

template <int items>
struct KoggeStoneDoubleBuffered : InPlace<items> {
  static constexpr int scratch(int n, int) { return n; }

  template <class Tile, class Combine>
  __device__ static Tile run(Tile tile, Tile scratch, int n, Combine const& combine) {
    using Value = TileValue<Tile>;
    Uninitialized<Value> own[items];
    for_each_own<items>(n, [&](int k, int i) { own[k].put(tile.load(i)); });
    Tile from = tile;
    Tile to   = scratch;
    for (int stride = 1; stride < n; stride *= 2) {
      for_each_own<items>(n, [&](int k, int i) {
        if (i >= stride) own[k].put(combine(from.load(i - stride), own[k].value));
        to.store(i, own[k].value);
      });
      __syncthreads();
      Tile const written = to;
      to                 = from;
      from               = written;
    }
    return from;
  }
};

}  // namespace KokkosScan::cuda::block
