// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <memory>

#include "../single_pass.hpp"
#include "../tuning.hpp"

//  Reduction: reduce the tiles, combine their aggregates; for scans that store nothing, of which the total is wanted
//  paper       Blelloch 1990, the up-sweep
//  launches    1, and the aggregates behind it: one loop of the calling thread, a tile being thousands of elements
//  bytes       n
//  operations  n
//  steps       2
//  progress    none: no worker waits for another
namespace KokkosScan::host::reduction {

/// The aggregate of each tile.
template <class Value>
std::size_t scratch_bytes(Tiles tiles) {
  return alignof(Value) + tiles.count() * sizeof(Value);
}

/// Each worker takes tiles from a counter until none is left. The aggregates are combined from left to right, as a scan
/// does it, so that the bits are the same.
template <class Problem, class Scanner>
void run(Problem const& problem, Tiles tiles, Scanner const& scanner, WorkersRef workers, void* scratch) {
  using Value             = typename Problem::Value;
  std::size_t const count = tiles.count();
  std::size_t space       = scratch_bytes<Value>(tiles);
  auto* const aggregates  = static_cast<Value*>(std::align(alignof(Value), count * sizeof(Value), scratch, space));

  Counter next;
  launch(workers, [&](int worker, Failure const& failure) {
    for (std::size_t k = next.take_first(worker); k < count && !failure.has_happened(); k = next.take())
      core::put(aggregates[k], scanner.reduce_tile(worker, tiles[k]).aggregate);
  });

  Value through(combine_tiles(problem, problem.start(), aggregates[0]));
  for (std::size_t k = 1; k < count; ++k) core::put(through, combine_tiles(problem, through, aggregates[k]));
  problem.put_total(through);
}

}  // namespace KokkosScan::host::reduction
