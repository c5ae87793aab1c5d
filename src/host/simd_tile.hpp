// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <type_traits>

#include "simd/functions.hpp"
#include "tile.hpp"

namespace KokkosScan::host {

/// Whether the compiled kernels know the type and the operator.
template <class Scan>
inline constexpr bool is_simd = simd::is_compiled<typename Scan::Operator, typename Scan::Value>;

/// By the vector kernels of simd/: first the total, while the input comes into the cache, and the whole scan when the
/// prefix is known. What is no plain array (strides, transforms, other types) is brought into the worker's buffer. A
/// result that is larger than the caches streams past them.
template <class Scan>
struct SimdTile {
  using Value     = typename Scan::Value;
  using Compiled  = typename simd::CompiledAs<typename Scan::Operator, Value>::type;
  using Functions = simd::Functions<Compiled>;

  static constexpr bool total_is_quick = true;
  static constexpr bool plain_input    = std::is_same_v<typename Scan::Transform, Unchanged> &&
                                      (std::is_same_v<typename Scan::Inputs, driver::Contiguous<Value>> ||
                                       std::is_same_v<typename Scan::Inputs, driver::Contiguous<Value const>>);
  static constexpr bool plain_output = std::is_same_v<typename Scan::Outputs, driver::Contiguous<Value>>;

  Scan const& scan;
  Value* buffers;      // one tile for each worker; null if what needs one is to pass through dest
  std::size_t length;  // of a tile
  bool keeps;          // whether the buffer still holds a tile's input when it is to be finished
  simd::Store store;
  Functions const& functions = simd::functions<typename Scan::Operator, Compiled>();

  Value whole(int worker, Tile tile, Maybe<Value> const& prefix, Tile next) const {
    return run(fetch(worker, tile), worker, tile, prefix, next);
  }

  Value begin(int worker, Tile tile) const {
    return static_cast<Value>(functions.total(fetch(worker, tile), tile.size(), to_be_written(tile)));
  }

  void finish(int worker, Tile tile, Maybe<Value> const& prefix, Tile next) const {
    run(!plain_input && keeps ? buffer(worker, tile) : fetch(worker, tile), worker, tile, prefix, next);
  }

 private:
  static Compiled* compiled(Value* values) { return reinterpret_cast<Compiled*>(values); }
  static Compiled const* compiled(Value const* values) { return reinterpret_cast<Compiled const*>(values); }

  Compiled* buffer(int worker, Tile tile) const {
    if constexpr (plain_output)
      if (!buffers) return compiled(scan.dest.data + tile.begin);
    return compiled(buffers + static_cast<std::size_t>(worker) * length);
  }

  /// The input of a tile as a plain array.
  Compiled const* fetch(int worker, Tile tile) const {
    if constexpr (plain_input) {
      return compiled(scan.from.data + tile.begin);
    } else {
      auto* const place = reinterpret_cast<Value*>(buffer(worker, tile));
      for (std::size_t i = 0; i < tile.size(); ++i) place[i] = scan.input(tile.begin + i);
      return compiled(place);
    }
  }

  /// The input of a tile that this worker will probably have next: to be fetched while the result of this one streams
  /// out, since reading and writing in turns would leave half of the memory's speed unused.
  Compiled const* ahead(Tile next) const {
    if constexpr (plain_input)
      if (next.size() > 0) return compiled(scan.from.data + next.begin);
    return nullptr;
  }

  /// Where the result of a tile will stand, unless it streams past the caches.
  Compiled* to_be_written(Tile tile) const {
    if constexpr (plain_output)
      if (store == simd::Store::cached) return compiled(scan.dest.data + tile.begin);
    return nullptr;
  }

  Value run(Compiled const* from, int worker, Tile tile, Maybe<Value> const& prefix, Tile next) const {
    auto const function   = Scan::kind == Kind::inclusive ? functions.inclusive : functions.exclusive;
    Compiled const before = prefix ? static_cast<Compiled>(*prefix) : Compiled{};
    auto const scan_to    = [&](Compiled* dest, simd::Store how) {
      return static_cast<Value>(function(from, dest, tile.size(), prefix ? &before : nullptr, how, ahead(next)));
    };
    if constexpr (plain_output) {
      return scan_to(compiled(scan.dest.data + tile.begin), store);
    } else {
      Value const total       = scan_to(buffer(worker, tile), simd::Store::cached);
      Value const* const done = reinterpret_cast<Value const*>(buffer(worker, tile));
      for (std::size_t i = 0; i < tile.size(); ++i) scan.dest[tile.begin + i] = done[i];
      return total;
    }
  }
};

}  // namespace KokkosScan::host
