// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <type_traits>

#include "../core/segments.hpp"
#include "fetch.hpp"
#include "simd/functions.hpp"
#include "stage.hpp"
#include "tile.hpp"
#include "tuning.hpp"

namespace KokkosScan::host {

/// Whether a scan is one by key that the compiled kernels know.
template <class Problem, class Source = typename Problem::Source>
inline constexpr bool is_by_runs = false;
template <class Problem, class T, class Keys, class From, class Op, class Equal, class Init, class First>
inline constexpr bool is_by_runs<Problem, core::FromKeyedArray<T, Keys, From, Op, Equal, Init, First>> =
    simd::is_compiled_by_key<Op, T>;

template <class Problem, class T, class From, class Op, class Init, class Integer, bool backward>
inline constexpr bool is_by_runs<Problem, core::FromSegments<T, From, Op, Init, Integer, backward>> =
    simd::is_compiled_by_key<Op, T>;

/// Whether an array has such elements side by side, the first one first.
template <class Array, class T>
inline constexpr bool are_values_in_order =
    std::is_same_v<Array, core::Contiguous<T>> || std::is_same_v<Array, core::Contiguous<T const>>;

/// Whether the kernels find out where keys change.
template <class Source>
inline constexpr bool has_plain_keys = false;
template <class T, class Key, class From, class Op, class Init, class First>
inline constexpr bool
    has_plain_keys<core::FromKeyedArray<T, core::Contiguous<Key>, From, Op, core::EqualTo, Init, First>> =
        std::is_integral_v<Key> && (sizeof(Key) == 4 || sizeof(Key) == 8);

inline constexpr std::size_t bits_a_word = 64;

/// A word of bits, where runs begin. One copy, since an equality may round.
template <class Source>
KOKKOSSCAN_AS_WRITTEN_IN_VECTORS std::uint64_t find_begins(Source const& of, Tile word) {
  Held<Source> source = of;
  unsigned char begins[bits_a_word];
  if (word.begin > 0 && word.size() == bits_a_word) {  // a loop of which the compiler makes vectors
    for (std::size_t k = 0; k < bits_a_word; ++k)
      begins[k] = source.equal(source.keys[word.begin + k - 1], source.keys[word.begin + k]) ? 0 : 1;
  } else {
    for (std::size_t k = 0; k < bits_a_word; ++k) {
      std::size_t const i = word.begin + k;
      begins[k] = i == 0 ? source.first.begins_run : i < word.end && !source.equal(source.keys[i - 1], source.keys[i]);
    }
  }
  std::uint64_t bits = 0;
  for (std::size_t k = 0; k < bits_a_word; ++k) bits |= std::uint64_t{begins[k]} << k;
  return bits;
}

/// The same of segments, whose boundaries are bits already.
template <class T, class From, class Op, class Init, class Integer, bool backward>
std::uint64_t find_begins(core::FromSegments<T, From, Op, Init, Integer, backward> const& of, Tile word) {
  return of.boundaries.before(word.begin, word.size()) | (word.begin == 0 ? 1 : 0);
}

/// Scans by key, by the vector kernels. Where runs begin is found first, some elements at a time; of a tile's aggregate
/// no more than the values from the last begin on, which is looked for from the end.
template <class Problem>
struct RunTile {
  using Value    = typename Problem::Value;
  using Source   = typename Problem::Source;
  using T        = typename Value::Value;
  using Op       = decltype(Source::op);
  using Compiled = typename simd::CompiledAs<Op, T>::type;
  using Inputs   = decltype(Source::from);
  using Results  = core::ArrayOf<typename Problem::Sink>;
  using Reduced  = host::Reduced<Value>;
  using Runs     = simd::Runs<Compiled>;

  static constexpr bool reduce_is_quick    = true;
  static constexpr bool scan_reduces_first = false;
  static constexpr bool plain_input        = are_values_in_order<Inputs, T>;
  static constexpr bool plain_output       = are_values_in_order<Results, T>;
  static constexpr bool is_exclusive       = Problem::Sink::uses.before;
  static constexpr bool takes_all          = std::is_void_v<Results>;  // at once, and there is no array of them

  Problem const& problem;
  simd::Store store;

  bool streams() const { return plain_output && store == simd::Store::streaming; }

  Value scan_tile(int, Tile tile, Maybe<Value> const& prefix) const {
    return problem.combine(prefix, run(tile, prefix));
  }
  Reduced reduce_tile(int, Tile tile) const { return {reduce(tile)}; }
  void finish_tile(int, Tile tile, Maybe<Value> const& prefix, Reduced const&) const { run(tile, prefix); }
  Reduced finish_and_reduce(int, Tile tile, Maybe<Value> const& prefix, Reduced const&, Tile next) const {
    run(tile, prefix);
    return {reduce(next)};
  }

 private:
  static constexpr std::size_t piece_length = staging_bytes / 8;
  static_assert(piece_length % simd::piece_multiple == 0 && piece_length % bits_a_word == 0);

  struct Buffer {
    std::uint64_t begins[piece_length / bits_a_word];
    alignas(line_bytes) T values[plain_input && plain_output ? 1 : piece_length];
  };

  Value run(Tile tile, Maybe<Value> const& prefix) const {
    Buffer buffer;
    Runs runs = nothing_yet();
    for (Tile piece{tile.begin, 0}; piece.begin < tile.end; piece.begin = piece.end) {
      piece.end = std::min(piece.begin + piece_length, tile.end);
      find_begins_of(piece, buffer.begins);
      runs.dest = plain(plain_output ? begin_of_results(piece) : buffer.values);
      scan_piece(runs, piece, prefix, buffer.begins, buffer.values,
                 streams() ? simd::Store::streaming : simd::Store::cached);
      if constexpr (takes_all)
        problem.sink.store_all(piece.begin, piece.end, buffer.values, behind_init());
      else if constexpr (!plain_output)
        for (std::size_t i = 0; i < piece.size(); ++i) put_result(piece.begin + i, buffer.values[i]);
    }
    if (streams()) simd::all_functions().streaming.finish();
    return {static_cast<T>(runs.aggregate), runs.began};
  }

  Value reduce(Tile tile) const {
    Buffer buffer;
    Runs runs         = nothing_yet();
    std::size_t begin = tile.begin + (tile.size() - 1) / piece_length * piece_length;
    Tile piece{begin, tile.end};
    std::size_t first = 0;  // of the words of bits of the piece, the one in which the last run begins
    for (;; piece = {piece.begin - piece_length, piece.begin}) {
      find_begins_of(piece, buffer.begins);
      first = (piece.size() - 1) / bits_a_word;
      while (first > 0 && buffer.begins[first] == 0) --first;
      if (buffer.begins[first] != 0 || piece.begin == tile.begin) break;
    }
    for (; piece.begin < tile.end; piece = {piece.end, std::min(piece.end + piece_length, tile.end)}) {
      scan_piece(runs, {piece.begin + first * bits_a_word, piece.end}, {}, buffer.begins + first, buffer.values,
                 simd::Store::cached);
      std::fill(std::begin(buffer.begins), std::end(buffer.begins), 0);  // behind the last begin there is none
      first = 0;
    }
    return {static_cast<T>(runs.aggregate), runs.began};
  }

  void scan_piece(Runs& runs, Tile piece, Maybe<Value> const& prefix, std::uint64_t const* begins, T* buffer,
                  simd::Store how) const {
    Maybe<T> const init = init_of_runs();
    if constexpr (plain_input) {
      runs.from = reinterpret_cast<Compiled const*>(begin_of(problem.source.from, piece));
    } else {
      for (std::size_t i = 0; i < piece.size(); ++i) buffer[i] = static_cast<T>(problem.source.from[piece.begin + i]);
      runs.from = plain(buffer);
    }
    runs.begins = begins;
    runs.n      = piece.size();
    Compiled first{}, before{};
    if (init) first = static_cast<Compiled>(*init);
    if (prefix) before = static_cast<Compiled>((*prefix).value());
    runs.init = is_exclusive ? &first : nullptr;
    simd::run_functions<Op, Compiled>().scan(runs, prefix ? &before : nullptr, how);
  }

  void find_begins_of(Tile piece, std::uint64_t* begins) const {
    std::size_t i = piece.begin;
    if constexpr (has_plain_keys<Source>) {
      auto const* const keys = &problem.source.keys[i];
      if (i > 0) return find_changes(keys, piece.size(), begins);
      // Nothing stands before the first one; so the first word is found in a copy.
      std::remove_cvref_t<decltype(*keys)> copy[1 + bits_a_word] = {};
      std::size_t const count                                    = std::min(bits_a_word, piece.end);
      std::copy(keys, keys + count, copy + 1);
      copy[0] = copy[1];
      find_changes(copy + 1, count, begins);
      if (problem.source.first.begins_run) begins[0] |= 1;
      if (count < piece.end) find_changes(keys + count, piece.end - count, begins + 1);
    } else {
      for (; i < piece.end; i += bits_a_word)
        *begins++ = find_begins(problem.source, {i, std::min(i + bits_a_word, piece.end)});
    }
  }

  template <class Key>
  static void find_changes(Key const* keys, std::size_t n, std::uint64_t* bits) {
    auto const& changes = simd::all_functions().changes;
    if constexpr (sizeof(Key) == 4)
      changes.of_4_bytes(reinterpret_cast<std::uint32_t const*>(keys), n, bits);
    else
      changes.of_8_bytes(reinterpret_cast<std::uint64_t const*>(keys), n, bits);
  }

  Maybe<T> init_of_runs() const { return core::value_of_start<T>(problem.source.init); }

  /// What an inclusive scan makes of a result where an init stands before its run: the kernels know of none.
  auto behind_init() const {
    return [this, init = init_of_runs()](T const& through) {
      return init ? static_cast<T>(problem.source.op(*init, through)) : through;
    };
  }

  void put_result(std::size_t i, T const& result) const {
    Value const all{result, false};
    problem.sink.store(i, all, all, all);
  }
  T* begin_of_results(Tile piece) const {
    if constexpr (plain_output)
      return begin_of(problem.sink.array, piece);
    else
      return nullptr;
  }

  static Runs nothing_yet() { return {nullptr, nullptr, 0, nullptr, nullptr, false, false, {}}; }
  static Compiled* plain(T* values) { return reinterpret_cast<Compiled*>(values); }
};

}  // namespace KokkosScan::host
