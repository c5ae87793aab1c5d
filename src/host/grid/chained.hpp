// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../single_pass.hpp"

//  Chained scan: each tile waits for its predecessor's prefix
//  paper       Yan, Long, Zhang 2013 (StreamScan)
//  launches    1
//  bytes       2 n through memory: a tile waits in cache for its prefix
//  operations  2 n: the scan of a tile and the joining of its prefix
//  steps       one prefix handed on for each tile
//  progress    a worker that holds a tile must be able to go on; tiles come from a counter
namespace KokkosScan::host::chained {

template <class Value>
std::size_t scratch_bytes(Tiles tiles) {
  return TileStates<Value>::bytes(tiles.count());
}

template <class Scan, class ScanTile, class Crew>
void run(Scan const& scan, Tiles tiles, ScanTile const& scan_one, Crew const& crew, void* scratch) {
  using Value = typename Scan::Value;
  single_pass(scan, tiles, scan_one, crew, scratch,
              [](TileStates<Value> const& states, std::size_t k, Value const&) -> Value {
                states[k - 1].wait_for(Known::prefix);
                return states[k - 1].prefix();
              });
}

}  // namespace KokkosScan::host::chained
