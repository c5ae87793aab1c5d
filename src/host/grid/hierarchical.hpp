// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <memory>

#include "../single_pass.hpp"
#include "../tuning.hpp"

//  Hierarchical scan: scan the tiles, scan their totals, update the tiles
//  paper       Sengupta, Harris, Zhang, Owens 2007; on vector machines Blelloch 1990
//  launches    2, and the totals in between: one fold by the calling thread, a tile being thousands of elements
//  bytes       4 n through memory
//  operations  2 n
//  steps       3
//  progress    none: no worker waits for another
namespace KokkosScan::host::hierarchical {

/// Room for what each tile began with, and for what comes up to its end.
template <class Value>
std::size_t scratch_bytes(Tiles tiles) {
  return alignof(Value) + tiles.count() * (sizeof(Begun<Value>) + sizeof(Value));
}

/// Each worker takes tiles from a counter until none is left.
template <class Crew>
void for_each_tile(Crew const& crew, std::size_t count, FunctionRef<void(int worker, std::size_t k)> f) {
  Counter next;
  launch(crew, [&](int worker, Failure const& failure) {
    for (std::size_t k = next.take_first(worker); k < count && !failure.has_happened(); k = next.take()) f(worker, k);
  });
}

template <class Value, class Crew>
void run(TiledScan<Value> const& scan, Crew const& crew, void* scratch) {
  Tiles const tiles       = scan.tiles;
  std::size_t const count = tiles.count();
  std::size_t room        = scratch_bytes<Value>(tiles);
  void* const aligned     = std::align(alignof(Value), count * sizeof(Begun<Value>), scratch, room);
  auto* const begun       = static_cast<Begun<Value>*>(aligned);
  auto* const through     = reinterpret_cast<Value*>(begun + count);

  for_each_tile(crew, count, [&](int worker, std::size_t k) { block::put(begun[k], scan.begin(worker, tiles[k])); });

  block::put(through[0], scan.combine(scan.start, begun[0].total));
  for (std::size_t k = 1; k < count; ++k) block::put(through[k], scan.combine(through[k - 1], begun[k].total));
  scan.put_total(through[count - 1]);

  for_each_tile(crew, count, [&](int worker, std::size_t k) {
    scan.finish(worker, tiles[k], k == 0 ? scan.start : Maybe<Value>(through[k - 1]), begun[k]);
  });
}

}  // namespace KokkosScan::host::hierarchical
