// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "block.hpp"

//  Blelloch: an up-sweep that reduces, then a down-sweep that hands each node the prefix before it
//  paper       Blelloch 1990
//  operations  n - 1 up and n - 1 - log2 n down: the prefix before the tile's first element does not exist here, so the
//              log2 n combinations with an identity that the textbook counts are left out, and no identity is needed
//  steps       2 log2 n, one barrier each, and one for the aggregate
//  memory      bit_ceil(n) values: a node that reaches past the end keeps its prefix there
namespace KokkosScan::cuda::block {

template <int items>
struct Blelloch : InPlace<items> {
  static constexpr Kind native_kind = Kind::exclusive;
  KOKKOSSCAN_FUNCTION static constexpr int capacity(int n) {
    int power = 1;
    while (power < n) power *= 2;
    return power;
  }

  template <class Tile, class Combine>
  __device__ static Tile run(Tile tile, Tile scratch, int n, Combine const& combine) {
    int width = 1;
    for (; 2 * width <= n; width *= 2) {
      for_each(n / (2 * width), [&](int i) {
        int const last = (i + 1) * 2 * width - 1;
        tile.store(last, combine(tile.load(last - width), tile.load(last)));
      });
      __syncthreads();
    }
    if (threadIdx.x == 0) scratch.store(0, fold_nodes(tile, width, n, combine));
    __syncthreads();

    // Node i of a level covers [2 i width, 2 (i + 1) width) and keeps its prefix at its last index. Node 0 has none.
    if (width < n) width *= 2;  // the root then covers bit_ceil(n)
    for (width /= 2; width > 0; width /= 2) {
      for_each(nodes(n, 2 * width), [&](int i) {
        int const middle = (2 * i + 1) * width - 1;
        int const last   = middle + width;
        if (middle + 1 < n) {  // there is a right child, so the left one is complete and holds its aggregate
          auto const left = tile.load(middle);
          if (i > 0) {
            auto const before = tile.load(last);
            tile.store(middle, before);
            tile.store(last, combine(before, left));
          } else {
            tile.store(last, left);
          }
        } else if (i > 0) {
          tile.store(middle, tile.load(last));
        }
      });
      __syncthreads();
    }
    return tile;
  }

 private:
  __device__ static int nodes(int n, int size) { return n / size + (n % size != 0); }

  // The aggregate is that of the complete nodes that make up [0, n), from the widest to the narrowest: for a power of
  // two the root alone.
  template <class Tile, class Combine>
  __device__ static auto fold_nodes(Tile const& tile, int width, int n, Combine const& combine) {
    int end = width;
    Uninitialized<TileValue<Tile>> sum;
    sum.put(tile.load(end - 1));
    for (width /= 2; width > 0; width /= 2)
      if (n & width) {
        end += width;
        sum.put(combine(sum.value, tile.load(end - 1)));
      }
    return sum.value;
  }
};

}  // namespace KokkosScan::cuda::block
