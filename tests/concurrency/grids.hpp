// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "../../src/host/chain_tile.hpp"
#include "../../src/host/grid/chained.hpp"
#include "../../src/host/grid/hierarchical.hpp"
#include "../../src/host/grid/hillis_steele.hpp"
#include "../../src/host/grid/lookback.hpp"
#include "../../src/host/grid/one_wave.hpp"
#include "workers.hpp"

// The host's grid algorithms as they are below Kokkos: with tiles of a few elements, so that a small array makes
// hundreds of hand-overs between the workers.
namespace concurrency {

using KokkosScan::core::Contiguous;
using KokkosScan::core::Kind;
using KokkosScan::core::Maybe;
using KokkosScan::core::Tiles;

enum class Grid { hierarchical, chained, lookback, one_wave, hillis_steele };
inline constexpr Grid tiled[] = {Grid::hierarchical, Grid::chained, Grid::lookback, Grid::one_wave};
inline constexpr Grid grids[] = {Grid::hierarchical, Grid::chained, Grid::lookback, Grid::one_wave,
                                 Grid::hillis_steele};

inline std::string to_string(Grid grid) {
  char const* const names[] = {"hierarchical", "chained", "lookback", "one_wave", "hillis_steele"};
  return names[static_cast<int>(grid)];
}

/// How a tile is scanned: as one chain, or as chains whose result is written in either way.
enum class TileBy { one_chain, chains, chains_past_the_caches };
inline constexpr TileBy tile_by_all[] = {TileBy::one_chain, TileBy::chains, TileBy::chains_past_the_caches};

/// The map x -> a x + b, 8 bytes. Composition is associative, exact in unsigned numbers, and does not commute.
struct Affine {
  std::uint32_t a, b;
  bool operator==(Affine const&) const = default;
  static Affine element(std::size_t i) {
    return {static_cast<std::uint32_t>(2 * i + 1), static_cast<std::uint32_t>(i)};
  }
  friend Affine combine(Affine const& left, Affine const& right) {
    return {right.a * left.a, right.a * left.b + right.b};
  }
};

/// The same of 24 bytes, and how many maps it is made of.
struct CountedAffine {
  std::uint64_t a, b, count;
  bool operator==(CountedAffine const&) const = default;
  static CountedAffine element(std::size_t i) { return {2 * i + 1, i * i, 1}; }
  friend CountedAffine combine(CountedAffine const& left, CountedAffine const& right) {
    return {right.a * left.a, right.a * left.b + right.b, left.count + right.count};
  }
};

/// A sum whose last bits depend on the grouping.
struct Rounded {
  double value;
  bool operator==(Rounded const& other) const { return std::memcmp(this, &other, sizeof(other)) == 0; }
  static Rounded element(std::size_t i) { return {1.0 / static_cast<double>(3 * i + 7)}; }
  friend Rounded combine(Rounded const& left, Rounded const& right) { return {left.value + right.value}; }
};

/// What a test does at the points where a worker may be stopped: at the reading of an element, and at an operation.
struct Hooks {
  std::function<void(std::size_t i)> at_element;
  std::function<void()> at_operation;
};

template <class Value>
struct Combine {
  Hooks const* hooks;
  Value operator()(Value const& left, Value const& right) const {
    if (hooks->at_operation) hooks->at_operation();
    return combine(left, right);
  }
};

/// Tells the hooks which element is read.
template <class Value>
struct Source {
  Value const* data;
  Hooks const* hooks;
  Value const& operator[](std::size_t i) const {
    if (hooks->at_element) hooks->at_element(i);
    return data[i];
  }
};

template <class Value>
struct Result {
  std::vector<Value> values;
  Value total;
  bool operator==(Result const&) const = default;
};

/// A scan of n elements, and its result by any grid algorithm, any workers.
template <Kind kind, class Value>
class Problem {
 public:
  explicit Problem(std::size_t n, bool with_init = true, TileBy tile_by = TileBy::one_chain, bool in_place = false)
      : from_(n),
        init_(with_init ? Maybe<Value>(Value::element(99)) : Maybe<Value>()),
        tile_by_(tile_by),
        in_place_(in_place) {
    for (std::size_t i = 0; i < n; ++i) from_[i] = Value::element(i);
  }

  Result<Value> serial() const {
    Result<Value> result{{}, {}};
    std::optional<Value> before;
    if (init_) before = *init_;
    for (Value const& value : from_) {
      Value const through = before ? combine(*before, value) : value;
      result.values.push_back(kind == Kind::inclusive ? through : *before);
      before = through;
    }
    result.total = *before;
    return result;
  }

  Result<Value> by(Grid grid, std::size_t tile_length, Workers const& workers, Hooks const& hooks = {}) const {
    using namespace KokkosScan::host;
    using Scan = KokkosScan::core::ArrayScan<kind, Value, Source<Value>, Contiguous<Value>, Combine<Value>>;
    Result<Value> result{in_place_ ? from_ : std::vector<Value>(from_.size()), Value::element(12345)};
    Scan const scan{{{in_place_ ? result.values.data() : from_.data(), &hooks}, {}},
                    {{result.values.data()}},
                    from_.size(),
                    {&hooks},
                    init_,
                    &result.total};
    Tiles const tiles{from_.size(), tile_length};
    switch (tile_by_) {
      case TileBy::one_chain: run(grid, scan, tiles, SerialTile<Scan>{scan}, workers); break;
      case TileBy::chains: run(grid, scan, tiles, ChainTile<Scan, chains>{scan, simd::Store::cached}, workers); break;
      case TileBy::chains_past_the_caches:
        run(grid, scan, tiles, ChainTile<Scan, chains>{scan, simd::Store::streaming}, workers);
        break;
    }
    return result;
  }

 private:
  template <class Scan, class Scanner>
  void run(Grid grid, Scan const& scan, Tiles tiles, Scanner const& scanner, Workers const& workers) const {
    using namespace KokkosScan::host;
    TiledScanBy const any(scan, tiles, scanner);
    switch (grid) {
      case Grid::hierarchical:
        return hierarchical::run(any, workers, scratch(hierarchical::scratch_bytes<Value>(tiles)));
      case Grid::chained: return chained::run(any, workers, scratch(chained::scratch_bytes<Value>(tiles)));
      case Grid::lookback: return lookback::run(any, workers, scratch(lookback::scratch_bytes<Value>(tiles)));
      case Grid::one_wave: return one_wave::run(any, workers, scratch(one_wave::scratch_bytes<Value>(tiles)));
      case Grid::hillis_steele:
        return hillis_steele::run(scan, workers, scratch(hillis_steele::scratch_bytes<Value>(tiles)));
    }
  }

  /// As in the library, the next run finds what the last one left there.
  void* scratch(std::size_t bytes) const {
    if (scratch_.size() < bytes) scratch_.assign(bytes, std::byte{0xa5});
    return scratch_.data();
  }

  std::vector<Value> from_;
  Maybe<Value> init_;
  TileBy tile_by_;
  bool in_place_;
  std::vector<std::byte> mutable scratch_;
};

}  // namespace concurrency
