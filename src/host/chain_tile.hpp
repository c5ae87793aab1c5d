// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "fetch.hpp"
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

/// Where the chains of a tile lie: pieces of one length, and behind the last what is left over.
template <class Value>
struct Chains {
  std::size_t begin;
  std::size_t length;
  std::size_t end;

  explicit Chains(Tile tile) : begin(tile.begin), length(length_in(tile)), end(tile.end) {}
  std::size_t at(std::size_t chain, std::size_t i) const { return begin + chain * length + i; }

 private:
  /// Whole lines, and in no high power of two apart, or the chains compete for the same few lines of the first-level
  /// cache: tiles in the second-level cache would take 15 % more time.
  static std::size_t length_in(Tile tile) {
    constexpr std::size_t line = std::max<std::size_t>(1, line_bytes / sizeof(Value));
    std::size_t const lines    = tile.size() / chains / line;
    return lines == 0 ? tile.size() / chains : (lines - (lines % 16 == 0)) * line;
  }
};

/// The aggregates of a tile's chains, found some elements at a time.
template <class Scan>
class ChainAggregates {
 public:
  using Value = typename Scan::Value;

  ChainAggregates(Scan const& scan, Tile tile) : scan_(scan), of_(tile) {
    for_each<chains>([&](auto s) { block::put(aggregates_.at[s], scan.input(of_.at(s, 0))); });
  }

  /// Goes on to element `end` of each chain, or to their ends.
  void go_to(std::size_t end) {
    Scan const scan        = scan_;  // copies, which no store can change
    Chains<Value> const of = of_;
    auto aggregates        = aggregates_;
    end                    = std::min(end, of.length);
    for (std::size_t i = next_; i < end; ++i)
      for_each<chains>([&](auto s) __attribute__((always_inline)) {
        block::put(aggregates.at[s], scan.combine(aggregates.at[s], scan.input(of.at(s, i))));
      });
    block::put(aggregates_, aggregates);
    next_ = std::max(next_, end);
  }

  /// The aggregates of all chains.
  OfChains<Value> finish() {
    go_to(of_.length);
    for (std::size_t i = of_.at(chains, 0); i < of_.end; ++i)
      block::put(aggregates_.at[chains - 1], scan_.combine(aggregates_.at[chains - 1], scan_.input(i)));
    return aggregates_;
  }

 private:
  Scan const& scan_;
  Chains<Value> of_;
  std::size_t next_ = 1;
  OfChains<Value> aggregates_;
};

/// The result goes to dest.
template <class Scan>
struct ToDest {
  typename Scan::Outputs dest;
  Chains<typename Scan::Value> of;

  typename Scan::Stored& element(std::size_t chain, std::size_t i) const { return dest[of.at(chain, i)]; }
  void write(std::size_t, std::size_t) const {}
};

/// The result goes past the caches, by way of a row of elements for each chain.
template <class Scan>
class PastCaches {
 public:
  using Value  = typename Scan::Value;
  using Stored = typename Scan::Stored;

  PastCaches(Scan const& scan, Chains<Value> of, simd::Streaming const& streaming)
      : dest_(scan.dest.data), of_(of), streaming_(streaming) {}
  ~PastCaches() { streaming_.finish(); }
  PastCaches(PastCaches const&)            = delete;
  PastCaches& operator=(PastCaches const&) = delete;

  Stored& element(std::size_t chain, std::size_t i) {
    return reinterpret_cast<Stored*>(rows_)[chain * elements_at_once<Value> + i % elements_at_once<Value>];
  }
  /// Writes one row of each chain, from element `begin` on.
  void write(std::size_t begin, std::size_t end) {
    for (std::size_t s = 0; s < chains; ++s)
      streaming_.copy(reinterpret_cast<std::byte*>(dest_ + of_.at(s, begin)),
                      reinterpret_cast<std::byte const*>(&element(s, begin)), (end - begin) * sizeof(Stored));
  }

 private:
  Stored* dest_;
  Chains<Value> of_;
  simd::Streaming streaming_;
  alignas(line_bytes) std::byte rows_[chains * elements_at_once<Value> * sizeof(Stored)];
};

/// Scans all chains of a tile at once, some elements at a time.
template <class Scan>
class ChainScan {
 public:
  using Value                     = typename Scan::Value;
  static constexpr bool inclusive = Scan::kind == Kind::inclusive;

  /// `before` is what comes before each chain but the first, within the tile.
  ChainScan(Scan const& scan, Tile tile, Maybe<Value> const& prefix, OfChains<Value> const& before)
      : scan_(scan), of_(tile), has_prefix_(prefix) {
    if (prefix) block::put(running_.at[0], *prefix);
    for (std::size_t s = 1; s < chains; ++s) {
      block::put(before_.at[s], scan.combine(prefix, before.at[s]));
      block::put(running_.at[s], before_.at[s]);
    }
  }

  /// Goes on to element `end` of each chain; to.element(chain, i) is where its result goes.
  template <class To>
  void go_to(std::size_t end, To& to) {
    std::size_t i = next_;
    if (i == 0 && !has_prefix_) {
      // The first value of all is combined with nothing.
      OfChains<Value> values = values_at(scan_, of_, 0);
      block::put(running_.at[0], values.at[0]);
      for (std::size_t s = 1; s < chains; ++s) go_on(scan_, values.at[s], running_.at[s], to.element(s, 0));
      if constexpr (inclusive) put_result(to.element(0, 0), running_.at[0]);
      ++i;
    }
    Scan const scan        = scan_;  // copies, which no store can change
    Chains<Value> const of = of_;
    auto running           = running_;
    for (; i < end; ++i) {
      auto const values = values_at(scan, of, i);
      for_each<chains>(
          [&](auto s) __attribute__((always_inline)) { go_on(scan, values.at[s], running.at[s], to.element(s, i)); });
    }
    block::put(running_, running);
    next_ = end;
  }

  /// When all chains are done: what is left over, and the last element of each chain, which gets what comes before the
  /// next one, so that whoever compares a total with the last result finds the same bits.
  template <class To>
  void finish(Value const& through, To& to) {
    if constexpr (inclusive)
      for (std::size_t s = 1; s < chains; ++s) put_result(to.element(s - 1, of_.length - 1), before_.at[s]);
    std::size_t const rest = of_.at(chains, 0);
    for (std::size_t i = rest; i < of_.end; ++i) {
      Value const value = scan_.input(i);
      Value& running    = running_.at[chains - 1];
      if constexpr (!inclusive) put_result(scan_.dest[i], running);
      block::put(running, scan_.combine(running, value));
      if constexpr (inclusive) put_result(scan_.dest[i], running);
    }
    if constexpr (inclusive)
      put_result(rest == of_.end ? to.element(chains - 1, of_.length - 1) : scan_.dest[of_.end - 1], through);
  }

 private:
  /// All of them are read before any result is written, since dest may be `from`; and since chains often lie whole
  /// pages apart: the processor would take a reading for one of what was just written, and wait.
  [[gnu::always_inline]] static OfChains<Value> values_at(Scan const& scan, Chains<Value> const& of, std::size_t i) {
    OfChains<Value> values;
    for_each<chains>([&](auto s) __attribute__((always_inline)) { block::put(values.at[s], scan.input(of.at(s, i))); });
    return values;
  }

  [[gnu::always_inline]] static void go_on(Scan const& scan, Value const& value, Value& running,
                                           typename Scan::Stored& result) {
    if constexpr (!inclusive) put_result(result, running);
    block::put(running, scan.combine(running, value));
    if constexpr (inclusive) put_result(result, running);
  }

  Scan const& scan_;
  Chains<Value> of_;
  bool has_prefix_;
  std::size_t next_ = 0;
  OfChains<Value> before_;
  OfChains<Value> running_;
};

/// The tile scanner (tile.hpp) by chains. A tile of less than `least` values is one chain.
template <class Scan, std::size_t least = least_for_chains>
struct ChainTile {
  static_assert(least >= chains);
  using Value   = typename Scan::Value;
  using Reduced = host::Reduced<Value>;

  static constexpr bool reduce_is_quick    = true;
  static constexpr bool scan_reduces_first = true;
  static constexpr bool plain_output       = side_by_side<typename Scan::Outputs>;

  Scan const& scan;
  simd::Store store;

  /// Whether the result is written past the caches.
  bool streams() const { return plain_output && store == simd::Store::streaming; }

  Value scan_tile(int, Tile tile, Maybe<Value> const& prefix) const {
    // Apart from the chains, whose buffers a call for few elements would pay for.
    if (tile.size() < least)
      return as_written<Scan>([&] { return scan.combine(prefix, serial_scan(scan, tile, prefix)); });
    return as_written<Scan>([&] { return reduce_and_scan(tile, prefix); });
  }
  Reduced reduce_tile(int, Tile tile) const {
    return as_written<Scan>([&] { return reduce(tile); });
  }
  void finish_tile(int, Tile tile, Maybe<Value> const& prefix, Reduced const& reduced) const {
    as_written<Scan>([&] { scan_reduced(tile, prefix, reduced); });
  }
  Reduced finish_and_reduce(int, Tile tile, Maybe<Value> const& prefix, Reduced const& reduced, Tile next) const {
    return as_written<Scan>([&] {
      if (next.size() < least) {
        scan_reduced(tile, prefix, reduced);
        return reduce(next);
      }
      ChainAggregates<Scan> aggregates(scan, next);
      run(tile, prefix, reduced, &aggregates);
      return combined(aggregates.finish());
    });
  }

 private:
  Value reduce_and_scan(Tile tile, Maybe<Value> const& prefix) const {
    Reduced const reduced = combined(ChainAggregates<Scan>(scan, tile).finish());
    run(tile, prefix, reduced, nullptr);
    return scan.combine(prefix, reduced.aggregate);
  }

  Reduced reduce(Tile tile) const {
    if (tile.size() < least) return {serial_reduce(scan, tile), {}};
    ChainAggregates<Scan> aggregates(scan, tile);
    Chains<Value> const of(tile);
    bool const fetches = !streams() && machine().reading == Reading::in_turns;
    for (std::size_t i = 0; i < of.length; i += elements_at_once<Value>) {
      std::size_t const end = std::min(i + elements_at_once<Value>, of.length);
      if (fetches)
        for (std::size_t s = 0; s < chains; ++s) fetch<For::writing>(scan.dest, of.at(s, i), of.at(s, end));
      aggregates.go_to(end);
    }
    return combined(aggregates.finish());
  }

  void scan_reduced(Tile tile, Maybe<Value> const& prefix, Reduced const& reduced) const {
    if (tile.size() < least)
      serial_scan(scan, tile, prefix);
    else
      run(tile, prefix, reduced, nullptr);
  }

  Reduced combined(OfChains<Value> const& aggregates) const {
    OfChains<Value> through;
    block::put(through.at[0], aggregates.at[0]);
    for (std::size_t s = 1; s < chains; ++s)
      block::put(through.at[s], scan.combine(through.at[s - 1], aggregates.at[s]));
    Reduced reduced{through.at[chains - 1], {}};
    for (std::size_t s = 1; s < chains; ++s) block::put(reduced.before.at[s], through.at[s - 1]);
    return reduced;
  }

  void run(Tile tile, Maybe<Value> const& prefix, Reduced const& reduced, ChainAggregates<Scan>* next) const {
    if constexpr (plain_output)
      if (streams()) {
        PastCaches<Scan> to(scan, Chains<Value>(tile), simd::all_functions().streaming);
        return run(tile, prefix, reduced, to, next);
      }
    ToDest<Scan> to{scan.dest, Chains<Value>(tile)};
    run(tile, prefix, reduced, to, next);
  }

  template <class To>
  void run(Tile tile, Maybe<Value> const& prefix, Reduced const& reduced, To& to, ChainAggregates<Scan>* next) const {
    ChainScan<Scan> work(scan, tile, prefix, reduced.before);
    std::size_t const length = Chains<Value>(tile).length;
    for (std::size_t i = 0; i < length; i += elements_at_once<Value>) {
      std::size_t const end = std::min(i + elements_at_once<Value>, length);
      work.go_to(end, to);
      if (end == length) work.finish(scan.combine(prefix, reduced.aggregate), to);
      to.write(i, end);
      if (next) next->go_to(end);
    }
  }
};

}  // namespace KokkosScan::host
