// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "compacted.hpp"
#include "machine.hpp"
#include "marks.hpp"
#include "run_results.hpp"

// Tiles of elements that are chosen, or that begin a run: first a bit for each, in words, and then what becomes of
// them, by the kernels or from bit to bit. A processor guesses a branch for each element; of random choices it guesses
// half of them wrong.
namespace KokkosScan::host {

template <class Problem>
inline constexpr bool has_marks = core::OfChosen<Problem> || is_of_runs<Problem>;

/// From one of so many elements on, what is chosen goes past the caches.
inline constexpr std::size_t least_share_past_caches = 4;

/// The tile scanner (tile.hpp) by marks. `marks`: one for each worker, of so many bytes.
template <class Problem>
struct MarkedTile {
  using Value   = typename Problem::Value;
  using Source  = typename Problem::Source;
  using Reduced = host::Reduced<Value>;

  static constexpr bool reduce_is_quick    = true;
  static constexpr bool scan_reduces_first = true;

  Problem const& problem;
  void* marks;
  std::size_t marks_bytes;

  bool streams() const { return false; }

  Value scan_tile(int worker, Tile tile, Maybe<Value> const& prefix) const {
    Reduced const reduced = reduce_tile(worker, tile);
    finish_tile(worker, tile, prefix, reduced);
    return combine_tiles(problem, prefix, reduced.aggregate);
  }
  Reduced reduce_tile(int worker, Tile tile) const {
    simd::Chosen const marked = make_marks(worker, tile);
    if constexpr (is_of_runs<Problem>) {
      return as_written<Problem>([&] { return Reduced{reduce_runs(tile, marked)}; });
    } else {
      return {static_cast<Value>(marked.count)};
    }
  }
  void finish_tile(int worker, Tile tile, Maybe<Value> const& prefix, Reduced const& reduced) const {
    simd::Chosen const marked = marks_of(worker, tile);
    if constexpr (is_of_runs<Problem>)
      as_written<Problem>([&] { store_runs(tile, marked, prefix, reduced.aggregate); });
    else
      store_chosen(problem.sink, tile, marked, static_cast<std::size_t>(*prefix));
  }
  Reduced finish_and_reduce(int worker, Tile tile, Maybe<Value> const& prefix, Reduced const& reduced,
                            Tile next) const {
    finish_tile(worker, tile, prefix, reduced);
    return reduce_tile(worker, next);
  }

  /// Before any tile is scanned.
  void init(int workers) const {
    std::size_t const most_cached = streaming_from(workers);
    for (int worker = 0; worker < workers; ++worker) of(worker) = {TileMarks::of_none, 0, most_cached};
  }

 private:
  TileMarks& of(int worker) const {
    return *reinterpret_cast<TileMarks*>(static_cast<std::byte*>(marks) +
                                         marks_bytes * static_cast<std::size_t>(worker));
  }

  simd::Chosen make_marks(int worker, Tile tile) const {
    TileMarks& own = of(worker);
    own.begin      = tile.begin;
    own.count      = find_marks(problem.source, tile, own.words());
    return {own.words(), 0, own.count};
  }
  /// What the worker made of a tile, or another one, in whose place it is.
  simd::Chosen marks_of(int worker, Tile tile) const {
    TileMarks& own = of(worker);
    return own.begin == tile.begin ? simd::Chosen{own.words(), 0, own.count} : make_marks(worker, tile);
  }

  // ---- what is chosen, from a place on

  template <class From, class Dest>
  void store_chosen(core::ToCompacted<Value, From, Dest> const& sink, Tile tile, simd::Chosen const& chosen,
                    std::size_t place) const {
    copy_chosen(sink.from, sink.dest, tile, chosen, place);
  }
  template <class From, class Chosen, class Rest>
  void store_chosen(core::ToParted<Value, From, Chosen, Rest> const& sink, Tile tile, simd::Chosen const& chosen,
                    std::size_t place) const {
    copy_chosen(sink.from, sink.chosen, tile, chosen, place);
    copy_chosen(sink.from, sink.rest, tile, {chosen.marks, ~std::uint64_t{0}, tile.size() - chosen.count},
                tile.begin - place);
  }
  template <class Out>
  void store_chosen(core::ToChosen<Value, Out> const& of, Tile tile, simd::Chosen const& chosen,
                    std::size_t place) const {
    Held<core::ToChosen<Value, Out>> sink(of);
    for_each_chosen(tile, chosen, [&](std::size_t i) { sink.out(i, place++); });
  }
  template <class Indices>
  void store_chosen(core::ToChosen<Value, core::WriteIndex<Indices>> const& sink, Tile tile, simd::Chosen const& chosen,
                    std::size_t place) const {
    write_indices(sink.out.indices, tile, chosen, place);
  }
  template <class Indices>
  void store_chosen(core::ToOffsets<Value, Indices> const& sink, Tile tile, simd::Chosen const& chosen,
                    std::size_t place) const {
    write_indices(sink.offsets, tile, chosen, place);
    if (tile.end == sink.end) sink.offsets.put(place + chosen.count, sink.end);
  }

  template <class Dest>
  static std::size_t room(core::Bounded<Dest> const& dest, std::size_t place, std::size_t count) {
    return place < dest.extent ? std::min(count, dest.extent - place) : 0;
  }

  /// What write(i, some of what is chosen, to) writes goes where there is room for it.
  template <class T, class Dest, class Write>
  void emit_chosen(core::Bounded<Dest> const& dest, Tile tile, simd::Chosen chosen, std::size_t place,
                   Write const& write) const {
    using Bits   = BitsOf<T>;
    chosen.count = room(dest, place, chosen.count);
    if (chosen.count == 0) return;
    auto* const to = reinterpret_cast<Bits*>(&dest.array[place]);
    if constexpr (core::is_backward<Dest>)
      emit<Turned<Bits>>(to, tile, chosen, write);
    else if (goes_past_caches<T>(tile, chosen.count))
      emit<ByLines<Bits>>(to, tile, chosen, write);
    else
      write(tile.begin, chosen, to);
  }
  /// Where memory takes the time, and results are many.
  template <class T>
  bool goes_past_caches(Tile tile, std::size_t count) const {
    return count >= tile.size() / least_share_past_caches && problem.n * sizeof(T) > of(0).most_cached;
  }

  template <class Indices>
  void write_indices(core::Bounded<Indices> const& dest, Tile tile, simd::Chosen const& chosen,
                     std::size_t place) const {
    using T = core::ElementOf<Indices>;
    if constexpr (is_for_kernels<Indices> && std::is_integral_v<T>) {
      emit_chosen<T>(dest, tile, chosen, place, [](std::size_t i, simd::Chosen const& some, BitsOf<T>* to) {
        compaction_of<T>().indices(static_cast<BitsOf<T>>(i), some, to);
      });
    } else {
      for_each_chosen(tile, chosen, [&](std::size_t i) { dest.put(place++, i); });
    }
  }

  template <class From, class Dest>
  void copy_chosen(From const& from, core::Bounded<Dest> const& dest, Tile tile, simd::Chosen const& chosen,
                   std::size_t place) const {
    using T                = core::ElementOf<From>;
    constexpr bool is_copy = is_forwards<From> && std::is_same_v<T, core::ElementOf<Dest>>;
    if constexpr (is_copy && is_for_kernels<From> && core::is_side_by_side<Dest>)
      emit_chosen<T>(dest, tile, chosen, place, [&](std::size_t i, simd::Chosen const& some, BitsOf<T>* to) {
        compaction_of<T>().copy(reinterpret_cast<BitsOf<T> const*>(&from[i]), some, to);
      });
    else
      copy_words(from, dest, tile, chosen, place);
  }

  // ---- runs

  /// What is combined of neighbours in a run.
  [[gnu::always_inline]] static auto reduce_run(Problem const& problem, std::size_t begin, std::size_t end) {
    auto value = problem.source.element(begin);
    using T    = decltype(value);
    if constexpr (Source::of_ones) {
      value = static_cast<T>(end - begin);
    } else {
      for (std::size_t i = begin + 1; i < end; ++i)
        core::put(value, static_cast<T>(problem.op.op(value, problem.source.element(i))));
    }
    return value;
  }

  Value reduce_runs(Tile tile, simd::Chosen const& begins) const {
    std::size_t last = tile.begin;
    for (std::size_t w = words_of_marks(tile.size()); w-- > 0;)
      if (begins.marks[w] != 0) {
        last += w * marks_of_word + marks_of_word - 1 - static_cast<std::size_t>(std::countl_zero(begins.marks[w]));
        break;
      }
    return {reduce_run(problem, last, tile.end), static_cast<decltype(std::declval<Value>().count())>(begins.count)};
  }

  void store_runs(Tile tile, simd::Chosen const& begins, Maybe<Value> const& prefix, Value const& aggregate) const {
    auto const& sink        = problem.sink;
    std::size_t const place = prefix ? static_cast<std::size_t>((*prefix).count()) : 0;
    copy_chosen(sink.keys, sink.unique_keys, tile, begins, place);
    if constexpr (has_run_kernels<Problem>)
      store_by_kernels(tile, begins, prefix, place);
    else
      store_results(tile, begins, prefix, place);
    if (tile.end == sink.end) sink.dest.put(place + begins.count - 1, problem.combine(prefix, aggregate).value());
  }

  /// The result of a run stands before the place of the next one. The first one may go on with what stands before the
  /// tile.
  void store_results(Tile tile, simd::Chosen const& begins, Maybe<Value> const& prefix, std::size_t place) const {
    Held<Problem> own  = problem;
    auto const& dest   = own.sink.dest;
    std::size_t begin  = tile.begin;
    bool goes_on       = static_cast<bool>(prefix);
    auto const end_run = [&](std::size_t end) __attribute__((always_inline)) {
      if (!goes_on) return dest.put(place - 1, reduce_run(own, begin, end));
      Value const before = *prefix;
      if (end == begin) return dest.put(place - 1, before.value());
      dest.put(place - 1, own.combine(before, Value(reduce_run(own, begin, end), 0)).value());
    };
    auto const begin_run = [&](std::size_t k) __attribute__((always_inline)) {
      if (k > 0) end_run(k);
      ++place;
      begin   = k;
      goes_on = false;
    };
    for_each_word(tile, begins, [&](std::size_t i, std::uint64_t bits) __attribute__((always_inline)) {
      if (bits != ~std::uint64_t{0}) return for_each_bit(bits, i, begin_run);
      begin_run(i);
      for (std::size_t k = 0; k + 1 < marks_of_word; ++k) dest.put(place + k - 1, own.source.element(i + k));
      place += marks_of_word - 1;
      begin = i + marks_of_word - 1;
    });
  }

  /// The same by the kernels. The first run of all ends none.
  void store_by_kernels(Tile tile, simd::Chosen const& begins, Maybe<Value> const& prefix, std::size_t place) const {
    auto const& dest         = problem.sink.dest;
    using Result             = core::ElementOf<std::remove_cvref_t<decltype(dest.array)>>;
    std::size_t const before = prefix ? 1 : 0, count = room(dest, place - before, before + begins.count - 1);
    if (count == 0) return;
    auto* const to = reinterpret_cast<BitsOf<Result>*>(&dest.array[place - before]);
    if (goes_past_caches<Result>(tile, count))
      append_results(problem, tile, begins, prefix, count, ByLines<BitsOf<Result>>(to));
    else
      append_results(problem, tile, begins, prefix, count, Straight<BitsOf<Result>>(to));
  }
};

}  // namespace KokkosScan::host
