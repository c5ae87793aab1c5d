// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "../core/runs.hpp"
#include "tile.hpp"

// Tiles of elements that are chosen, or that begin a run: first a bit for each, in words, and then what becomes of
// them, from bit to bit. A processor guesses a branch for each element; of random choices it guesses half of them
// wrong.
namespace KokkosScan::host {

/// Whether the values of a problem are what is combined of runs.
template <class Problem, class Sink = typename Problem::Sink>
inline constexpr bool is_of_runs = false;
template <class Problem, class T, class Count, class Keys, class UniqueKeys, class Dest>
inline constexpr bool is_of_runs<Problem, core::ToRuns<T, Count, Keys, UniqueKeys, Dest>> = true;
template <class Problem>
inline constexpr bool has_marks = core::OfChosen<Problem> || is_of_runs<Problem>;

inline constexpr std::size_t marks_of_word = 64;
/// From so many marks in a word on, elements are copied run by run.
inline constexpr int dense_marks = 52;

/// The marks that a worker has made of a tile.
struct alignas(line_bytes) TileMarks {
  static constexpr std::size_t of_none = static_cast<std::size_t>(-1);

  std::size_t begin;  // of the tile

  std::uint64_t* words() { return reinterpret_cast<std::uint64_t*>(this + 1); }

  static std::size_t bytes(std::size_t tile_length) {
    return sizeof(TileMarks) + core::round_up((tile_length + marks_of_word - 1) / marks_of_word * 8, line_bytes);
  }
};

/// Bytes of 0 and 1 as bits: of eight of them the product has in its highest byte the first as its lowest bit.
inline std::uint64_t bits_of(unsigned char const (&bytes)[marks_of_word]) {
  std::uint64_t bits = 0;
  for (std::size_t k = 0; k < marks_of_word; k += 8) {
    std::uint64_t eight = 0;
    if constexpr (std::endian::native == std::endian::little)
      std::copy_n(bytes + k, 8, reinterpret_cast<unsigned char*>(&eight));
    else
      std::reverse_copy(bytes + k, bytes + k + 8, reinterpret_cast<unsigned char*>(&eight));
    bits |= (eight * 0x0102040810204080U >> 56) << k;
  }
  return bits;
}

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
    std::uint64_t const* const words = make_marks(worker, tile);
    if constexpr (is_of_runs<Problem>) {
      return as_written<Problem>([&] { return Reduced{reduce_runs(tile, words)}; });
    } else {
      return {static_cast<Value>(count_of(tile, words))};
    }
  }
  void finish_tile(int worker, Tile tile, Maybe<Value> const& prefix, Reduced const&) const {
    std::uint64_t const* const words = marks_of(worker, tile);
    if constexpr (is_of_runs<Problem>)
      as_written<Problem>([&] { store_runs(tile, words, prefix); });
    else
      store_chosen(tile, words, prefix);
  }
  Reduced finish_and_reduce(int worker, Tile tile, Maybe<Value> const& prefix, Reduced const& reduced,
                            Tile next) const {
    finish_tile(worker, tile, prefix, reduced);
    return reduce_tile(worker, next);
  }

  /// Before any tile is scanned.
  void init(int workers) const {
    for (int worker = 0; worker < workers; ++worker) of(worker).begin = TileMarks::of_none;
  }

 private:
  TileMarks& of(int worker) const {
    return *reinterpret_cast<TileMarks*>(static_cast<std::byte*>(marks) +
                                         marks_bytes * static_cast<std::size_t>(worker));
  }

  /// Not inlined: one piece of code decides, so that a choice of rounded numbers is the same whenever it is made.
  [[gnu::noinline]] std::uint64_t const* make_marks(int worker, Tile tile) const {
    TileMarks& own = of(worker);
    own.begin      = tile.begin;
    Held<Source> source(problem.source);
    std::uint64_t* word = own.words();
    for (std::size_t i = tile.begin; i < tile.end; i += marks_of_word, ++word)
      *word = mark_some(source, i, std::min(marks_of_word, tile.end - i));
    return own.words();
  }
  /// What the worker made of a tile, or another one, in whose place it is.
  std::uint64_t const* marks_of(int worker, Tile tile) const {
    return of(worker).begin == tile.begin ? of(worker).words() : make_marks(worker, tile);
  }

  static bool is_marked_behind_another(Source const& source, std::size_t i) {
    if constexpr (requires { source.is_marked_behind(i); })
      return source.is_marked_behind(i);
    else
      return core::is_marked(source, i);
  }
  [[gnu::always_inline]] static std::uint64_t mark_some(Source const& source, std::size_t i, std::size_t count) {
    unsigned char bytes[marks_of_word];
    std::size_t const first = i == 0 ? 1 : 0;  // before it stands none
    if (first > 0) bytes[0] = core::is_marked(source, 0);
    if (count == marks_of_word && first == 0) {
      for (std::size_t k = 0; k < marks_of_word; ++k) bytes[k] = is_marked_behind_another(source, i + k);
    } else {
      for (std::size_t k = first; k < marks_of_word; ++k)
        bytes[k] = k < count && is_marked_behind_another(source, i + k);
    }
    return bits_of(bytes);
  }

  static std::size_t count_of(Tile tile, std::uint64_t const* words) {
    std::size_t count = 0;
    for (std::size_t w = 0; w * marks_of_word < tile.size(); ++w)
      count += static_cast<std::size_t>(std::popcount(words[w]));
    return count;
  }
  template <class F>
  [[gnu::always_inline]] static void for_each_bit(std::uint64_t bits, std::size_t i, F const& f) {
    for (; bits != 0; bits &= bits - 1) f(i + static_cast<std::size_t>(std::countr_zero(bits)));
  }

  // ---- what is chosen

  void store_chosen(Tile tile, std::uint64_t const* words, Maybe<Value> const& prefix) const {
    Held<typename Problem::Sink> sink(problem.sink);
    std::size_t place = static_cast<std::size_t>(*prefix);
    for (std::size_t i = tile.begin; i < tile.end; i += marks_of_word, ++words) {
      std::size_t const count = std::min(marks_of_word, tile.end - i);
      store_some(sink, i, count, *words, place);
      place += static_cast<std::size_t>(std::popcount(*words));
    }
  }

  /// So many elements from i on, of which those whose bit is set are chosen.
  template <class From, class Dest>
  [[gnu::always_inline]] static void store_some(core::ToCompacted<Value, From, Dest> const& sink, std::size_t i,
                                                std::size_t, std::uint64_t bits, std::size_t place) {
    copy_some(sink.from, sink.dest, i, bits, place);
  }
  template <class From, class Chosen, class Rest>
  [[gnu::always_inline]] static void store_some(core::ToParted<Value, From, Chosen, Rest> const& sink, std::size_t i,
                                                std::size_t count, std::uint64_t bits, std::size_t place) {
    copy_some(sink.from, sink.chosen, i, bits, place);
    copy_some(sink.from, sink.rest, i, ~bits & ~std::uint64_t{0} >> (marks_of_word - count), i - place);
  }
  template <class Out>
  [[gnu::always_inline]] static void store_some(core::ToChosen<Value, Out> const& sink, std::size_t i, std::size_t,
                                                std::uint64_t bits, std::size_t place) {
    for_each_bit(bits, i, [&](std::size_t k) { sink.out(k, place++); });
  }
  template <class Indices>
  [[gnu::always_inline]] static void store_some(core::ToOffsets<Value, Indices> const& sink, std::size_t i,
                                                std::size_t count, std::uint64_t bits, std::size_t place) {
    for_each_bit(bits, i, [&](std::size_t k) { sink.offsets.put(place++, k); });
    if (i + count == sink.end) sink.offsets.put(place, sink.end);
  }

  template <class Array>
  static constexpr bool is_forwards = core::is_side_by_side<Array> && !core::is_backward<Array>;
  /// Copies elements from i on whose bit is set to places from there on.
  template <class From, class Dest>
  [[gnu::always_inline]] static void copy_some(From const& from, core::Bounded<Dest> const& dest, std::size_t i,
                                               std::uint64_t bits, std::size_t place) {
    using T = core::ElementOf<From>;
    if constexpr (is_forwards<From> && is_forwards<Dest> && std::is_same_v<T, core::ElementOf<Dest>>)
      if (int const count = std::popcount(bits); place + static_cast<std::size_t>(count) <= dest.extent) {
        T const* const elements = &from[i];
        T* to                   = &dest.array[place];
        if (count < dense_marks) return for_each_bit(bits, 0, [&](std::size_t k) { core::put(*to++, elements[k]); });
        while (bits != 0) {
          int const first = std::countr_zero(bits), length = std::countr_one(bits >> first);
          std::memcpy(static_cast<void*>(to), static_cast<void const*>(elements + first),
                      static_cast<std::size_t>(length) * sizeof(T));
          to += length;
          bits = first + length < 64 ? bits & ~std::uint64_t{0} << (first + length) : 0;
        }
        return;
      }
    for_each_bit(bits, i, [&](std::size_t k) { dest.put(place++, from[k]); });
  }

  // ---- runs

  /// What is combined of neighbours in a run.
  template <class T>
  [[gnu::always_inline]] T reduce_from(T value, std::size_t from, std::size_t to) const {
    if constexpr (Source::of_ones) {
      return static_cast<T>(value + static_cast<T>(to - from));
    } else {
      for (; from < to; ++from) core::put(value, static_cast<T>(problem.op.op(value, problem.source.element(from))));
      return value;
    }
  }

  Value reduce_runs(Tile tile, std::uint64_t const* words) const {
    std::size_t last = tile.begin;
    for (std::size_t w = (tile.size() + marks_of_word - 1) / marks_of_word; w-- > 0;)
      if (words[w] != 0) {
        last += w * marks_of_word + marks_of_word - 1 - static_cast<std::size_t>(std::countl_zero(words[w]));
        break;
      }
    return {reduce_from(problem.source.element(last), last + 1, tile.end),
            static_cast<decltype(std::declval<Value>().count())>(count_of(tile, words))};
  }

  void store_runs(Tile tile, std::uint64_t const* words, Maybe<Value> const& prefix) const {
    using T            = decltype(problem.source.element(0));
    auto const& sink   = problem.sink;
    std::size_t place  = prefix ? static_cast<std::size_t>((*prefix).count()) : 0;
    std::size_t begin  = tile.begin;  // of what is combined in `own`, up to where the next run begins
    bool goes_on       = true;        // with what stands before the tile
    auto const end_run = [&](std::size_t end) {
      if (end == begin) return *prefix;
      T const own = reduce_from(problem.source.element(begin), begin + 1, end);
      if (goes_on && prefix) return problem.combine(prefix, Value(own, 0));
      return Value(own, 0);
    };
    for (std::size_t i = tile.begin; i < tile.end; i += marks_of_word, ++words)
      for_each_bit(*words, i, [&](std::size_t k) {
        if (k > 0) sink.dest.put(place - 1, end_run(k).value());
        sink.unique_keys.put(place++, sink.keys[k]);
        begin   = k;
        goes_on = false;
      });
    if (tile.end == sink.end) sink.dest.put(place - 1, end_run(tile.end).value());
  }
};

}  // namespace KokkosScan::host
