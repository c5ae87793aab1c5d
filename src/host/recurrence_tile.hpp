// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <new>
#include <type_traits>

#include "../core/recurrence.hpp"
#include "fetch.hpp"
#include "tile.hpp"
#include "tuning.hpp"

// A tile of a linear recurrence. A plain loop waits for a product and a sum at each element; chains side by side do not
// wait for each other. So a tile goes by in blocks of a few chains: first the map of each chain is found, then all of
// them go on from values, each from the state that the maps before it make of the block's. No result is made of
// products of more elements than a chain has, but for the one that goes on to the next tile, and an element takes k (k
// + 1) products for its map and k for its result, not those of two maps that are combined.
//
//   paper       Kogge and Stone 1973 for the maps; Chatterjee, Blelloch, Zagha 1990 for the chains
//   bytes       what the tile has; the second time it is read from the first-level cache
namespace KokkosScan::host {

template <class Problem>
struct RecurrenceTile {
  using Value                              = typename Problem::Value;
  using T                                  = typename Value::Number;
  using Reduced                            = host::Reduced<Value>;
  static constexpr std::size_t order       = Value::order;
  static constexpr std::size_t side        = recurrence_chains;
  static constexpr bool reduce_is_quick    = true;
  static constexpr bool scan_reduces_first = false;

  Problem const& problem;

  static constexpr bool streams() { return false; }

  Value scan_tile(int, Tile tile, Maybe<Value> const& prefix) const {
    Value const aggregate = as_written<Problem>([&] { return go_through<Work::both>(tile, &*prefix, {}); });
    return combine_tiles(problem, prefix, aggregate);
  }
  Reduced reduce_tile(int, Tile tile) const {
    Reduced reduced{Value{}, {}};
    core::put(reduced.aggregate,
              as_written<Problem>([&] { return go_through<Work::reduce>(tile, nullptr, reduced.before.at); }));
    return reduced;
  }
  void finish_tile(int, Tile tile, Maybe<Value> const& prefix, Reduced const& reduced) const {
    as_written<Problem>([&] { return go_through<Work::finish>(tile, &*prefix, reduced.before.at); });
  }
  Reduced finish_and_reduce(int worker, Tile tile, Maybe<Value> const& prefix, Reduced const& reduced,
                            Tile next) const {
    finish_tile(worker, tile, prefix, reduced);
    return reduce_tile(worker, next);
  }

 private:
  using Source = typename Problem::Source;
  using Zeros  = core::Zeros;

  struct State {
    T x[order];
  };

  template <std::size_t size>
  static bool are_finite(T const (&values)[size]) {
    bool all = true;
    for (T const& value : values) all = all && core::is_finite(value);
    return all;
  }

  /// Products that have come to be no normal numbers count as 0, as they soon would be: processors take many times
  /// longer for them.
  static void flush(Value& map) {
    if constexpr (std::is_floating_point_v<T>)
      for (T& scale : map.scale)
        if (std::abs(scale) < std::numeric_limits<T>::min()) scale = T(0);
  }

  /// The map of some elements, of one or more.
  static Value map_of(Source const& source, std::size_t i, std::size_t end) {
    Value map(core::equation_of(source, i));
    for (++i; i < end; ++i) {
      map.go_on(core::equation_of(source, i));
      flush(map);
    }
    return map;
  }

  /// The maps of the chains of a block. What is not finite stays so if zeros do not cut; then it is done again, and
  /// they do.
  template <bool fetches>
  void find_maps(Source const& source, std::size_t begin, std::size_t length, Value (&maps)[side]) const {
    Value through[side];
    for_each<side>([&](auto s) { through[s] = Value(core::equation_of(source, begin + s * length)); });
    std::size_t const next = begin + side * length;
    for (std::size_t first = 0, end = 0; first < length; first = end) {
      end = std::min(length, first + recurrence_fetched);
      if constexpr (fetches) fetch_ahead<false>(source, next + first * side, next + end * side);
      for (std::size_t i = std::max<std::size_t>(first, 1); i < end; ++i)
        for_each<side>([&](auto s) __attribute__((always_inline)) {
          through[s].template go_on<Zeros::multiply>(core::equation_of(source, begin + i + s * length));
        });
    }
    for (std::size_t s = 0; s < side; ++s) {
      maps[s] = through[s];
      flush(maps[s]);
      if (!are_finite(maps[s].offset) || !are_finite(maps[s].scale))
        maps[s] = map_of(source, begin + s * length, begin + (s + 1) * length);
    }
  }

  void put(std::size_t i, T const& result) const {
    using Stored = typename Problem::Sink::Stored;
    ::new (static_cast<void*>(&problem.sink.array[i])) Stored(static_cast<Stored>(result));
  }

  void put_results(Source const& source, std::size_t i, std::size_t end, State& state) const {
    for (; i < end; ++i) {
      core::equation_of(source, i).step(state.x);
      put(i, state.x[0]);
    }
  }

  /// Memory sees several places of a page read in turns, and does not know what is next.
  template <bool puts>
  void fetch_ahead(Source const& source, std::size_t begin, std::size_t end) const {
    begin = std::min(begin, problem.n);
    end   = std::min(end, problem.n);
    if constexpr (core::arrays_of<Source> > 0) fetch<For::reading>(source.template array_at<0>(), begin, end);
    if constexpr (core::arrays_of<Source> > 1) fetch<For::reading>(source.template array_at<1>(), begin, end);
    if constexpr (puts) fetch<For::writing>(problem.sink.array, begin, end);
  }

  /// The results of the chains of a block, which go to a buffer first: dest may be what has to be read again.
  void put_results_of_chains(Source const& source, std::size_t begin, std::size_t length, State (&states)[side]) const {
    T buffer[side][recurrence_piece];
    State through[side];
    for_each<side>([&](auto s) { through[s] = states[s]; });
    std::size_t const next = begin + side * length;
    for (std::size_t first = 0, end = 0; first < length; first = end) {
      end = std::min(length, first + recurrence_fetched);
      fetch_ahead<true>(source, next + first * side, next + end * side);
      for (std::size_t i = first; i < end; ++i)
        for_each<side>([&](auto s) __attribute__((always_inline)) {
          core::equation_of(source, begin + i + s * length).template step<Zeros::multiply>(through[s].x);
          buffer[s][i] = through[s].x[0];
        });
    }
    for (std::size_t s = 0; s < side; ++s)
      if (are_finite(through[s].x)) {
        for (std::size_t i = 0; i < length; ++i) put(begin + i + s * length, buffer[s][i]);
      } else {
        put_results(source, begin + s * length, begin + (s + 1) * length, states[s]);
      }
  }

  static void apply(Value const& map, State const& from, State& to) {
    for (std::size_t row = 0; row < order; ++row) {
      T next = map.offset[row];
      for (std::size_t j = order; j-- > 0;)
        next = core::through_element<Zeros::cut>(map.scale[row * order + j], from.x[j], next);
      to.x[row] = next;
    }
  }

  enum class Work { reduce, finish, both };

  /// Block by block. Returns the map of the tile, unless it is only to be finished: by the maps of its chains, which
  /// are kept when it is reduced.
  template <Work work>
  Value go_through(Tile tile, Value const* prefix,
                   std::conditional_t<work == Work::finish, Value const*, Value*> kept) const {
    Held<Source> source = problem.source;
    Value all{};
    bool is_first  = true;
    auto const add = [&](Value const& map) {
      if constexpr (work != Work::finish) all = is_first ? map : problem.combine(all, map);
      is_first = false;
    };
    State state{};
    if constexpr (work != Work::reduce)
      for (std::size_t row = 0; row < order; ++row) state.x[row] = prefix->offset[row];
    for (std::size_t begin = tile.begin; begin < tile.end;) {
      std::size_t const length = std::min(recurrence_piece, (tile.end - begin) / side);
      if (length < 2) {
        if constexpr (work != Work::finish) add(map_of(source, begin, tile.end));
        if constexpr (work != Work::reduce) put_results(source, begin, tile.end, state);
        break;
      }
      Value own[side];
      if constexpr (work != Work::finish) {
        find_maps<work == Work::reduce>(source, begin, length, own);
        for (Value const& map : own) add(map);
      }
      if constexpr (work == Work::reduce) {
        for (std::size_t s = 0; s < side; ++s) core::put(kept[s], own[s]);
      } else {
        Value const* const maps = work == Work::finish ? kept : own;
        State states[side];
        for (std::size_t s = 0; s < side; ++s) {
          states[s] = state;
          apply(maps[s], states[s], state);
        }
        put_results_of_chains(source, begin, length, states);
      }
      if constexpr (work != Work::both) kept += side;
      begin += side * length;
    }
    return all;
  }
};

}  // namespace KokkosScan::host
