// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../single_pass.hpp"

//  Decoupled look-back: each tile publishes its total, then walks back to the nearest known prefix
//  paper       Merrill and Garland 2016
//  launches    1
//  bytes       2 n through memory: a tile waits in cache for its prefix
//  operations  2 n, and a join for each total looked at
//  steps       independent of the number of tiles: nobody waits for a chain of prefixes
//  progress    a worker that holds a tile must be able to go on; tiles come from a counter
namespace KokkosScan::host::lookback {

template <class Value>
std::size_t scratch_bytes(Tiles tiles) {
  return TileStates<Value>::bytes(tiles.count());
}

/// Everything before tile k > 0. The totals are joined from left to right onto the nearest prefix, which was made in the
/// same way, so the bits do not depend on how far the walk went.
template <class Scan>
typename Scan::Value look_back(Scan const& scan, TileStates<typename Scan::Value> const& states, std::size_t k) {
  std::size_t nearest = k - 1;
  while (states[nearest].wait_for(Known::total) != Known::prefix) --nearest;
  typename Scan::Value before(states[nearest].prefix());
  for (std::size_t j = nearest + 1; j < k; ++j) block::put(before, scan.join(before, states[j].total()));
  return before;
}

template <class Scan, class ScanTile, class Crew>
void run(Scan const& scan, Tiles tiles, ScanTile const& scan_one, Crew const& crew, void* scratch) {
  using Value = typename Scan::Value;
  single_pass(scan, tiles, scan_one, crew, scratch,
              [&](TileStates<Value> const& states, std::size_t k, Value const& total) -> Value {
                states[k].publish_total(total);
                return look_back(scan, states, k);
              });
}

}  // namespace KokkosScan::host::lookback
