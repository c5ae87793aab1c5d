// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../core/macros.hpp"

#include "network.hpp"

//  Blelloch: an up-sweep that reduces, then a down-sweep that hands each node the prefix before it
//  paper       Blelloch 1990
//  operations  n - 1 up and n - 1 - log2 n down: the prefix before the tile's first element does not exist here, so the
//              log2 n combinations with an identity that the textbook counts are left out, and no identity is needed
//  steps       2 log2 n, one barrier each, and one for the aggregate
//  memory      bit_ceil(n) values: a node that reaches past the end keeps its prefix there
namespace KokkosScan::block {

struct Blelloch {
  static constexpr Kind native_kind = Kind::exclusive;

  template <class Workers, class Tile, class Combine>
  KOKKOSSCAN_FUNCTION static Tile run(Workers const& workers, int n, Tile tile, Tile scratch, Combine const& combine) {
    int width = 1;
    for (; 2 * width <= n; width *= 2)
      workers.for_each(n / (2 * width), [&](int i) {
        int const last = (i + 1) * 2 * width - 1;
        block::store(tile, last, combine(block::load(tile, last - width), block::load(tile, last)));
      });
    workers.once([&] { block::store(scratch, 0, fold_nodes(tile, width, n, combine)); });

    // Node i of a level covers [2 i width, 2 (i + 1) width) and keeps its prefix in its last element. Node 0 has none.
    if (width < n) width *= 2;  // the root then covers bit_ceil(n)
    for (width /= 2; width > 0; width /= 2)
      workers.for_each(nodes(n, 2 * width), [&](int i) {
        int const middle = (2 * i + 1) * width - 1;
        int const last   = middle + width;
        if (middle + 1 < n) {  // there is a right child, so the left one is complete and holds its aggregate
          auto const left = block::load(tile, middle);
          if (i > 0) {
            auto const before = block::load(tile, last);
            block::store(tile, middle, before);
            block::store(tile, last, combine(before, left));
          } else {
            block::store(tile, last, left);
          }
        } else if (i > 0) {
          block::store(tile, middle, block::load(tile, last));
        }
      });
    return tile;
  }

 private:
  KOKKOSSCAN_FUNCTION static int nodes(int n, int size) { return n / size + (n % size != 0); }

  // The aggregate is that of the complete nodes that make up [0, n), from the widest to the narrowest: for a power of
  // two the root alone.
  template <class Tile, class Combine>
  KOKKOSSCAN_FUNCTION static auto fold_nodes(Tile const& tile, int width, int n, Combine const& combine) {
    int end  = width;
    auto sum = block::load(tile, end - 1);
    for (width /= 2; width > 0; width /= 2)
      if (n & width) {
        end += width;
        block::put(sum, combine(sum, block::load(tile, end - 1)));
      }
    return sum;
  }
};

}  // namespace KokkosScan::block
