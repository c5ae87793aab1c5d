// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "../block/networks.hpp"
#include "../core/problem.hpp"
#include "../core/tiles.hpp"
#include "as_written.hpp"
#include "tuning.hpp"

// What a worker does with one tile. Every element of a result is op(prefix, local), where local is the scan of the tile
// by itself and prefix what came before the tile; so the bits are the same whether the prefix was known when the tile
// was scanned or came afterwards, and for every grid algorithm. (Chains have a rule of their own, chain_tile.hpp.)
namespace KokkosScan::host {

using core::Kind;
using core::Maybe;
using core::Tile;
using core::Tiles;

/// f(0), f(1), ... with constants: what stands in registers cannot be indexed by a variable.
template <class F, std::size_t... i>
[[gnu::always_inline]] inline void unroll(F const& f, std::index_sequence<i...>) {
  (f(std::integral_constant<std::size_t, i>{}), ...);
}
template <std::size_t count, class F>
[[gnu::always_inline]] inline void for_each(F const& f) {
  unroll(f, std::make_index_sequence<count>{});
}

/// f(i, count) for 0 <= i < n, so many at a time: otherwise g++ takes an addition and a jump for each.
template <std::size_t most, class F>
[[gnu::always_inline]] inline void some_at_a_time(std::size_t n, F const& f) {
  std::size_t i = 0;
  if constexpr (most > 1)
    for (; i + most <= n; i += most) f(i, std::integral_constant<std::size_t, most>{});
  for (; i < n; ++i) f(i, std::integral_constant<std::size_t, 1>{});
}

template <class Array>
inline constexpr bool is_strided = false;
template <class Element>
inline constexpr bool is_strided<core::Strided<Element>> = true;

/// A copy, which no store can change; but a reference to what cannot be copied byte by byte. Views in a function of the
/// user's are such: all threads count their copies in one place (host-by-key.md).
template <class T>
using Held = std::conditional_t<std::is_trivially_copyable_v<T>, T const, T const&>;

/// A source or a sink, from an element on. Of an index and a stride that is not known g++ makes a multiplication for
/// each element, and integer sums take twice the time; so what lies in strides goes on from element to element.
template <class Part>
struct Walk {
  Held<Part> part;
  std::size_t i;
  Walk(Part const& all, std::size_t first) : part(all), i(first) {}
  std::size_t index(std::size_t k) const { return i + k; }
  void operator+=(std::size_t count) { i += count; }
};
template <class Part>
  requires(is_strided<core::ArrayOf<Part>>)
struct Walk<Part> {
  Part part;
  Walk(Part const& all, std::size_t first) : part(all) { *this += first; }
  std::size_t index(std::size_t k) const { return k; }
  void operator+=(std::size_t count) { part.array.data += static_cast<std::ptrdiff_t>(count) * part.array.stride; }
};

/// Also for constants that a lambda returns by reference: nvcc warns as if they were the lambda's own.
inline constexpr auto as_it_is = [](auto const& value) -> auto const& { return value; };

/// An operation on integers takes no longer than a step from element to element.
template <class Value>
inline constexpr std::size_t steps_at_a_time = std::is_integral_v<Value> ? 4 : 1;

/// Goes on with a chain of operations, from behind the elements where `from` and `dest` stand. What is stored of a link
/// is stored(link).
template <class Problem, class Value, class Stored>
[[gnu::always_inline]] inline void go_on(Problem const& problem, std::size_t count, Walk<typename Problem::Source> from,
                                         Walk<typename Problem::Sink> dest, Value& running, Stored const& stored) {
  some_at_a_time<steps_at_a_time<Value>>(count, [&](std::size_t, auto some) __attribute__((always_inline)) {
    for_each<some>([&](auto k) __attribute__((always_inline)) {
      Value const own = from.part.load(from.index(k + 1));
      Value const before(running);
      core::put(running, problem.combine(before, own));
      core::store(
          dest.part, dest.index(k + 1), [&]() -> decltype(auto) { return stored(before); },
          [&]() -> Value const& { return as_it_is(own); }, [&]() -> decltype(auto) { return stored(running); });
    });
    from += some;
    dest += some;
  });
}

/// One chain of operations through a tile, that begins with `first` of the first element's value.
template <class Problem, class First, class Stored>
[[gnu::always_inline]] inline typename Problem::Value scan_chain(Problem const& problem, Tile tile,
                                                                 Maybe<typename Problem::Value> const& prefix,
                                                                 First const& first, Stored const& stored) {
  using Value = typename Problem::Value;
  Walk<typename Problem::Source> const from(problem.source, tile.begin);
  Walk<typename Problem::Sink> const dest(problem.sink, tile.begin);
  Value const own = from.part.load(from.index(0));  // read before the store: dest may be from
  Value running(first(own));
  core::store(
      dest.part, dest.index(0), [&]() -> Value const& { return prefix ? *prefix : own; },
      [&]() -> Value const& { return as_it_is(own); }, [&]() -> decltype(auto) { return stored(running); });
  go_on(problem, tile.size() - 1, from, dest, running, stored);
  return running;
}

/// Stores the local scan of the tile, combined with the prefix if there is one. Returns the tile's aggregate.
template <class Problem>
typename Problem::Value serial_scan(Problem const& of, Tile tile, Maybe<typename Problem::Value> const& prefix) {
  using Value           = typename Problem::Value;
  Held<Problem> problem = of;
  // Two loops rather than a test in one: without a prefix the loop is a plain serial scan.
  if (prefix)
    return scan_chain(problem, tile, prefix, as_it_is,
                      [&, before = *prefix](Value const& local) { return problem.combine(before, local); });
  return scan_chain(problem, tile, prefix, as_it_is, as_it_is);
}

/// Stores the result of the tile by one chain of operations that begins with the prefix: other bits than serial_scan,
/// where op rounds. Returns the last link.
template <class Problem>
typename Problem::Value sequential_scan(Problem const& of, Tile tile, Maybe<typename Problem::Value> const& prefix) {
  Held<Problem> problem = of;
  return scan_chain(problem, tile, prefix, [&](auto const& own) { return problem.combine(prefix, own); }, as_it_is);
}

/// The tile's aggregate, by the operations of serial_scan.
template <class Problem>
typename Problem::Value serial_reduce(Problem const& of, Tile tile) {
  using Value           = typename Problem::Value;
  Held<Problem> problem = of;
  Walk<typename Problem::Source> from(problem.source, tile.begin);
  Value aggregate(from.part.load(from.index(0)));
  some_at_a_time<steps_at_a_time<Value>>(tile.size() - 1, [&](std::size_t, auto some) __attribute__((always_inline)) {
    for_each<some>([&](auto k) __attribute__((always_inline)) {
      core::put(aggregate, problem.combine(aggregate, from.part.load(from.index(k + 1))));
    });
    from += some;
  });
  return aggregate;
}

/// Stores the result of the tile by the sink's own steps. Returns what stands behind the last one.
template <class Problem>
typename Problem::Value advance_through(Problem const& of, Tile tile, Maybe<typename Problem::Value> const& prefix) {
  Held<Problem> problem = of;
  typename Problem::Value running(prefix ? *prefix : problem.sink.initial());
  for (std::size_t i = tile.begin; i < tile.end; ++i) problem.sink.advance(i, running);
  return running;
}

/// Stores the result of the tile in one sweep. Returns the prefix behind it.
template <class Problem>
typename Problem::Value sweep(Problem const& problem, Tile tile, Maybe<typename Problem::Value> const& prefix) {
  if constexpr (core::advances<typename Problem::Sink>) {
    // Others find a prefix of aggregates, and it must be the same in every bit; behind the last tile nobody asks for
    // one.
    if (std::is_integral_v<typename Problem::Value> || tile.end == problem.n)
      return advance_through(problem, tile, prefix);
    auto const through = problem.combine(prefix, serial_reduce(problem, tile));
    advance_through(problem, tile, prefix);
    return through;
  } else {
    return problem.combine(prefix, serial_scan(problem, tile, prefix));
  }
}

/// The same without a return.
template <class Problem>
void sweep_again(Problem const& problem, Tile tile, Maybe<typename Problem::Value> const& prefix) {
  if constexpr (core::advances<typename Problem::Sink>)
    advance_through(problem, tile, prefix);
  else
    serial_scan(problem, tile, prefix);
}

/// Combines the results of a tile that was scanned without its prefix with what came before it.
template <class Problem>
void add_prefix(Problem const& problem, Tile tile, Maybe<typename Problem::Value> const& prefix) {
  if (!prefix) return;
  auto const before   = *prefix;
  auto const& results = problem.sink.array;
  std::size_t i       = tile.begin;
  if constexpr (Problem::Sink::kind == Kind::exclusive) core::put(results[i++], before);
  for (; i < tile.end; ++i) core::put(results[i], problem.combine(before, results[i]));
}

// A tile scanner has three verbs, and a grid algorithm needs no more:
//
//   scan_tile(worker, tile, prefix)              the result of a tile whose prefix is known (or missing, for the first)
//   reduce_tile(worker, tile)                    all that can be done before the prefix is known
//   finish_tile(worker, tile, prefix, reduced)   the rest
//
// The first returns the prefix behind the tile, the second a Reduced, which has the tile's aggregate, and which any
// worker may finish with.
//
// Scanner::reduce_is_quick says that reduce_tile() takes much less time than scan_tile(): it is then worth its while to
// reduce even a tile whose prefix is known, for those who wait for the next prefix; Scanner::scan_reduces_first, that
// scan_tile() is no more than reduce_tile() and finish_tile(). A scanner that reduces quickly has one verb more, which
// pays where scanner.streams() says that the result goes past the caches, so that memory takes the time (a strided
// result does not: two tiles of it would not fit into the second-level cache):
//
//   finish_and_reduce(worker, tile, prefix, reduced, next)   finish_tile() for the tile, reduce_tile() for the next one

/// A value of each chain, for the compiler to keep in registers; at first none.
template <class Value>
union OfChains {
  char nothing;
  Value at[chains_of<Value>];

  OfChains() : nothing(0) {}
};

/// What reduce_tile() finds.
template <class Value>
struct Reduced {
  Value aggregate;
  OfChains<Value> before{};  // of chains alone: each but the first, within the tile; of recurrences their maps
};

/// In one sweep from left to right, any operator, no memory but dest. Where dest cannot hold what is to be combined
/// with the prefix later, a tile is scanned when the prefix is known, and only its aggregate is found before.
template <class Problem>
struct SerialTile {
  using Value                              = typename Problem::Value;
  using Reduced                            = host::Reduced<Value>;
  static constexpr bool reduce_is_quick    = false;
  static constexpr bool scan_reduces_first = false;
  Problem const& problem;

  Value scan_tile(int, Tile tile, Maybe<Value> const& prefix) const {
    return as_written<Problem>([&] { return sweep(problem, tile, prefix); });
  }
  Reduced reduce_tile(int, Tile tile) const {
    return as_written<Problem>([&] {
      if constexpr (core::holds_local_results<Problem>)
        return Reduced{serial_scan(problem, tile, Maybe<Value>())};
      else
        return Reduced{serial_reduce(problem, tile)};
    });
  }
  void finish_tile(int, Tile tile, Maybe<Value> const& prefix, Reduced const&) const {
    as_written<Problem>([&] {
      if constexpr (core::holds_local_results<Problem>)
        add_prefix(problem, tile, prefix);
      else
        sweep_again(problem, tile, prefix);
    });
  }
};

/// One worker for a network: the steps of src/block, taken one after the other.
struct SerialWorker {
  template <class F>
  void for_each(int count, F const& f) const {
    for (int i = 0; i < count; ++i) f(i);
  }
  template <class F>
  void once(F const& f) const {
    f();
  }
};

/// Loads a tile into a buffer and scans it there by a network. Each worker has two buffers of `capacity` values.
template <class Network, class Problem>
struct NetworkTile {
  using Value                              = typename Problem::Value;
  using Reduced                            = host::Reduced<Value>;
  static constexpr bool reduce_is_quick    = false;
  static constexpr bool scan_reduces_first = false;
  Problem const& problem;
  Value* buffers;
  std::size_t capacity;

  Value scan_tile(int worker, Tile tile, Maybe<Value> const& prefix) const {
    return as_written<Problem>([&] { return problem.combine(prefix, scan_by_network(worker, tile, prefix, true)); });
  }
  Reduced reduce_tile(int worker, Tile tile) const {
    return as_written<Problem>(
        [&] { return Reduced{scan_by_network(worker, tile, Maybe<Value>(), core::holds_local_results<Problem>)}; });
  }
  void finish_tile(int worker, Tile tile, Maybe<Value> const& prefix, Reduced const&) const {
    as_written<Problem>([&] {
      if constexpr (core::holds_local_results<Problem>)
        add_prefix(problem, tile, prefix);
      else
        scan_by_network(worker, tile, prefix, true);
    });
  }

 private:
  /// Returns the tile's aggregate.
  Value scan_by_network(int worker, Tile tile, Maybe<Value> const& prefix, bool writes) const {
    Value* const values  = buffers + 2 * capacity * static_cast<std::size_t>(worker);
    Value* const scratch = values + capacity;
    int const n          = static_cast<int>(tile.size());
    for (int i = 0; i < n; ++i) core::put(values[i], problem.source.load(tile.begin + static_cast<std::size_t>(i)));

    auto const combine        = [&](Value const& left, Value const& right) { return problem.combine(left, right); };
    Value const* const result = Network::run(SerialWorker{}, n, values, scratch, combine);

    for (int i = 0; i < n && writes; ++i) {
      std::size_t const at = tile.begin + static_cast<std::size_t>(i);
      block::store_result<Network>(problem, at, result, scratch, n, i, prefix);
    }
    return Network::native_kind == Kind::inclusive ? result[n - 1] : scratch[0];
  }
};

}  // namespace KokkosScan::host
