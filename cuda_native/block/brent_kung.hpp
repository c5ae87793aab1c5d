// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "block.hpp"

//  Brent-Kung: a reduction tree, then a reverse tree that hands its partial results on
//  paper       Brent and Kung 1982
//  operations  2 n - 2 - log2 n
//  steps       2 log2 n - 1, one barrier each
//  memory      the tile
namespace KokkosScan::cuda::block {

template <int items>
struct BrentKung : InPlace<items> {
  template <class Tile, class Combine>
  __device__ static Tile run(Tile tile, Tile, int n, Combine const& combine) {
    int stride = 1;
    for (; 2 * stride <= n; stride *= 2) {
      for_each(n / (2 * stride), [&](int i) {
        int const last = (i + 1) * 2 * stride - 1;
        tile.store(last, combine(tile.load(last - stride), tile.load(last)));
      });
      __syncthreads();
    }
    // A length that is no power of two ends in incomplete nodes; they get their prefix here like any other.
    for (; stride > 0; stride /= 2) {
      for_each((n - stride) / (2 * stride), [&](int i) {
        int const last = (i + 1) * 2 * stride - 1;
        tile.store(last + stride, combine(tile.load(last), tile.load(last + stride)));
      });
      __syncthreads();
    }
    return tile;
  }
};

}  // namespace KokkosScan::cuda::block
