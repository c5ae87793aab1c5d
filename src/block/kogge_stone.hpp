// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/macros.hpp>

#include "network.hpp"

//  Kogge-Stone, in place
//  paper       Kogge and Stone 1973
//  operations  n log2 n - (n - 1)
//  steps       log2 n, two barriers each
//  room        n values and a private one for each worker (`spare`): the read of a step must not see its writes
namespace KokkosScan::block {

struct KoggeStone {
  static constexpr Kind native_kind = Kind::inclusive;

  template <class Crew, class Value, class Join>
  KOKKOSSCAN_FUNCTION static Value* run(Crew const& crew, int n, Value* tile, Value* spare, Join const& join) {
    for (int stride = 1; stride < n; stride *= 2) {
      crew.for_each(n - stride, [&](int i) { put(spare[i + stride], join(tile[i], tile[i + stride])); });
      crew.for_each(n - stride, [&](int i) { put(tile[i + stride], spare[i + stride]); });
    }
    return tile;
  }
};

}  // namespace KokkosScan::block
