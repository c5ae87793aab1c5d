// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../core/macros.hpp"

#include "network.hpp"

//  Kogge-Stone, in place
//  paper       Kogge and Stone 1973
//  operations  n log2 n - (n - 1)
//  steps       log2 n, two barriers each
//  memory      n values and a private one for each worker (`scratch`): the read of a step must not see its writes
namespace KokkosScan::block {

struct KoggeStone {
  static constexpr Kind native_kind = Kind::inclusive;

  template <class Workers, class Value, class Combine>
  KOKKOSSCAN_FUNCTION static Value* run(Workers const& workers, int n, Value* tile, Value* scratch,
                                        Combine const& combine) {
    for (int stride = 1; stride < n; stride *= 2) {
      workers.for_each(n - stride, [&](int i) { put(scratch[i + stride], combine(tile[i], tile[i + stride])); });
      workers.for_each(n - stride, [&](int i) { put(tile[i + stride], scratch[i + stride]); });
    }
    return tile;
  }
};

}  // namespace KokkosScan::block
