// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <type_traits>
#include <utility>

#include "../block/networks.hpp"
#include "../driver/scan.hpp"
#include "as_written.hpp"
#include "tuning.hpp"

// What a worker does with one tile. Every element of a result is op(prefix, local), where local is the scan of the tile
// by itself and prefix what came before the tile; so the bits are the same whether the prefix was known when the tile
// was scanned or came afterwards, and for every grid algorithm. (Chains have a rule of their own, chain_tile.hpp.)
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
  Element* element;
  std::ptrdiff_t stride;
  Walk(driver::Strided<Element> const& elements, std::size_t i) : element(&elements[i]), stride(elements.stride) {}
  Element& operator[](std::size_t k) const { return element[static_cast<std::ptrdiff_t>(k) * stride]; }
  void operator+=(std::size_t count) { element += static_cast<std::ptrdiff_t>(count) * stride; }
};

inline constexpr auto as_it_is = [](auto const& value) -> auto const& { return value; };

/// An operation on integers takes no longer than a step from element to element.
template <class Value>
inline constexpr std::size_t steps_at_a_time = std::is_integral_v<Value> ? 4 : 1;

/// Stores a result, converted to what dest holds.
template <class Stored, class Value>
[[gnu::always_inline]] inline void put_result(Stored& to, Value const& result) {
  ::new (static_cast<void*>(&to)) Stored(static_cast<Stored>(result));
}

/// Goes on with a chain of operations, from behind the elements where `from` and `dest` stand.
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

/// Leaves in dest the local scan of the tile, combined with the prefix if there is one. Returns the tile's aggregate.
template <class Scan>
typename Scan::Value serial_scan(Scan const& of, Tile tile, Maybe<typename Scan::Value> const& prefix) {
  using Value     = typename Scan::Value;
  Scan const scan = of;  // a copy, which no store can change

  auto const scan_by = [&](auto const& stored) {
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
  if (prefix) return scan_by([&, before = *prefix](Value const& local) { return scan.combine(before, local); });
  return scan_by(as_it_is);
}

/// Leaves in dest the result of the tile by one chain of operations that begins with the prefix: other bits than
/// serial_scan, where op rounds. Returns the last link.
template <class Scan>
typename Scan::Value chain_scan(Scan const& of, Tile tile, Maybe<typename Scan::Value> const& prefix) {
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

/// The tile's aggregate, by the operations of serial_scan.
template <class Scan>
typename Scan::Value serial_reduce(Scan const& of, Tile tile) {
  using Value     = typename Scan::Value;
  Scan const scan = of;
  Walk<typename Scan::Inputs> from{scan.from, tile.begin};
  Value aggregate(scan.value_of(from[0]));
  some_at_a_time<steps_at_a_time<Value>>(tile.size() - 1, [&](std::size_t, auto some) __attribute__((always_inline)) {
    for_each<some>([&](auto k) __attribute__((always_inline)) {
      block::put(aggregate, scan.combine(aggregate, scan.value_of(from[k + 1])));
    });
    from += some;
  });
  return aggregate;
}

/// Combines a tile that was scanned without its prefix with what came before it.
template <class Scan>
void add_prefix(Scan const& scan, Tile tile, Maybe<typename Scan::Value> const& prefix) {
  if (!prefix) return;
  auto const before   = *prefix;
  std::size_t const i = tile.begin;
  block::put(scan.dest[i], Scan::kind == Kind::inclusive ? scan.combine(before, scan.dest[i]) : before);
  for (std::size_t k = i + 1; k < tile.end; ++k) block::put(scan.dest[k], scan.combine(before, scan.dest[k]));
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
  Value at[chains];

  OfChains() : nothing(0) {}
};

/// What reduce_tile() finds.
template <class Value>
struct Reduced {
  Value aggregate;
  OfChains<Value> before{};  // of chains alone: each but the first, within the tile
};

/// In one sweep from left to right, any operator, no memory but dest. Where dest cannot hold what is to be combined
/// with the prefix later, a tile is scanned when the prefix is known, and only its aggregate is found before.
template <class Scan>
struct SerialTile {
  using Value                              = typename Scan::Value;
  using Reduced                            = host::Reduced<Value>;
  static constexpr bool reduce_is_quick    = false;
  static constexpr bool scan_reduces_first = false;
  Scan const& scan;

  Value scan_tile(int, Tile tile, Maybe<Value> const& prefix) const {
    return as_written<Scan>([&] { return scan.combine(prefix, serial_scan(scan, tile, prefix)); });
  }
  Reduced reduce_tile(int, Tile tile) const {
    return as_written<Scan>([&] {
      if constexpr (Scan::converts_results)
        return Reduced{serial_reduce(scan, tile)};
      else
        return Reduced{serial_scan(scan, tile, Maybe<Value>())};
    });
  }
  void finish_tile(int, Tile tile, Maybe<Value> const& prefix, Reduced const&) const {
    as_written<Scan>([&] {
      if constexpr (Scan::converts_results)
        serial_scan(scan, tile, prefix);
      else
        add_prefix(scan, tile, prefix);
    });
  }
};

/// One worker for a network: the steps of src/block, taken one after the other.
struct SerialWorker {
  template <class F>
  void for_each(int count, F const& f) const {
    for (int i = 0; i < count; ++i) f(i);
  }
};

/// Loads a tile into a buffer and scans it there by a network. Each worker has two buffers of `capacity` values.
template <class Network, class Scan>
struct NetworkTile {
  using Value                              = typename Scan::Value;
  using Reduced                            = host::Reduced<Value>;
  static constexpr bool reduce_is_quick    = false;
  static constexpr bool scan_reduces_first = false;
  Scan const& scan;
  Value* buffers;
  std::size_t capacity;

  Value scan_tile(int worker, Tile tile, Maybe<Value> const& prefix) const {
    return as_written<Scan>([&] { return scan.combine(prefix, scan_by_network(worker, tile, prefix, true)); });
  }
  Reduced reduce_tile(int worker, Tile tile) const {
    return as_written<Scan>(
        [&] { return Reduced{scan_by_network(worker, tile, Maybe<Value>(), !Scan::converts_results)}; });
  }
  void finish_tile(int worker, Tile tile, Maybe<Value> const& prefix, Reduced const&) const {
    as_written<Scan>([&] {
      if constexpr (Scan::converts_results)
        scan_by_network(worker, tile, prefix, true);
      else
        add_prefix(scan, tile, prefix);
    });
  }

 private:
  /// Returns the tile's aggregate.
  Value scan_by_network(int worker, Tile tile, Maybe<Value> const& prefix, bool writes) const {
    Value* const values  = buffers + 2 * capacity * static_cast<std::size_t>(worker);
    Value* const scratch = values + capacity;
    int const n          = static_cast<int>(tile.size());
    for (int i = 0; i < n; ++i) block::put(values[i], scan.input(tile.begin + static_cast<std::size_t>(i)));

    auto const combine        = [&](Value const& left, Value const& right) { return scan.combine(left, right); };
    Value const* const result = Network::run(SerialWorker{}, n, values, scratch, combine);

    if (Scan::kind == Kind::exclusive && prefix && writes) scan.store(tile.begin, *prefix);
    for (int i = Scan::kind == Kind::exclusive ? 1 : 0; i < n && writes; ++i)
      scan.store(tile.begin + static_cast<std::size_t>(i),
                 scan.combine(prefix, block::local_result<Network, Scan::kind>(result, scratch, n, i)));
    return Network::native_kind == Kind::inclusive ? result[n - 1] : scratch[0];
  }
};

}  // namespace KokkosScan::host
