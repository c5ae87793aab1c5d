// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../tuning.hpp"
#include "../values.hpp"
#include "../warp.hpp"

namespace KokkosScan::cuda::pipelined {

/// How values are shared out among the warps of a block: a tile is cut into slices, of which each warp takes one, and a
/// slice into pieces, one to a lane.
template <class Value>
struct Shape {
  static constexpr int slices = pipeline_slices(sizeof(Value));
  static constexpr int unit   = Unit<Value>::count;
  static constexpr int units  = pipeline_units(sizeof(Value), sizeof(Unit<Value>), alignof(Value));  // of a piece
  static constexpr int piece  = units * unit;
  static constexpr int slice  = warp_size * piece;
  static constexpr int tile   = slices * slice;
};

}  // namespace KokkosScan::cuda::pipelined
