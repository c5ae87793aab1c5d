// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <limits>
#include <type_traits>

#include "../core/recurrence.hpp"
#include "tile.hpp"
#include "tuning.hpp"

// A tile of a linear recurrence. A plain loop waits for a product and a sum at each element; chains side by side do not
// wait for each other. First the map of each chain is found, then all of them go on from values: each chain from the
// state that the maps before it make of the tile's. So no result is made of more than the products of one tile, and it
// takes k + 1 products to an element for the maps and k for the results, not those of two maps that are combined.
//
//   paper       Chatterjee, Blelloch, Zagha 1990, for chains; the maps are those of Kogge and Stone 1973
//   bytes       what the tile has, twice, the second time from the cache
namespace KokkosScan::host {

/// Neither array may be pointed at by what is stored: the same loads and stores in the same order.
template <class Problem>
struct RecurrenceTile {
  using Value                              = typename Problem::Value;
  using T                                  = typename Value::Number;
  using Reduced                            = host::Reduced<Value>;
  static constexpr std::size_t order       = Value::order;
  static constexpr std::size_t side        = chains_of<Value>;
  static constexpr bool reduce_is_quick    = true;
  static constexpr bool scan_reduces_first = true;

  Problem const& problem;

  static constexpr bool streams() { return false; }

  Value scan_tile(int worker, Tile tile, Maybe<Value> const& prefix) const {
    Reduced const reduced = reduce_tile(worker, tile);
    finish_tile(worker, tile, prefix, reduced);
    return combine_tiles(problem, prefix, reduced.aggregate);
  }
  Reduced reduce_tile(int, Tile tile) const {
    return as_written<Problem>([&] { return reduce(tile); });
  }
  void finish_tile(int, Tile tile, Maybe<Value> const& prefix, Reduced const& reduced) const {
    as_written<Problem>([&] { finish(tile, *prefix, reduced); });
  }
  Reduced finish_and_reduce(int worker, Tile tile, Maybe<Value> const& prefix, Reduced const& reduced,
                            Tile next) const {
    finish_tile(worker, tile, prefix, reduced);
    return reduce_tile(worker, next);
  }

 private:
  struct Results {
    T x[order];
  };

  /// Products that have come to be no normal numbers count as 0, as they soon would be: processors take many times
  /// longer for them.
  static void flush(Value& map) {
    if constexpr (std::is_floating_point_v<T>)
      for (T& scale : map.scale)
        if (scale < std::numeric_limits<T>::min() && scale > -std::numeric_limits<T>::min()) scale = T(0);
  }

  /// Elements of each chain; what is left the last chain has besides.
  static std::size_t length_of_chain(Tile tile) { return tile.size() / side; }

  Reduced reduce(Tile tile) const {
    Held<typename Problem::Source> source = problem.source;
    if (tile.size() < least_for_chains) {
      Value map(core::equation_of(source, tile.begin));
      for (std::size_t i = tile.begin + 1; i < tile.end; ++i) {
        map.go_on(core::equation_of(source, i));
        flush(map);
      }
      return {map, {}};
    }
    std::size_t const length = length_of_chain(tile);
    Value maps[side];
    for_each<side>([&](auto s) { maps[s] = Value(core::equation_of(source, tile.begin + s * length)); });
    for (std::size_t i = tile.begin + 1; i < tile.begin + length; ++i)
      for_each<side>([&](auto s) __attribute__((always_inline)) {
        maps[s].go_on(core::equation_of(source, i + s * length));
        flush(maps[s]);
      });
    for (std::size_t i = tile.begin + side * length; i < tile.end; ++i) {
      maps[side - 1].go_on(core::equation_of(source, i));
      flush(maps[side - 1]);
    }
    Reduced reduced{maps[0], {}};
    for (std::size_t s = 1; s < side; ++s) {
      core::put(reduced.before.at[s], reduced.aggregate);
      core::put(reduced.aggregate, problem.combine(reduced.aggregate, maps[s]));
    }
    return reduced;
  }

  void finish(Tile tile, Value const& prefix, Reduced const& reduced) const {
    using Stored                          = typename Problem::Sink::Stored;
    Held<typename Problem::Source> source = problem.source;
    auto const array                      = problem.sink.array;
    auto const go_on                      = [&](std::size_t i, Results& results) __attribute__((always_inline)) {
      core::equation_of(source, i).step(results.x);
      core::put(array[i], static_cast<Stored>(results.x[0]));
    };
    Results results[side];
    auto const begin = [&](Results& of, Value const& before) {
      for (std::size_t row = 0; row < order; ++row) of.x[row] = before.offset[row];
    };
    begin(results[0], prefix);
    if (tile.size() < least_for_chains) {
      for (std::size_t i = tile.begin; i < tile.end; ++i) go_on(i, results[0]);
      return;
    }
    for (std::size_t s = 1; s < side; ++s) begin(results[s], problem.combine(prefix, reduced.before.at[s]));
    std::size_t const length = length_of_chain(tile);
    for (std::size_t i = tile.begin; i < tile.begin + length; ++i)
      for_each<side>([&](auto s) __attribute__((always_inline)) { go_on(i + s * length, results[s]); });
    for (std::size_t i = tile.begin + side * length; i < tile.end; ++i) go_on(i, results[side - 1]);
  }
};

}  // namespace KokkosScan::host
