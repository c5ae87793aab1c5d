// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tiles.hpp"
#include "walk.hpp"

// From a plan to a launch.
namespace KokkosScan::cuda::columns {

/// Enqueues a scan of lines that the plan serves, of one element or more.
template <class Numbers = ColumnNumbers, class LineScan>
void run(Stream stream, Plan const& plan, LineScan const& scan, core::Memory const& memory) {
  using T = Types<LineScan, Numbers>;
  if constexpr (T::serves) {
    if constexpr (T::can_be_staged)
      if (plan.kind == Plan::Kind::staged)
        return tiles<Numbers, Staged<LineScan, Numbers>>(stream, scan, plan.tiling, memory);
    if (plan.kind == Plan::Kind::walk_long) return walk<Numbers, Walk::in_long_batches>(stream, scan);
    if constexpr (T::packs)
      if (plan.kind != Plan::Kind::walk_singly && are_packed<T>(scan)) {
        if (plan.kind == Plan::Kind::walk) return walk<Numbers, Walk::packed>(stream, scan);
        return tiles<Numbers, InRegisters<LineScan, Numbers, true>>(stream, scan, plan.tiling, memory);
      }
    if (plan.kind == Plan::Kind::tiles)
      return tiles<Numbers, InRegisters<LineScan, Numbers, false>>(stream, scan, plan.tiling, memory);
    walk<Numbers, Walk::singly>(stream, scan);
  }
}

}  // namespace KokkosScan::cuda::columns
