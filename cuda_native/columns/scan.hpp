// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "copied_walk.hpp"
#include "strips.hpp"
#include "tiles.hpp"
#include "walk.hpp"

// From a plan to a launch.
namespace KokkosScan::cuda::columns {

/// Enqueues a scan of lines that the plan serves, of one element or more. `current_device` tells what the device is, if
/// that matters: never to the bits.
template <class Numbers = ColumnNumbers, class LineScan, class CurrentDevice>
void run(Stream stream, Plan const& plan, LineScan const& scan, core::Memory const& memory,
         CurrentDevice const& current_device) {
  using T = Types<LineScan>;
  if constexpr (T::serves) {
    using Tiles  = TileSize<Numbers, sizeof(typename T::Value)>;
    using Strips = StripSize<Numbers>;
    if constexpr (T::can_be_staged)
      if (plan.kind == Plan::Kind::whole_rows)
        return tiles<Tiles, Staged<LineScan, Tiles, 1, T::odd_rows_of(Tiles::bytes, 1)>>(
            stream, scan, plan.tiling, moves<T>(scan, true), memory, current_device);
    Moves const by = moves<T>(scan, false);
    if (plan.kind == Plan::Kind::tiles)
      return tiles<Tiles, Staged<LineScan, Tiles, T::columns, T::odd_rows_of(Tiles::bytes, T::columns)>>(
          stream, scan, plan.tiling, by, memory, current_device);
    if (plan.kind == Plan::Kind::strips) {
      if (by == Moves::own) return strips<Strips, InRegisters<LineScan, Strips>>(stream, scan, plan.tiling);
      if constexpr (T::packs)
        return strips<Strips, Staged<LineScan, Strips, T::columns, T::rows_of(Strips::bytes)>>(stream, scan,
                                                                                               plan.tiling);
    }
    if constexpr (T::packs) {
      if (by == Moves::own) return walk<Numbers, Walk::packed>(stream, scan);
      if constexpr (T::can_be_copied)
        if (copied_walk<Numbers>(stream, scan, current_device)) return;
    }
    walk<Numbers, Walk::singly>(stream, scan);
  }
}

}  // namespace KokkosScan::cuda::columns
