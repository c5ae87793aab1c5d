// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "simd/functions.hpp"
#include "tile.hpp"
#include "tuning.hpp"

namespace KokkosScan::host {

/// Whether the compiled kernels know the type and the operator.
template <class Scan>
inline constexpr bool is_simd = simd::is_compiled<typename Scan::Operator, typename Scan::Value>;

/// By the vector kernels of simd/: first the total, while the input comes into the cache, and the whole scan when the
/// prefix is known. What is no plain array (strides, transforms, other types) passes through a small buffer, piece by
/// piece. A result that is larger than the caches streams past them.
template <class Scan>
struct SimdTile {
  using Value     = typename Scan::Value;
  using Compiled  = typename simd::CompiledAs<typename Scan::Operator, Value>::type;
  using Functions = simd::Functions<Compiled>;
  using Piece     = simd::Piece<Compiled>;

  static constexpr bool total_is_quick = true;
  static constexpr bool plain_input    = std::is_same_v<typename Scan::Transform, Unchanged> &&
                                      (std::is_same_v<typename Scan::Inputs, driver::Contiguous<Value>> ||
                                       std::is_same_v<typename Scan::Inputs, driver::Contiguous<Value const>>);
  static constexpr bool plain_output = std::is_same_v<typename Scan::Outputs, driver::Contiguous<Value>>;

  Scan const& scan;
  simd::Store store;
  Functions const& functions = simd::functions<typename Scan::Operator, Compiled>();

  Value whole(int, Tile tile, Maybe<Value> const& prefix) const { return run(tile, prefix); }

  Value begin(int, Tile tile) const {
    return in_pieces(tile, [&](Piece& piece, std::size_t) {
      if (!fetches_dest()) piece.dest = nullptr;
      functions.total(piece);
    });
  }

  void finish(int, Tile tile, Maybe<Value> const& prefix) const { run(tile, prefix); }

  Value finish_and_begin(int worker, Tile tile, Maybe<Value> const& prefix, Tile next) const {
    if constexpr (plain_input && plain_output) {
      Piece following{};
      following.from = plain(scan.from.data + next.begin);
      following.n    = next.size();
      if (fetches_dest()) following.dest = plain(scan.dest.data + next.begin);
      run(tile, prefix, next, &following);
      return static_cast<Value>(following.total);
    } else {
      run(tile, prefix, next);
      return begin(worker, next);
    }
  }

 private:
  static constexpr std::size_t staged = staging_bytes / sizeof(Value);

  static Compiled* plain(Value* values) { return reinterpret_cast<Compiled*>(values); }
  static Compiled const* plain(Value const* values) { return reinterpret_cast<Compiled const*>(values); }

  /// Whether it is of use to have in the cache what the result will overwrite.
  bool fetches_dest() const { return plain_output && store == simd::Store::cached; }

  Value run(Tile tile, Maybe<Value> const& prefix, Tile next = {}, Piece* following = nullptr) const {
    auto const function   = Scan::kind == Kind::inclusive ? functions.inclusive : functions.exclusive;
    Compiled const before = prefix ? static_cast<Compiled>(*prefix) : Compiled{};
    return in_pieces(tile, [&](Piece& piece, std::size_t begin) {
      if (!following) read_ahead(next, begin - tile.begin, piece.n);
      function(piece, prefix ? &before : nullptr, plain_output ? store : simd::Store::cached, following);
      if constexpr (!plain_output)
        for (std::size_t i = 0; i < piece.n; ++i) scan.dest[begin + i] = static_cast<Value>(piece.dest[i]);
    });
  }

  /// Asks memory for n elements of the next tile, while this one is written.
  void read_ahead(Tile next, std::size_t place, std::size_t n) const {
    using Input                 = std::remove_reference_t<decltype(scan.from[0])>;
    constexpr bool side_by_side = std::is_same_v<typename Scan::Inputs, driver::Contiguous<Input>>;
    constexpr std::size_t step  = side_by_side && sizeof(Input) < line_bytes ? line_bytes / sizeof(Input) : 1;
    for (std::size_t i = place; i < std::min(place + n, next.size()); i += step)
      __builtin_prefetch(&scan.from[next.begin + i], 0, 2);
  }

  /// f(piece, begin) for the tile as one piece, or for pieces of what fits into the buffer. Returns their total.
  template <class F>
  Value in_pieces(Tile tile, F const& f) const {
    constexpr bool is_plain = plain_input && plain_output;
    alignas(line_bytes) Value buffer[is_plain ? 1 : staged];
    Piece piece{};
    for (std::size_t begin = tile.begin; begin < tile.end; begin += piece.n) {
      piece.n = is_plain ? tile.size() : std::min(staged, tile.end - begin);
      if constexpr (plain_input)
        piece.from = plain(scan.from.data + begin);
      else
        piece.from = plain(stage(buffer, begin, piece.n));
      if constexpr (plain_output)
        piece.dest = plain(scan.dest.data + begin);
      else
        piece.dest = plain(buffer);
      f(piece, begin);
      piece.continues = true;
    }
    return static_cast<Value>(piece.total);
  }

  /// The compiler must see that the buffer is none of what is read, and with a fixed count that no element is left
  /// over: then g++ takes vectors even at -O2.
  Value const* stage(Value* __restrict buffer, std::size_t begin, std::size_t n) const {
    Scan const from = scan;
    if (n == staged)
      for (std::size_t i = 0; i < staged; ++i) buffer[i] = from.input(begin + i);
    else
      for (std::size_t i = 0; i < n; ++i) buffer[i] = from.input(begin + i);
    return buffer;
  }
};

}  // namespace KokkosScan::host
