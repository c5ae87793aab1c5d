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

/// By the vector kernels of simd/. What is no plain array (strides, transforms, other types) passes through one:
/// through dest itself where dest is one, or through the worker's buffer. A result that is larger than the caches
/// streams past them; its local scan then waits in the buffer, so that dest is written once and never read.
template <class Scan>
struct SimdTile {
  using Value     = typename Scan::Value;
  using Compiled  = typename simd::CompiledAs<typename Scan::Operator, Value>::type;
  using Functions = simd::Functions<Compiled>;

  static constexpr bool plain_input = std::is_same_v<typename Scan::Transform, Unchanged> &&
                                      (std::is_same_v<typename Scan::Inputs, driver::Contiguous<Value>> ||
                                       std::is_same_v<typename Scan::Inputs, driver::Contiguous<Value const>>);
  static constexpr bool plain_output = std::is_same_v<typename Scan::Outputs, driver::Contiguous<Value>>;

  Scan const& scan;
  Value* buffers;      // one tile for each worker; null if the local scan is to wait in dest
  std::size_t length;  // of a tile
  simd::Store store;
  Functions const& functions = simd::functions<typename Scan::Operator, Compiled>();

  Value whole(int worker, Tile tile, Maybe<Value> const& prefix) const {
    if constexpr (plain_output)
      return run(input(tile, output(tile)), output(tile), tile, prefix, store);
    else
      return through_buffer(worker, tile, prefix);
  }

  Value begin(int worker, Tile tile) const {
    if constexpr (plain_output) {
      Value* const place = buffers ? buffer(worker) : output(tile);
      return run(input(tile, place), place, tile, Maybe<Value>(), simd::Store::cached);
    } else {
      return through_buffer(worker, tile, Maybe<Value>());
    }
  }

  void finish(int worker, Tile tile, Maybe<Value> const& prefix) const {
    if constexpr (plain_output) {
      if (!prefix) return;
      Compiled const before = static_cast<Compiled>(*prefix);
      functions.join(compiled(buffers ? buffer(worker) : output(tile)), compiled(output(tile)), tile.size(), &before,
                     store);
      if (Scan::kind == Kind::exclusive) scan.dest[tile.begin] = *prefix;
    } else {
      add_prefix(scan, tile, prefix);
    }
  }

 private:
  static Compiled* compiled(Value* values) { return reinterpret_cast<Compiled*>(values); }
  static Compiled const* compiled(Value const* values) { return reinterpret_cast<Compiled const*>(values); }

  Value* buffer(int worker) const { return buffers + static_cast<std::size_t>(worker) * length; }
  Value* output(Tile tile) const { return scan.dest.data + tile.begin; }

  /// Where the input of a tile stands as a plain array: in place, or fetched to `place`.
  Value const* input(Tile tile, Value* place) const {
    if constexpr (plain_input) {
      return scan.from.data + tile.begin;
    } else {
      for (std::size_t i = 0; i < tile.size(); ++i) place[i] = scan.input(tile.begin + i);
      return place;
    }
  }

  Value run(Value const* from, Value* dest, Tile tile, Maybe<Value> const& prefix, simd::Store how) const {
    auto const function   = Scan::kind == Kind::inclusive ? functions.inclusive : functions.exclusive;
    Compiled const before = prefix ? static_cast<Compiled>(*prefix) : Compiled{};
    return static_cast<Value>(function(compiled(from), compiled(dest), tile.size(), prefix ? &before : nullptr, how));
  }

  Value through_buffer(int worker, Tile tile, Maybe<Value> const& prefix) const {
    Value* const place = buffer(worker);
    Value const total  = run(input(tile, place), place, tile, prefix, simd::Store::cached);
    for (std::size_t i = 0; i < tile.size(); ++i) scan.dest[tile.begin + i] = place[i];
    return total;
  }
};

}  // namespace KokkosScan::host
