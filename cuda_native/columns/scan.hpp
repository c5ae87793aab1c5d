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
    auto const run_kind = [&]<bool packed>(std::bool_constant<packed>) {
      if (plan.kind == Plan::Kind::tiles)
        tiles<Numbers, InRegisters<LineScan, Numbers, packed>>(stream, scan, plan.tiling, memory);
      else
        walk<Numbers, packed>(stream, scan);
    };
    if constexpr (T::packs)
      if (are_packed<T>(scan)) return run_kind(std::true_type());
    run_kind(std::false_type());
  }
}

}  // namespace KokkosScan::cuda::columns
