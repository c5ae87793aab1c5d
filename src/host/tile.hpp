// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "../block/networks.hpp"
#include "../driver/scan.hpp"
#include "as_written.hpp"
#include "tuning.hpp"

// What a worker does with one tile. Every element of a result is join(prefix, local), where local is the scan of the
// tile by itself and prefix what came before the tile; so the bits are the same whether the prefix was known when the
// tile was scanned or was joined afterwards, and for every grid algorithm. (Strands have a rule of their own,
// strand_tile.hpp.)
namespace KokkosScan::host {

using driver::Kind;
using driver::Maybe;
using driver::Tile;
using driver::Tiles;

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

/// Goes from element to element. Of an index and a stride that is not known g++ makes a multiplication for each
/// element, and integer sums take twice the time.
template <class Elements>
struct Walk {
  Elements const& elements;
  std::size_t i;
  decltype(auto) operator[](std::size_t k) const { return elements[i + k]; }
  void operator+=(std::size_t count) { i += count; }
};
template <class Element>
struct Walk<driver::Strided<Element>> {
  Element* place;
  std::ptrdiff_t stride;
  Walk(driver::Strided<Element> const& elements, std::size_t i) : place(&elements[i]), stride(elements.stride) {}
  Element& operator[](std::size_t k) const { return place[static_cast<std::ptrdiff_t>(k) * stride]; }
  void operator+=(std::size_t count) { place += static_cast<std::ptrdiff_t>(count) * stride; }
};

inline constexpr auto as_it_is = [](auto const& value) -> auto const& { return value; };

/// A join of integers takes no longer than a step from place to place.
template <class Value>
inline constexpr std::size_t steps_at_a_time = std::is_integral_v<Value> ? 4 : 1;

/// Leaves a result, converted to what dest holds.
template <class Stored, class Value>
[[gnu::always_inline]] inline void put_result(Stored& place, Value const& result) {
  ::new (static_cast<void*>(&place)) Stored(static_cast<Stored>(result));
}

/// Goes on with a chain of joins, from behind the places where `from` and `dest` stand.
template <class Scan, class From, class Dest, class Value, class Stored>
[[gnu::always_inline]] inline void go_on(Scan const& scan, std::size_t count, From from, Dest dest, Value& running,
                                         Stored const& stored) {
  some_at_a_time<steps_at_a_time<Value>>(count, [&](std::size_t, auto some) __attribute__((always_inline)) {
    for_each<some>([&](auto k) __attribute__((always_inline)) {
      Value const value = scan.value_of(from[k + 1]);
      if constexpr (Scan::kind == Kind::exclusive) put_result(dest[k + 1], stored(running));
      block::put(running, scan.combine(running, value));
      if constexpr (Scan::kind == Kind::inclusive) put_result(dest[k + 1], stored(running));
    });
    from += some;
    dest += some;
  });
}

/// Leaves in dest the local scan of the tile, joined to the prefix if there is one. Returns the tile's own total.
template <class Scan>
typename Scan::Value scan_tile(Scan const& of, Tile tile, Maybe<typename Scan::Value> const& prefix) {
  using Value     = typename Scan::Value;
  Scan const scan = of;  // a copy, which no store can change

  auto const fold = [&](auto const& stored) {
    Walk<typename Scan::Inputs> from{scan.from, tile.begin};
    Walk<typename Scan::Outputs> dest{scan.dest, tile.begin};
    Value running(scan.value_of(from[0]));  // read before the store: dest may be from
    if constexpr (Scan::kind == Kind::inclusive)
      put_result(dest[0], stored(running));
    else if (prefix)
      put_result(dest[0], *prefix);
    go_on(scan, tile.size() - 1, from, dest, running, stored);
    return running;
  };
  // Two loops rather than a test in one: without a prefix the loop is a plain serial scan.
  if (prefix) return fold([&, before = *prefix](Value const& local) { return scan.combine(before, local); });
  return fold(as_it_is);
}

/// Leaves in dest the result of the tile by one chain of joins that begins with the prefix: other bits than scan_tile,
/// where joins round. Returns where the chain ends.
template <class Scan>
typename Scan::Value chain_tile(Scan const& of, Tile tile, Maybe<typename Scan::Value> const& prefix) {
  using Value     = typename Scan::Value;
  Scan const scan = of;
  Walk<typename Scan::Inputs> from{scan.from, tile.begin};
  Walk<typename Scan::Outputs> dest{scan.dest, tile.begin};
  Value const first = scan.value_of(from[0]);
  Value running     = scan.combine(prefix, first);
  if (Scan::kind == Kind::inclusive)
    put_result(dest[0], running);
  else if (prefix)
    put_result(dest[0], *prefix);
  go_on(scan, tile.size() - 1, from, dest, running, as_it_is);
  return running;
}

/// The tile's own total, by the joins of scan_tile.
template <class Scan>
typename Scan::Value fold_tile(Scan const& of, Tile tile) {
  using Value     = typename Scan::Value;
  Scan const scan = of;
  Walk<typename Scan::Inputs> from{scan.from, tile.begin};
  Value total(scan.value_of(from[0]));
  some_at_a_time<steps_at_a_time<Value>>(tile.size() - 1, [&](std::size_t, auto some) __attribute__((always_inline)) {
    for_each<some>([&](auto k) __attribute__((always_inline)) {
      block::put(total, scan.combine(total, scan.value_of(from[k + 1])));
    });
    from += some;
  });
  return total;
}

/// Joins to a tile that was scanned without its prefix what came before it.
template <class Scan>
void add_prefix(Scan const& scan, Tile tile, Maybe<typename Scan::Value> const& prefix) {
  if (!prefix) return;
  auto const before   = *prefix;
  std::size_t const i = tile.begin;
  block::put(scan.dest[i], Scan::kind == Kind::inclusive ? scan.combine(before, scan.dest[i]) : before);
  for (std::size_t k = i + 1; k < tile.end; ++k) block::put(scan.dest[k], scan.combine(before, scan.dest[k]));
}

// The ways to scan a tile share three verbs, of which a grid algorithm needs no more:
//
//   whole(worker, tile, prefix)           the result of a tile whose prefix is known (or missing, for the first tile)
//   begin(worker, tile)                   all that can be done before the prefix is known
//   finish(worker, tile, prefix, begun)   the rest
//
// The first returns what comes up to the tile's end, the second a Begun, which has the tile's own total, and which any
// worker may finish with.
//
// Way::total_is_quick says that begin() takes much less time than whole(): it is then worth its while to begin even a
// tile whose prefix is known, for those who wait for what comes behind it; Way::whole_begins, that whole() is no more
// than begin() and finish(). Such a way has one verb more, which pays
// where way.streams() says that the result goes past the caches, so that memory takes the time (a strided one does
// not: two tiles of it would not fit into the second-level cache):
//
//   finish_and_begin(worker, tile, prefix, begun, next)   finish(worker, tile, prefix, begun) and begin(worker, next)

/// A value of each strand, for the compiler to keep in registers. It begins as nothing.
template <class Value>
union OfStrands {
  char nothing;
  Value at[strands];

  OfStrands() : nothing(0) {}
};

/// What is known of a tile that was begun.
template <class Value>
struct Begun {
  Value total;
  OfStrands<Value> before{};  // of strands alone: each but the first, within the tile
};
/// That of the others.
template <class Value>
using TotalAlone = Begun<Value>;

/// In one sweep from left to right, any operator, no memory but dest. Where dest cannot hold what is to be joined to
/// the prefix later, a tile is scanned when the prefix is known, and only summed before.
template <class Scan>
struct SerialTile {
  using Value                          = typename Scan::Value;
  using Begun                          = host::Begun<Value>;
  static constexpr bool total_is_quick = false;
  static constexpr bool whole_begins   = false;
  Scan const& scan;

  Value whole(int, Tile tile, Maybe<Value> const& prefix) const {
    return as_written<Scan>([&] { return scan.combine(prefix, scan_tile(scan, tile, prefix)); });
  }
  Begun begin(int, Tile tile) const {
    return as_written<Scan>([&] {
      if constexpr (Scan::converts_results)
        return Begun{fold_tile(scan, tile)};
      else
        return Begun{scan_tile(scan, tile, Maybe<Value>())};
    });
  }
  void finish(int, Tile tile, Maybe<Value> const& prefix, Begun const&) const {
    as_written<Scan>([&] {
      if constexpr (Scan::converts_results)
        scan_tile(scan, tile, prefix);
      else
        add_prefix(scan, tile, prefix);
    });
  }
};

/// One worker as the crew of a network: the steps of src/block, taken one after the other.
struct SerialWorker {
  template <class F>
  void for_each(int count, F const& f) const {
    for (int i = 0; i < count; ++i) f(i);
  }
};

/// Brought into a buffer and scanned there by a network. Each worker has two buffers of `room` values.
template <class Network, class Scan>
struct NetworkTile {
  using Value                          = typename Scan::Value;
  using Begun                          = host::Begun<Value>;
  static constexpr bool total_is_quick = false;
  static constexpr bool whole_begins   = false;
  Scan const& scan;
  Value* buffers;
  std::size_t room;

  Value whole(int worker, Tile tile, Maybe<Value> const& prefix) const {
    return as_written<Scan>([&] { return scan.combine(prefix, scan_by_network(worker, tile, prefix, true)); });
  }
  Begun begin(int worker, Tile tile) const {
    return as_written<Scan>(
        [&] { return Begun{scan_by_network(worker, tile, Maybe<Value>(), !Scan::converts_results)}; });
  }
  void finish(int worker, Tile tile, Maybe<Value> const& prefix, Begun const&) const {
    as_written<Scan>([&] {
      if constexpr (Scan::converts_results)
        scan_by_network(worker, tile, prefix, true);
      else
        add_prefix(scan, tile, prefix);
    });
  }

 private:
  /// Returns the tile's own total.
  Value scan_by_network(int worker, Tile tile, Maybe<Value> const& prefix, bool writes) const {
    Value* const values = buffers + 2 * room * static_cast<std::size_t>(worker);
    Value* const spare  = values + room;
    int const n         = static_cast<int>(tile.size());
    for (int i = 0; i < n; ++i) block::put(values[i], scan.input(tile.begin + static_cast<std::size_t>(i)));

    auto const join           = [&](Value const& left, Value const& right) { return scan.combine(left, right); };
    Value const* const result = Network::run(SerialWorker{}, n, values, spare, join);

    if (Scan::kind == Kind::exclusive && prefix && writes) scan.store(tile.begin, *prefix);
    for (int i = Scan::kind == Kind::exclusive ? 1 : 0; i < n && writes; ++i)
      scan.store(tile.begin + static_cast<std::size_t>(i),
                 scan.combine(prefix, block::local_result<Network, Scan::kind>(result, spare, n, i)));
    return Network::native_kind == Kind::inclusive ? result[n - 1] : spare[0];
  }
};

}  // namespace KokkosScan::host
