// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/macros.hpp>

#include "network.hpp"

//  Kogge-Stone between two buffers
//  paper       Kogge and Stone 1973; Hillis and Steele 1986
//  operations  n log2 n - (n - 1)
//  steps       log2 n, one barrier each
//  room        2 n values
namespace KokkosScan::block {

struct KoggeStoneDoubleBuffered {
  static constexpr Kind native_kind = Kind::inclusive;

  template <class Crew, class Value, class Join>
  KOKKOSSCAN_FUNCTION static Value* run(Crew const& crew, int n, Value* tile, Value* spare, Join const& join) {
    Value* from = tile;
    Value* to   = spare;
    for (int stride = 1; stride < n; stride *= 2) {
      crew.for_each(n, [&](int i) { put(to[i], i < stride ? from[i] : join(from[i - stride], from[i])); });
      Value* const written = to;
      to                   = from;
      from                 = written;
    }
    return from;
  }
};

}  // namespace KokkosScan::block
