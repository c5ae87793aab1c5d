// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <atomic>
#include <cstddef>

#include "launch.hpp"
#include "tiled_scan.hpp"
#include "tuning.hpp"

// The frame of the single-pass algorithms: workers take tiles from a counter until none is left. Whoever waits does so
// for a tile that a running worker holds, so no schedule of the workers hangs the scan, not even one after the other.
namespace KokkosScan::host {

/// Hands out the tiles.
struct alignas(line_bytes) Counter {
  std::atomic<std::size_t> next{0};
  std::size_t take() { return next.fetch_add(1, std::memory_order_relaxed); }

  /// The first tile of a worker: that of its own number, unless those before it take too long to start. Workers then
  /// mostly come by in the same order ever after, and in the next scan each finds its tiles in its own cache.
  std::size_t take_first(int worker) {
    std::size_t const own = static_cast<std::size_t>(worker);
    for (int spins = 0; spins < spins_before_yield && next.load(std::memory_order_relaxed) < own; ++spins) {
    }
    return take();
  }
};

/// An algorithm says how tiles learn of each other, by its `states`:
///
///   states.take_first(worker)                       the first tile of a worker
///   states.take()                                   the next tile that nobody has
///   states.poll_prefix(k)                           what comes before tile k > 0, if that is known by now
///   states.find_prefix(scan, k, aggregate, failure) the same, at the price of waiting; aggregate is that of tile k
///   states.publish(k, through)                      publishes what comes before tile k + 1
template <class Value, class States>
void single_pass(TiledScan<Value> const& scan, WorkersRef workers, States& states) {
  Tiles const tiles       = scan.tiles;
  std::size_t const count = tiles.count();
  std::size_t const most  = static_cast<std::size_t>(workers.size());
  bool const reduces_all  = scan.reduce_is_quick && most > 1;
  bool const reads_ahead  = reduces_all && scan.streams && count / most >= tiles_to_read_ahead;

  launch(workers, [&](int worker, Failure const& failure) {
    Maybe<Reduced<Value>> reduced;
    bool is_reduced  = false;  // tile k
    std::size_t next = 0;
    for (std::size_t k = states.take_first(worker); k < count; k = next) {
      Maybe<Value> prefix = k == 0 ? scan.start : states.poll_prefix(k);
      bool const known    = k == 0 || prefix;
      bool const at_once  = known && !reduces_all;
      if (!at_once && !is_reduced) reduced.put(scan.reduce_tile(worker, tiles[k]));
      if (!known) prefix.put(states.find_prefix(scan, k, (*reduced).aggregate, failure));

      // Published first, so that nobody waits while this tile is finished.
      Value const through =
          at_once ? scan.scan_tile(worker, tiles[k], prefix) : scan.combine(prefix, (*reduced).aggregate);
      states.publish(k, through);

      is_reduced = false;
      if (reads_ahead) next = states.take();
      if (reads_ahead && next < count) {
        reduced.put(scan.finish_and_reduce(worker, tiles[k], prefix, *reduced, tiles[next]));
        is_reduced = true;
      }
      if (!at_once && !is_reduced) scan.finish_tile(worker, tiles[k], prefix, *reduced);
      if (!reads_ahead) next = states.take();
      if (k + 1 == count) scan.put_total(through);
    }
  });
}

}  // namespace KokkosScan::host
