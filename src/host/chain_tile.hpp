// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "chains.hpp"
#include "machine.hpp"
#include "simd/functions.hpp"
#include "tile.hpp"
#include "tuning.hpp"

// A tile as a few chains side by side, for operators that the compiler alone knows. In a plain loop each operation
// waits for the one before it; several chains of operations do not wait for each other. First the aggregates of all
// chains are found, then all of them are scanned at once. That takes two operations to an element, as for a tile that
// is scanned by itself and combined with its prefix later, and the result is written but once.
//
// Each chain begins with what comes before it: the tile's prefix op the aggregates of the chains before. Its last
// result is what comes before the next chain, so that the last result of all is the total, in every bit. All this
// depends on the tile alone.
namespace KokkosScan::host {

/// The tile scanner (tile.hpp) by chains. A tile of less than `least` values is one chain. Chains have two elements or
/// more: the first is stored apart where nothing stands before it, and the last in finish().
template <class Problem, std::size_t least = least_for_chains>
struct ChainTile {
  static_assert(least >= 2 * chains);
  using Value   = typename Problem::Value;
  using Reduced = host::Reduced<Value>;

  static constexpr bool reduce_is_quick    = true;
  static constexpr bool scan_reduces_first = true;
  static constexpr bool plain_output       = core::is_side_by_side<core::ArrayOf<typename Problem::Sink>>;

  Problem const& problem;
  simd::Store store;

  /// Whether the result is written past the caches.
  bool streams() const { return plain_output && store == simd::Store::streaming; }

  Value scan_tile(int, Tile tile, Maybe<Value> const& prefix) const {
    // Apart from the chains, whose buffers a call for few elements would pay for.
    if (tile.size() < least) return as_written<Problem>([&] { return sweep(problem, tile, prefix); });
    return as_written<Problem>([&] { return reduce_and_scan(tile, prefix); });
  }
  Reduced reduce_tile(int, Tile tile) const {
    return as_written<Problem>([&] { return reduce(tile); });
  }
  void finish_tile(int, Tile tile, Maybe<Value> const& prefix, Reduced const& reduced) const {
    as_written<Problem>([&] { scan_reduced(tile, prefix, reduced); });
  }
  Reduced finish_and_reduce(int, Tile tile, Maybe<Value> const& prefix, Reduced const& reduced, Tile next) const {
    return as_written<Problem>([&] {
      if (next.size() < least) {
        scan_reduced(tile, prefix, reduced);
        return reduce(next);
      }
      ChainAggregates<Problem> aggregates(problem, next);
      run(tile, prefix, reduced, &aggregates);
      return combined(aggregates.finish());
    });
  }

 private:
  Value reduce_and_scan(Tile tile, Maybe<Value> const& prefix) const {
    Reduced const reduced = combined(ChainAggregates<Problem>(problem, tile).finish());
    run(tile, prefix, reduced, nullptr);
    return problem.combine(prefix, reduced.aggregate);
  }

  Reduced reduce(Tile tile) const {
    if (tile.size() < least) return {serial_reduce(problem, tile), {}};
    ChainAggregates<Problem> aggregates(problem, tile);
    Chains<Value> const of(tile);
    bool const fetches = !streams() && machine().reading == Reading::in_turns;
    for (std::size_t i = 0; i < of.length; i += elements_at_once<Value>) {
      std::size_t const end = std::min(i + elements_at_once<Value>, of.length);
      if (fetches)
        for (std::size_t s = 0; s < chains; ++s) fetch<For::writing>(problem.sink, of.at(s, i), of.at(s, end));
      aggregates.go_to(end);
    }
    return combined(aggregates.finish());
  }

  void scan_reduced(Tile tile, Maybe<Value> const& prefix, Reduced const& reduced) const {
    if (tile.size() < least)
      sweep_again(problem, tile, prefix);
    else
      run(tile, prefix, reduced, nullptr);
  }

  Reduced combined(OfChains<Value> const& aggregates) const {
    OfChains<Value> through;
    core::put(through.at[0], aggregates.at[0]);
    for (std::size_t s = 1; s < chains; ++s)
      core::put(through.at[s], problem.combine(through.at[s - 1], aggregates.at[s]));
    Reduced reduced{through.at[chains - 1], {}};
    for (std::size_t s = 1; s < chains; ++s) core::put(reduced.before.at[s], through.at[s - 1]);
    return reduced;
  }

  void run(Tile tile, Maybe<Value> const& prefix, Reduced const& reduced, ChainAggregates<Problem>* next) const {
    if constexpr (plain_output)
      if (streams()) {
        PastCaches<Problem> to(problem, Chains<Value>(tile), simd::all_functions().streaming);
        return run(tile, prefix, reduced, to, next);
      }
    ToSink<Problem> to(problem, Chains<Value>(tile));
    run(tile, prefix, reduced, to, next);
  }

  template <class To>
  void run(Tile tile, Maybe<Value> const& prefix, Reduced const& reduced, To& to,
           ChainAggregates<Problem>* next) const {
    ChainScan<Problem> work(problem, tile, prefix, reduced.before);
    std::size_t const length = Chains<Value>(tile).length;
    for (std::size_t i = 0; i < length; i += elements_at_once<Value>) {
      std::size_t const end = std::min(i + elements_at_once<Value>, length);
      work.go_to(end, to);
      if (end == length) work.finish(problem.combine(prefix, reduced.aggregate), to);
      to.write(i, end);
      if (next) next->go_to(end);
    }
  }
};

}  // namespace KokkosScan::host
