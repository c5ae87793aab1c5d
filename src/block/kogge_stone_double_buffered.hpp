// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../core/macros.hpp"

#include "network.hpp"

//  Kogge-Stone between two buffers
//  paper       Kogge and Stone 1973; Hillis and Steele 1986
//  operations  n log2 n - (n - 1)
//  steps       log2 n, one barrier each
//  memory      2 n values
namespace KokkosScan::block {

struct KoggeStoneDoubleBuffered {
  static constexpr Kind native_kind = Kind::inclusive;

  template <class Workers, class Value, class Combine>
  KOKKOSSCAN_FUNCTION static Value* run(Workers const& workers, int n, Value* tile, Value* scratch,
                                        Combine const& combine) {
    Value* from = tile;
    Value* to   = scratch;
    for (int stride = 1; stride < n; stride *= 2) {
      workers.for_each(n, [&](int i) { put(to[i], i < stride ? from[i] : combine(from[i - stride], from[i])); });
      Value* const written = to;
      to                   = from;
      from                 = written;
    }
    return from;
  }
};

}  // namespace KokkosScan::block
