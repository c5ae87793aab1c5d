// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../core/macros.hpp"

#include "network.hpp"

//  Brent-Kung: a reduction tree, then a reverse tree that hands its partial results on
//  paper       Brent and Kung 1982
//  operations  2 n - 2 - log2 n
//  steps       2 log2 n - 1, one barrier each
//  memory      n values
namespace KokkosScan::block {

struct BrentKung {
  static constexpr Kind native_kind = Kind::inclusive;

  template <class Workers, class Value, class Combine>
  KOKKOSSCAN_FUNCTION static Value* run(Workers const& workers, int n, Value* tile, Value*, Combine const& combine) {
    int stride = 1;
    for (; 2 * stride <= n; stride *= 2)
      workers.for_each(n / (2 * stride), [&](int i) {
        int const last = (i + 1) * 2 * stride - 1;
        put(tile[last], combine(tile[last - stride], tile[last]));
      });
    // A length that is no power of two ends in incomplete nodes; they get their prefix here like any other.
    for (; stride > 0; stride /= 2)
      workers.for_each((n - stride) / (2 * stride), [&](int i) {
        int const last = (i + 1) * 2 * stride - 1;
        put(tile[last + stride], combine(tile[last], tile[last + stride]));
      });
    return tile;
  }
};

}  // namespace KokkosScan::block
