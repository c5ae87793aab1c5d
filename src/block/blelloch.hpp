// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../core/macros.hpp"

#include "network.hpp"

//  Blelloch: an up-sweep that reduces, then a down-sweep that hands each node the prefix before it
//  paper       Blelloch 1990
//  operations  n - 1 up and n - 1 - log2 n down: the prefix before the tile's first element does not exist here, so the
//              log2 n combinations with an identity that the textbook counts are left out, and no identity is needed
//  steps       2 log2 n, one barrier each
//  memory      bit_ceil(n) values: a node that reaches past the end keeps its prefix there
namespace KokkosScan::block {

struct Blelloch {
  static constexpr Kind native_kind = Kind::exclusive;

  template <class Workers, class Value, class Combine>
  KOKKOSSCAN_FUNCTION static Value* run(Workers const& workers, int n, Value* tile, Value* scratch,
                                        Combine const& combine) {
    int width = 1;
    for (; 2 * width <= n; width *= 2)
      workers.for_each(n / (2 * width), [&](int i) {
        int const last = (i + 1) * 2 * width - 1;
        put(tile[last], combine(tile[last - width], tile[last]));
      });
    reduce_nodes(workers, n, tile, scratch, combine);

    // Node i of a level covers [2 i width, 2 (i + 1) width) and keeps its prefix in its last element. Node 0 has none.
    if (width < n) width *= 2;  // the root then covers bit_ceil(n)
    for (width /= 2; width > 0; width /= 2)
      workers.for_each(nodes(n, 2 * width), [&](int i) {
        int const middle = (2 * i + 1) * width - 1;
        int const last   = middle + width;
        if (middle + 1 < n) {  // there is a right child, so the left one is complete and holds its aggregate
          Value const left = tile[middle];
          if (i > 0) put(tile[middle], tile[last]);
          put(tile[last], i > 0 ? combine(tile[last], left) : left);
        } else if (i > 0) {
          put(tile[middle], tile[last]);
        }
      });
    return tile;
  }

 private:
  KOKKOSSCAN_FUNCTION static int nodes(int n, int size) { return n / size + (n % size != 0); }

  // The tile's aggregate is that of the complete nodes of [0, n), from the widest to the narrowest: for a power of two
  // the root alone.
  template <class Workers, class Value, class Combine>
  KOKKOSSCAN_FUNCTION static void reduce_nodes(Workers const& workers, int n, Value const* tile, Value* scratch,
                                               Combine const& combine) {
    workers.for_each(1, [&](int) {
      int width = 1;
      while (2 * width <= n) width *= 2;
      int end = width;
      Value aggregate(tile[end - 1]);
      for (width /= 2; width > 0; width /= 2)
        if (n & width) {
          end += width;
          put(aggregate, combine(aggregate, tile[end - 1]));
        }
      put(scratch[0], aggregate);
    });
  }
};

}  // namespace KokkosScan::block
