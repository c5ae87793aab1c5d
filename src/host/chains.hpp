// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "fetch.hpp"
#include "simd/functions.hpp"
#include "tile.hpp"
#include "tuning.hpp"

// The chains of a tile (chain_tile.hpp): where they lie, their aggregates, and their scan.
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
template <class Problem>
class ChainAggregates {
 public:
  using Value = typename Problem::Value;

  ChainAggregates(Problem const& problem, Tile tile) : problem_(problem), of_(tile) {
    for_each<chains>([&](auto s) { core::put(aggregates_.at[s], problem.source.load(of_.at(s, 0))); });
  }

  /// Goes on to element `end` of each chain, or to their ends.
  void go_to(std::size_t end) {
    Held<Problem> problem  = problem_;
    Chains<Value> const of = of_;
    auto aggregates        = aggregates_;
    end                    = std::min(end, of.length);
    for (std::size_t i = next_; i < end; ++i)
      for_each<chains>([&](auto s) __attribute__((always_inline)) {
        core::put(aggregates.at[s], problem.combine(aggregates.at[s], problem.source.load(of.at(s, i))));
      });
    core::put(aggregates_, aggregates);
    next_ = std::max(next_, end);
  }

  /// The aggregates of all chains.
  OfChains<Value> finish() {
    go_to(of_.length);
    for (std::size_t i = of_.at(chains, 0); i < of_.end; ++i)
      core::put(aggregates_.at[chains - 1], problem_.combine(aggregates_.at[chains - 1], problem_.source.load(i)));
    return aggregates_;
  }

 private:
  Problem const& problem_;
  Chains<Value> of_;
  std::size_t next_ = 1;
  OfChains<Value> aggregates_;
};

/// Where the results of a tile's chains go: straight to the sink of the scan.
template <class Problem>
class ToSink {
 public:
  using Value = typename Problem::Value;

  /// A sink for the elements of one chain.
  struct Chain {
    static constexpr core::Uses uses = Problem::Sink::uses;
    typename Problem::Sink const& sink;
    std::size_t first;
    void store(std::size_t i, Value const& before, Value const& own, Value const& through) const {
      sink.store(first + i, before, own, through);
    }
  };

  ToSink(Problem const& problem, Chains<Value> of) : sink_(problem.sink), of_(of) {}
  Chain chain(std::size_t s) const { return {sink_, of_.at(s, 0)}; }
  void write(std::size_t, std::size_t) const {}

 private:
  typename Problem::Sink const& sink_;
  Chains<Value> of_;
};

/// Or past the caches into an array, by way of a row of elements for each chain.
template <class Problem>
class PastCaches {
 public:
  using Value  = typename Problem::Value;
  using Sink   = typename Problem::Sink;
  using Stored = typename Sink::Stored;

  /// A row has the order of memory.
  static constexpr bool is_turned = core::is_backward<core::ArrayOf<Sink>>;
  static constexpr std::size_t in_row(std::size_t i) { return is_turned ? elements_at_once<Value> - 1 - i : i; }

  struct Chain {
    static constexpr core::Uses uses = Sink::uses;
    Sink const& sink;
    Stored* row;
    void store(std::size_t i, Value const& before, Value const& own, Value const& through) const {
      ::new (static_cast<void*>(row + in_row(i % elements_at_once<Value>))) Stored(sink.result(before, own, through));
    }
  };

  PastCaches(Problem const& problem, Chains<Value> of, simd::Streaming const& streaming)
      : sink_(problem.sink), of_(of), streaming_(streaming) {}
  ~PastCaches() { streaming_.finish(); }
  PastCaches(PastCaches const&)            = delete;
  PastCaches& operator=(PastCaches const&) = delete;

  Chain chain(std::size_t s) { return {sink_, reinterpret_cast<Stored*>(rows_) + s * elements_at_once<Value>}; }
  /// Writes one row of each chain, from element `begin` on.
  void write(std::size_t begin, std::size_t end) {
    std::size_t const first = is_turned ? in_row(end - begin - 1) : 0;
    for (std::size_t s = 0; s < chains; ++s)
      streaming_.copy(reinterpret_cast<std::byte*>(begin_of(sink_.array, {of_.at(s, begin), of_.at(s, end)})),
                      reinterpret_cast<std::byte const*>(chain(s).row + first), (end - begin) * sizeof(Stored));
  }

 private:
  Sink const& sink_;
  Chains<Value> of_;
  simd::Streaming streaming_;
  alignas(line_bytes) std::byte rows_[chains * elements_at_once<Value> * sizeof(Stored)];
};

/// Scans all chains of a tile at once, some elements at a time.
template <class Problem>
class ChainScan {
 public:
  using Value = typename Problem::Value;

  /// `before` is what comes before each chain but the first, within the tile.
  ChainScan(Problem const& problem, Tile tile, Maybe<Value> const& prefix, OfChains<Value> const& before)
      : problem_(problem), of_(tile), has_prefix_(prefix) {
    if constexpr (core::advances<typename Problem::Sink>)
      core::put(running_.at[0], prefix ? *prefix : problem.sink.initial());
    else
      core::put(running_.at[0], prefix ? *prefix : problem.source.load(tile.begin));  // or any, which go_to() replaces
    for (std::size_t s = 1; s < chains; ++s) {
      core::put(before_.at[s], problem.combine(prefix, before.at[s]));
      core::put(running_.at[s], before_.at[s]);
    }
  }

  /// Goes on to element `end` of each chain, but not to the last ones, which are left to finish().
  template <class To>
  void go_to(std::size_t end, To& to) {
    end = std::min(end, of_.length - 1);
    if constexpr (core::advances<typename Problem::Sink>) return advance_to(end);
    std::size_t i = next_;
    if (i == 0 && !has_prefix_) {
      // The first value of all is combined with nothing.
      OfChains<Value> values = values_at(problem_, of_, 0);
      core::put(running_.at[0], values.at[0]);
      store(to.chain(0), 0, values.at[0], values.at[0], running_.at[0]);
      for (std::size_t s = 1; s < chains; ++s) go_on(problem_, to.chain(s), 0, values.at[s], running_.at[s]);
      ++i;
    }
    Held<Problem> problem  = problem_;
    Chains<Value> const of = of_;
    auto running           = running_;
    for (; i < end; ++i) {
      auto const values = values_at(problem, of, i);
      for_each<chains>(
          [&](auto s) __attribute__((always_inline)) { go_on(problem, to.chain(s), i, values.at[s], running.at[s]); });
    }
    core::put(running_, running);
    next_ = end;
  }

  /// The last element of each chain, and what is left over. A chain ends with what comes before the next one, and the
  /// last with `through`: whoever compares a total with the last result finds the same bits.
  template <class To>
  void finish(Value const& through, To& to) {
    std::size_t const i = of_.length - 1, rest = of_.at(chains, 0);
    if constexpr (core::advances<typename Problem::Sink>) {
      for (std::size_t s = 0; s < chains; ++s) problem_.sink.advance(of_.at(s, i), running_.at[s]);
      for (std::size_t k = rest; k < of_.end; ++k) problem_.sink.advance(k, running_.at[chains - 1]);
      return;
    }
    OfChains<Value> values = values_at(problem_, of_, i);
    for (std::size_t s = 0; s + 1 < chains; ++s) store(to.chain(s), i, running_.at[s], values.at[s], before_.at[s + 1]);
    Value& running = running_.at[chains - 1];
    if (rest == of_.end) return store(to.chain(chains - 1), i, running, values.at[chains - 1], through);
    go_on(problem_, to.chain(chains - 1), i, values.at[chains - 1], running);
    for (std::size_t k = rest; k + 1 < of_.end; ++k)
      go_on(problem_, problem_.sink, k, problem_.source.load(k), running);
    store(problem_.sink, of_.end - 1, running, problem_.source.load(of_.end - 1), through);
  }

 private:
  /// All of them are read before any result is written, since dest may be `from`; and since chains often lie whole
  /// pages apart: the processor would take a reading for one of what was just written, and wait.
  [[gnu::always_inline]] static OfChains<Value> values_at(Problem const& problem, Chains<Value> const& of,
                                                          std::size_t i) {
    OfChains<Value> values;
    for_each<chains>([&](auto s)
                         __attribute__((always_inline)) { core::put(values.at[s], problem.source.load(of.at(s, i))); });
    return values;
  }

  void advance_to(std::size_t end) {
    Held<Problem> problem  = problem_;
    Chains<Value> const of = of_;
    auto running           = running_;
    for (std::size_t i = next_; i < end; ++i)
      for_each<chains>([&](auto s)
                           __attribute__((always_inline)) { problem.sink.advance(of.at(s, i), running.at[s]); });
    core::put(running_, running);
    next_ = end;
  }

  template <class Sink>
  [[gnu::always_inline]] static void store(Sink const& sink, std::size_t i, Value const& before, Value const& own,
                                           Value const& through) {
    core::store(
        sink, i, [&]() -> Value const& { return before; }, [&]() -> Value const& { return own; },
        [&]() -> Value const& { return through; });
  }
  template <class Sink>
  [[gnu::always_inline]] static void go_on(Problem const& problem, Sink const& sink, std::size_t i, Value const& own,
                                           Value& running) {
    Value const before(running);
    core::put(running, problem.combine(before, own));
    store(sink, i, before, own, running);
  }

  Problem const& problem_;
  Chains<Value> of_;
  bool has_prefix_;
  std::size_t next_ = 0;
  OfChains<Value> before_;
  OfChains<Value> running_;
};

}  // namespace KokkosScan::host
