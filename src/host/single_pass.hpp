// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tile.hpp"
#include "tile_state.hpp"

// The frame of the single-pass algorithms: workers take tiles from a counter until none is left. The algorithms differ
// in `join`, which learns what came before a tile whose prefix was not yet there when the tile was begun.
namespace KokkosScan::host {

template <class Scan, class ScanTile, class Crew, class Before>
void single_pass(Scan const& scan, Tiles tiles, ScanTile const& scan_one, Crew const& crew, void* scratch,
                 Before const& before) {
  using Value             = typename Scan::Value;
  std::size_t const count = tiles.count();
  TileStates<Value> const states(scratch, count);

  crew.run([&](int worker) {
    for (std::size_t k = states.take(); k < count; k = states.take()) {
      Maybe<Value> prefix = k == 0 ? scan.init : Maybe<Value>();
      bool const known    = k == 0 || states[k - 1].known() == Known::prefix;
      if (known && k > 0) prefix = states[k - 1].prefix();

      Value const total = scan_one(scan, worker, tiles[k], prefix);
      if (!known) prefix = before(states, k, total);
      Value const through = scan.join(prefix, total);
      states[k].publish_prefix(through);  // first, so that nobody waits while this tile is updated
      if (!known) add_prefix(scan, tiles[k], prefix);
      if (k + 1 == count && scan.total) block::put(*scan.total, through);
    }
  });
}

}  // namespace KokkosScan::host
