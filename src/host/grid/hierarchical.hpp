// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>

#include "../single_pass.hpp"
#include "../tuning.hpp"

//  Hierarchical scan: scan the tiles, scan their aggregates, update the tiles
//  paper       Sengupta, Harris, Zhang, Owens 2007; on vector machines Blelloch 1990
//  launches    2, and the aggregates in between: one loop of the calling thread, a tile being thousands of elements
//  bytes       4 n through memory
//  operations  2 n
//  steps       3
//  progress    none: no worker waits for another
namespace KokkosScan::host::hierarchical {

/// What is found of each tile at first, and the prefix behind it.
template <class Value>
std::size_t scratch_bytes(Tiles tiles) {
  return alignof(Value) + tiles.count() * (sizeof(Reduced<Value>) + sizeof(Value));
}

/// Each worker takes tiles from a counter until none is left.
inline void for_each_tile(WorkersRef workers, std::size_t count, FunctionRef<void(int worker, std::size_t k)> f) {
  Counter next;
  launch(workers, [&](int worker, Failure const& failure) {
    for (std::size_t k = next.take_first(worker); k < count && !failure.has_happened(); k = next.take()) f(worker, k);
  });
}

template <class Value>
void run(TiledScan<Value> const& scan, WorkersRef workers, void* scratch) {
  Tiles const tiles       = scan.tiles;
  std::size_t const count = tiles.count();
  std::size_t space       = scratch_bytes<Value>(tiles);
  void* const aligned     = std::align(alignof(Value), count * sizeof(Reduced<Value>), scratch, space);
  auto* const reduced     = static_cast<Reduced<Value>*>(aligned);
  auto* const through     = reinterpret_cast<Value*>(reduced + count);

  for_each_tile(workers, count,
                [&](int worker, std::size_t k) { core::put(reduced[k], scan.reduce_tile(worker, tiles[k])); });

  core::put(through[0], scan.combine(scan.start, reduced[0].aggregate));
  for (std::size_t k = 1; k < count; ++k) core::put(through[k], scan.combine(through[k - 1], reduced[k].aggregate));
  scan.put_total(through[count - 1]);

  for_each_tile(workers, count, [&](int worker, std::size_t k) {
    scan.finish_tile(worker, tiles[k], k == 0 ? scan.start : Maybe<Value>(through[k - 1]), reduced[k]);
  });
}

}  // namespace KokkosScan::host::hierarchical
