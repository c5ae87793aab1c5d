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

// A tile as a few strands side by side, for operators that the compiler alone knows. In a plain loop each join waits
// for the one before it; the chains of several strands do not wait for each other. First the totals of all strands,
// then all of them scanned at once. Nothing is joined to more than it must be: two joins to an element, as for a tile
// that is scanned by itself and joined to its prefix later, and the result is written but once.
//
// Each strand is a chain of joins that begins with what comes before the strand: the tile's prefix op the totals of the
// strands before it. Its last result is what comes before the next strand, so that the last result of all is the total,
// in every bit. All this depends on the tile alone.
namespace KokkosScan::host {

/// Where the strands of a tile lie: all of one length, and behind the last what is left over.
template <class Value>
struct Strands {
  std::size_t begin;
  std::size_t length;
  std::size_t end;

  explicit Strands(Tile tile) : begin(tile.begin), length(length_in(tile)), end(tile.end) {}
  std::size_t at(std::size_t strand, std::size_t place) const { return begin + strand * length + place; }

 private:
  /// Whole lines, and in no high power of two apart, or the strands compete for the same few places in the first-level
  /// cache: tiles in the second-level cache would take 15 % more time.
  static std::size_t length_in(Tile tile) {
    constexpr std::size_t line = std::max<std::size_t>(1, line_bytes / sizeof(Value));
    std::size_t const lines    = tile.size() / strands / line;
    return lines == 0 ? tile.size() / strands : (lines - (lines % 16 == 0)) * line;
  }
};

/// The totals of a tile's strands, found some places at a time.
template <class Scan>
class StrandTotals {
 public:
  using Value = typename Scan::Value;

  StrandTotals(Scan const& scan, Tile tile) : scan_(scan), of_(tile) {
    for_each<strands>([&](auto s) { block::put(totals_.at[s], scan.input(of_.at(s, 0))); });
  }

  /// Goes on to place `end` of each strand, or to their ends.
  void go_to(std::size_t end) {
    Scan const scan         = scan_;  // copies, which no store can change
    Strands<Value> const of = of_;
    auto totals             = totals_;
    end                     = std::min(end, of.length);
    for (std::size_t place = place_; place < end; ++place)
      for_each<strands>([&](auto s) __attribute__((always_inline)) {
        block::put(totals.at[s], scan.combine(totals.at[s], scan.input(of.at(s, place))));
      });
    block::put(totals_, totals);
    place_ = std::max(place_, end);
  }

  /// The totals of all strands.
  OfStrands<Value> finish() {
    go_to(of_.length);
    for (std::size_t i = of_.at(strands, 0); i < of_.end; ++i)
      block::put(totals_.at[strands - 1], scan_.combine(totals_.at[strands - 1], scan_.input(i)));
    return totals_;
  }

 private:
  Scan const& scan_;
  Strands<Value> of_;
  std::size_t place_ = 1;
  OfStrands<Value> totals_;
};

/// The result where it belongs.
template <class Scan>
struct ToDest {
  typename Scan::Outputs dest;
  Strands<typename Scan::Value> of;

  typename Scan::Stored& place(std::size_t strand, std::size_t place) const { return dest[of.at(strand, place)]; }
  void write(std::size_t, std::size_t) const {}
};

/// The result past the caches, by way of a row of places for each strand.
template <class Scan>
class PastCaches {
 public:
  using Value  = typename Scan::Value;
  using Stored = typename Scan::Stored;

  PastCaches(Scan const& scan, Strands<Value> of, simd::Streaming const& streaming)
      : dest_(scan.dest.data), of_(of), streaming_(streaming) {}
  ~PastCaches() { streaming_.finish(); }
  PastCaches(PastCaches const&)            = delete;
  PastCaches& operator=(PastCaches const&) = delete;

  Stored& place(std::size_t strand, std::size_t place) {
    return reinterpret_cast<Stored*>(rows_)[strand * places_at_once<Value> + place % places_at_once<Value>];
  }
  /// Of each strand the places of one row, from `begin` on.
  void write(std::size_t begin, std::size_t end) {
    for (std::size_t s = 0; s < strands; ++s)
      streaming_.copy(reinterpret_cast<std::byte*>(dest_ + of_.at(s, begin)),
                      reinterpret_cast<std::byte const*>(&place(s, begin)), (end - begin) * sizeof(Stored));
  }

 private:
  Stored* dest_;
  Strands<Value> of_;
  simd::Streaming streaming_;
  alignas(line_bytes) std::byte rows_[strands * places_at_once<Value> * sizeof(Stored)];
};

/// Scans all strands of a tile at once, some places at a time.
template <class Scan>
class StrandScan {
 public:
  using Value                     = typename Scan::Value;
  static constexpr bool inclusive = Scan::kind == Kind::inclusive;

  /// `before` is what comes before each strand but the first, within the tile.
  StrandScan(Scan const& scan, Tile tile, Maybe<Value> const& prefix, OfStrands<Value> const& before)
      : scan_(scan), of_(tile), has_prefix_(prefix) {
    if (prefix) block::put(running_.at[0], *prefix);
    for (std::size_t s = 1; s < strands; ++s) {
      block::put(before_.at[s], scan.combine(prefix, before.at[s]));
      block::put(running_.at[s], before_.at[s]);
    }
  }

  /// Goes on to place `end` of each strand; to.place(strand, place) is where its result goes.
  template <class To>
  void go_to(std::size_t end, To& to) {
    std::size_t place = place_;
    if (place == 0 && !has_prefix_) {
      // The first value of all is joined to nothing.
      OfStrands<Value> values = values_at(scan_, of_, 0);
      block::put(running_.at[0], values.at[0]);
      for (std::size_t s = 1; s < strands; ++s) go_on(scan_, values.at[s], running_.at[s], to.place(s, 0));
      if constexpr (inclusive) put_result(to.place(0, 0), running_.at[0]);
      ++place;
    }
    Scan const scan         = scan_;  // copies, which no store can change
    Strands<Value> const of = of_;
    auto running            = running_;
    for (; place < end; ++place) {
      auto const values = values_at(scan, of, place);
      for_each<strands>(
          [&](auto s) __attribute__((always_inline)) { go_on(scan, values.at[s], running.at[s], to.place(s, place)); });
    }
    block::put(running_, running);
    place_ = end;
  }

  /// When all strands are done: what is left over, and the last place of each strand, which gets what comes before the
  /// next one, so that whoever compares a total with the last result finds the same bits.
  template <class To>
  void finish(Value const& through, To& to) {
    if constexpr (inclusive)
      for (std::size_t s = 1; s < strands; ++s) put_result(to.place(s - 1, of_.length - 1), before_.at[s]);
    std::size_t const rest = of_.at(strands, 0);
    for (std::size_t i = rest; i < of_.end; ++i) {
      Value const value = scan_.input(i);
      Value& running    = running_.at[strands - 1];
      if constexpr (!inclusive) put_result(scan_.dest[i], running);
      block::put(running, scan_.combine(running, value));
      if constexpr (inclusive) put_result(scan_.dest[i], running);
    }
    if constexpr (inclusive)
      put_result(rest == of_.end ? to.place(strands - 1, of_.length - 1) : scan_.dest[of_.end - 1], through);
  }

 private:
  /// All of them are read before any result is written, since dest may be `from`; and since the strands often lie whole
  /// pages apart: the processor would take a reading for one of what was just written, and wait.
  [[gnu::always_inline]] static OfStrands<Value> values_at(Scan const& scan, Strands<Value> const& of,
                                                           std::size_t place) {
    OfStrands<Value> values;
    for_each<strands>([&](auto s)
                          __attribute__((always_inline)) { block::put(values.at[s], scan.input(of.at(s, place))); });
    return values;
  }

  [[gnu::always_inline]] static void go_on(Scan const& scan, Value const& value, Value& running,
                                           typename Scan::Stored& place) {
    if constexpr (!inclusive) put_result(place, running);
    block::put(running, scan.combine(running, value));
    if constexpr (inclusive) put_result(place, running);
  }

  Scan const& scan_;
  Strands<Value> of_;
  bool has_prefix_;
  std::size_t place_ = 0;
  OfStrands<Value> before_;
  OfStrands<Value> running_;
};

/// The way to scan a tile (tile.hpp) by strands. Tiles of less than `least` values are one strand.
template <class Scan, std::size_t least = least_for_strands>
struct StrandTile {
  static_assert(least >= strands);
  using Value = typename Scan::Value;
  using Begun = host::Begun<Value>;

  static constexpr bool total_is_quick = true;
  static constexpr bool whole_begins   = true;
  static constexpr bool plain_output   = side_by_side<typename Scan::Outputs>;

  Scan const& scan;
  simd::Store store;

  /// Whether the result is written past the caches.
  bool streams() const { return plain_output && store == simd::Store::streaming; }

  Value whole(int, Tile tile, Maybe<Value> const& prefix) const {
    return as_written<Scan>([&] { return scan_whole(tile, prefix); });
  }
  Begun begin(int, Tile tile) const {
    return as_written<Scan>([&] { return find_totals(tile); });
  }
  void finish(int, Tile tile, Maybe<Value> const& prefix, Begun const& begun) const {
    as_written<Scan>([&] { scan_begun(tile, prefix, begun); });
  }
  Begun finish_and_begin(int, Tile tile, Maybe<Value> const& prefix, Begun const& begun, Tile next) const {
    return as_written<Scan>([&] {
      if (next.size() < least) {
        scan_begun(tile, prefix, begun);
        return find_totals(next);
      }
      StrandTotals<Scan> totals(scan, next);
      run(tile, prefix, begun, &totals);
      return joined(totals.finish());
    });
  }

 private:
  Value scan_whole(Tile tile, Maybe<Value> const& prefix) const {
    if (tile.size() < least) return scan.combine(prefix, scan_tile(scan, tile, prefix));
    Begun const begun = joined(StrandTotals<Scan>(scan, tile).finish());
    run(tile, prefix, begun, nullptr);
    return scan.combine(prefix, begun.total);
  }

  Begun find_totals(Tile tile) const {
    if (tile.size() < least) return {fold_tile(scan, tile), {}};
    StrandTotals<Scan> totals(scan, tile);
    Strands<Value> const of(tile);
    bool const fetches = !streams() && machine().reading == Reading::in_turns;
    for (std::size_t place = 0; place < of.length; place += places_at_once<Value>) {
      std::size_t const end = std::min(place + places_at_once<Value>, of.length);
      if (fetches)
        for (std::size_t s = 0; s < strands; ++s) fetch<For::writing>(scan.dest, of.at(s, place), of.at(s, end));
      totals.go_to(end);
    }
    return joined(totals.finish());
  }

  void scan_begun(Tile tile, Maybe<Value> const& prefix, Begun const& begun) const {
    if (tile.size() < least)
      scan_tile(scan, tile, prefix);
    else
      run(tile, prefix, begun, nullptr);
  }

  Begun joined(OfStrands<Value> const& totals) const {
    OfStrands<Value> through;
    block::put(through.at[0], totals.at[0]);
    for (std::size_t s = 1; s < strands; ++s) block::put(through.at[s], scan.combine(through.at[s - 1], totals.at[s]));
    Begun begun{through.at[strands - 1], {}};
    for (std::size_t s = 1; s < strands; ++s) block::put(begun.before.at[s], through.at[s - 1]);
    return begun;
  }

  void run(Tile tile, Maybe<Value> const& prefix, Begun const& begun, StrandTotals<Scan>* next) const {
    if constexpr (plain_output)
      if (streams()) {
        PastCaches<Scan> to(scan, Strands<Value>(tile), simd::all_functions().streaming);
        return run(tile, prefix, begun, to, next);
      }
    ToDest<Scan> to{scan.dest, Strands<Value>(tile)};
    run(tile, prefix, begun, to, next);
  }

  template <class To>
  void run(Tile tile, Maybe<Value> const& prefix, Begun const& begun, To& to, StrandTotals<Scan>* next) const {
    StrandScan<Scan> work(scan, tile, prefix, begun.before);
    std::size_t const length = Strands<Value>(tile).length;
    for (std::size_t place = 0; place < length; place += places_at_once<Value>) {
      std::size_t const end = std::min(place + places_at_once<Value>, length);
      work.go_to(end, to);
      if (end == length) work.finish(scan.combine(prefix, begun.total), to);
      to.write(place, end);
      if (next) next->go_to(end);
    }
  }
};

}  // namespace KokkosScan::host
