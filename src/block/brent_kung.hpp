// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../core/macros.hpp"

#include "network.hpp"

//  Brent-Kung: a reduction tree, then a reverse tree that hands its partial results on
//  paper       Brent and Kung 1982
//  operations  2 n - 2 - log2 n
//  steps       2 log2 n - 1 that have work, and at most two more, one barrier each
//  memory      n values
namespace KokkosScan::block {

struct BrentKung {
  static constexpr Kind native_kind = Kind::inclusive;

  template <class Workers, class Tile, class Combine>
  KOKKOSSCAN_FUNCTION static Tile run(Workers const& workers, int n, Tile tile, Tile, Combine const& combine) {
    int stride = 1;
    for (; 2 * stride <= n; stride *= 2)
      workers.for_each(n / (2 * stride), [&](int i) {
        int const last = (i + 1) * 2 * stride - 1;
        block::store(tile, last, combine(block::load(tile, last - stride), block::load(tile, last)));
      });
    // A length that is no power of two ends in incomplete nodes; they get their prefix here like any other.
    for (; stride > 0; stride /= 2)
      workers.for_each((n - stride) / (2 * stride), [&](int i) {
        int const last = (i + 1) * 2 * stride - 1;
        block::store(tile, last + stride, combine(block::load(tile, last), block::load(tile, last + stride)));
      });
    return tile;
  }
};

}  // namespace KokkosScan::block
