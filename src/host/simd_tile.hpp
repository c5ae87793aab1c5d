// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "../core/memory.hpp"
#include "fetch.hpp"
#include "machine.hpp"
#include "simd/functions.hpp"
#include "stage.hpp"
#include "tile.hpp"
#include "tuning.hpp"

namespace KokkosScan::host {

/// Whether the compiled kernels know the type and the operator, and make what the sink takes. What a function makes of
/// an index goes through no buffer: chains are up to four times as fast (host-by-key.md).
template <class Problem>
inline constexpr bool is_simd =
    core::takes_one<typename Problem::Sink> && core::arrays_of<typename Problem::Source> > 0 &&
    simd::is_compiled<typename Problem::Operator, typename Problem::Value>;

/// Whether an array has such elements side by side.
template <class Array, class Element>
inline constexpr bool are_side_by_side = false;
template <class Array, class Element>
  requires core::is_side_by_side<Array>
inline constexpr bool are_side_by_side<Array, Element> = std::is_same_v<core::ElementOf<Array>, Element>;

/// What the kernels read: what passes through a buffer, or inputs as they lie.
template <class Problem, class Source = typename Problem::Source>
struct KernelInput {
  static constexpr bool is_plain = false;
  using type                     = typename simd::CompiledAs<typename Problem::Operator, typename Problem::Value>::type;
};
template <class Problem, class Value, class Array>
  requires(core::is_side_by_side<Array> &&
           simd::is_compiled_from<typename Problem::Operator, Value, core::ElementOf<Array>>)
struct KernelInput<Problem, core::FromArray<Value, Array, Unchanged>> {
  static constexpr bool is_plain = true;
  using type = typename simd::CompiledFrom<typename Problem::Operator, Value, core::ElementOf<Array>>::type;
};

/// By the vector kernels of simd/: first the aggregate, while the input comes into the cache, and the scan when the
/// prefix is known. What is no plain array (strides, transforms, other types) passes through a small buffer, piece by
/// piece, or goes by the plain loop where that is faster. A result that is larger than the caches streams past them.
/// Where nothing is stored, tiles are reduced, and no more of this is compiled.
template <class Problem>
struct SimdTile {
  using Value     = typename Problem::Value;
  using Reduced   = host::Reduced<Value>;
  using Compiled  = typename simd::CompiledAs<typename Problem::Operator, Value>::type;
  using From      = typename KernelInput<Problem>::type;
  using Inputs    = core::ArrayOf<typename Problem::Source>;
  using Results   = core::ArrayOf<typename Problem::Sink>;
  using Functions = simd::Functions<Compiled, From>;
  using Piece     = simd::Piece<Compiled, From>;

  static constexpr bool reduce_is_quick    = true;
  static constexpr bool scan_reduces_first = false;
  static constexpr bool plain_input        = KernelInput<Problem>::is_plain;
  static constexpr bool converts           = !std::is_same_v<From, Compiled>;
  static constexpr bool stores_nothing     = core::stores_nothing<typename Problem::Sink>;
  static constexpr bool plain_output       = stores_nothing || are_side_by_side<Results, Value>;

  Problem const& problem;
  simd::Store store;
  Functions const& functions = simd::functions<typename Problem::Operator, Compiled, From>();

  /// Whether the result is written past the caches.
  bool streams() const { return plain_output && store == simd::Store::streaming; }

  Value scan_tile(int, Tile tile, Maybe<Value> const& prefix) const {
    return as_written<Problem>([&] { return run(tile, prefix).through; });
  }

  Reduced reduce_tile(int, Tile tile) const {
    return as_written<Problem>([&] { return reduce(tile); });
  }
  void finish_tile(int, Tile tile, Maybe<Value> const& prefix, Reduced const&) const {
    as_written<Problem>([&] { run(tile, prefix); });
  }
  Reduced finish_and_reduce(int, Tile tile, Maybe<Value> const& prefix, Reduced const&, Tile next) const {
    return as_written<Problem>([&] { return Reduced{run(tile, prefix, next).next}; });
  }

 private:
  static constexpr bool is_plain = plain_input && plain_output;
  static constexpr bool has_gaps =
      !core::is_side_by_side<Inputs> || !(stores_nothing || core::is_side_by_side<Results>);
  static constexpr std::size_t piece_length = has_gaps ? simd::piece_multiple : staging_bytes / sizeof(Value);
  static_assert(piece_length % simd::piece_multiple == 0);

  Reduced reduce(Tile tile) const {
    // A step takes as long as an operation on integers; by way of the buffer this takes 1.1 to 1.25 times the time.
    if (!core::is_side_by_side<Inputs> && by_plain_loop()) return {serial_reduce(problem, tile)};
    Buffer buffer;
    Piece sum = begin_sum(tile);
    for_each_piece(tile, [&](Tile piece) { reduce_piece(sum, piece, buffer); });
    return {static_cast<Value>(sum.aggregate)};
  }

  struct Buffer {
    alignas(line_bytes) Value values[is_plain ? 1 : piece_length];
  };
  struct Scanned {
    Value through;  // the prefix behind the tile
    Value next;     // the aggregate of the tile reduced meanwhile
  };

  static Piece nothing_yet() {
    Piece piece{};
    piece.from_backwards = plain_input && core::is_backward<Inputs>;
    piece.dest_backwards = plain_output && core::is_backward<Results>;
    return piece;
  }

  static Compiled* plain(Value* values) { return reinterpret_cast<Compiled*>(values); }

  /// A plain tile is one piece, any other is handled by pieces of what fits into the buffer.
  template <class F>
  static void for_each_piece(Tile tile, F const& f) {
    if constexpr (is_plain)
      f(tile);
    else
      for (std::size_t begin = tile.begin; begin < tile.end; begin += piece_length)
        f(Tile{begin, std::min(begin + piece_length, tile.end)});
  }

  /// The result of a tile, and the aggregate of the next one meanwhile, if there is one.
  Scanned run(Tile tile, Maybe<Value> const& prefix, Tile next = {}) const {
    if (by_plain_loop() && next.size() == 0) return {sequential_scan(problem, tile, prefix), {}};
    Buffer buffer, next_buffer;
    Piece scanned = nothing_yet(), sum = begin_sum(next);
    Maybe<Value> chain = prefix;
    for_each_piece(tile, [&](Tile piece) {
      Tile const meanwhile{next.begin + (piece.begin - tile.begin),
                           std::min(next.begin + (piece.end - tile.begin), next.end)};
      bool const is_any = meanwhile.begin < meanwhile.end;
      if (!is_plain && is_any && !asks_ahead()) fetch<For::reading>(problem.source, meanwhile.begin, meanwhile.end);
      if (by_plain_loop()) {
        chain.put(sequential_scan(problem, piece, chain));
        if (is_any) reduce_piece(sum, meanwhile, next_buffer);
      } else {
        if (is_any) describe(sum, meanwhile, next_buffer);
        scan_piece(scanned, piece, prefix, buffer, is_any ? &sum : nullptr);
        sum.continues = true;
      }
    });
    if (streams()) simd::all_functions().streaming.finish();
    Value const through = by_plain_loop() ? *chain : static_cast<Value>(scanned.through);
    return {through, static_cast<Value>(sum.aggregate)};
  }

  /// Whether the plain loop is faster than what stages values in a buffer, or converts a few, and gives the same bits:
  /// it waits for one operation on integers to an element.
  bool by_plain_loop() const {
    if (!std::is_integral_v<Value>) return false;
    if (is_plain) return converts && problem.n < least_to_convert;
    bool const is_quickly_staged = plain_output && has_wide_registers<Problem>();
    return is_quickly_staged ? problem.n < least_to_stage : !streams();
  }

  void scan_piece(Piece& scanned, Tile piece, Maybe<Value> const& prefix, Buffer& buffer, Piece* next) const {
    Compiled const before = prefix ? static_cast<Compiled>(*prefix) : Compiled{};
    scanned.from          = staged(piece, buffer);
    if constexpr (plain_output)
      scanned.dest = plain(begin_of(problem.sink.array, piece));
    else
      scanned.dest = plain(buffer.values);
    scanned.n = piece.size();
    functions.scan(scanned, prefix ? &before : nullptr, plain_output ? store : simd::Store::cached, next,
                   core::kind_of<typename Problem::Sink> == Kind::exclusive);
    scanned.continues = true;
    if constexpr (!plain_output) {
      Walk<typename Problem::Sink> dest(problem.sink, piece.begin);
      some_at_a_time<4>(piece.size(), [&](std::size_t i, auto count) __attribute__((always_inline)) {
        for_each<count>([&](auto k) __attribute__((always_inline)) {
          Value const& result = buffer.values[i + k];
          dest.part.store(dest.index(k), result, result, result);
        });
        dest += count;
      });
    }
  }

  /// Goes on with the aggregate of a tile, by one piece.
  void reduce_piece(Piece& sum, Tile piece, Buffer& buffer) const {
    describe(sum, piece, buffer);
    functions.reduce(sum);
    sum.continues = true;
  }

  /// Whether memory is asked for the input while tiles are reduced.
  bool asks_ahead() const { return core::is_side_by_side<Inputs> && streams(); }

  /// Nothing is reduced yet, but memory is asked for the first piece of the tile.
  Piece begin_sum(Tile tile) const {
    Piece sum    = nothing_yet();
    sum.in_turns = is_plain && !converts && machine().reading == Reading::in_turns &&
                   core::bytes_of(problem.n, sizeof(Value)) >= in_turns_bytes;
    if constexpr (core::is_side_by_side<Inputs>)
      if (asks_ahead()) {
        constexpr std::size_t bytes = sizeof(problem.source.array[0]);
        std::size_t const lead      = !is_plain      ? bytes * piece_length
                                      : sum.in_turns ? read_ahead_bytes_in_turns
                                                     : read_ahead_bytes_straight;
        sum.ahead = {.backwards     = core::is_backward<Inputs> && !(is_plain && std::is_integral_v<Value>),
                     .first         = reinterpret_cast<std::byte const*>(begin_of(problem.source.array, tile)),
                     .bytes         = bytes * tile.size(),
                     .bytes_a_group = bytes * (simd::group_bytes / sizeof(Value)),
                     .due           = lead,
                     .asked         = lead};
        if (!is_plain) fetch<For::reading>(problem.source, tile.begin, std::min(tile.begin + piece_length, tile.end));
      }
    return sum;
  }

  /// The values to be reduced, and what the result will overwrite, if it is of use in the cache.
  void describe(Piece& sum, Tile piece, Buffer& buffer) const {
    sum.from = staged(piece, buffer);
    sum.n    = piece.size();
    sum.dest = nullptr;
    if (streams() || machine().reading == Reading::straight) return;
    if constexpr (stores_nothing)
      return;
    else if constexpr (plain_output)
      sum.dest = plain(begin_of(problem.sink.array, piece));
    else
      fetch<For::writing>(problem.sink, piece.begin, piece.end);
  }

  /// The values of a piece side by side.
  From const* staged(Tile piece, Buffer& buffer) const {
    if constexpr (plain_input) {
      return reinterpret_cast<From const*>(begin_of(problem.source.array, piece));
    } else {
      stage<piece_length>(problem, buffer.values, piece);
      return plain(buffer.values);
    }
  }
};

}  // namespace KokkosScan::host
