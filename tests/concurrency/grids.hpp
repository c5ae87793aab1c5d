// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
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
#include "../../src/host/grid/shares.hpp"
#include "../support/monoids.hpp"
#include "workers.hpp"

// The host's grid algorithms as they are below Kokkos: with tiles of a few elements, so that a small array makes
// hundreds of hand-overs between the workers.
namespace concurrency {

using KokkosScan::core::Contiguous;
using KokkosScan::core::Kind;
using KokkosScan::core::Maybe;
using KokkosScan::core::Tiles;
using test::Affine64;
using test::Bicyclic;

enum class Grid { hierarchical, chained, lookback, shares, hillis_steele };
inline constexpr Grid tiled[] = {Grid::hierarchical, Grid::chained, Grid::lookback, Grid::shares};
inline constexpr Grid grids[] = {Grid::hierarchical, Grid::chained, Grid::lookback, Grid::shares, Grid::hillis_steele};

inline std::string to_string(Grid grid) {
  char const* const names[] = {"hierarchical", "chained", "lookback", "shares", "hillis_steele"};
  return names[static_cast<int>(grid)];
}

/// How a tile is scanned: as one chain, or as chains whose result is written in either way.
enum class TileBy { one_chain, chains, chains_past_the_caches };
inline constexpr TileBy tile_by_all[] = {TileBy::one_chain, TileBy::chains, TileBy::chains_past_the_caches};

/// A sum whose last bits depend on the grouping.
struct Rounded {
  double value;
  bool operator==(Rounded const& other) const { return std::memcmp(this, &other, sizeof(other)) == 0; }
  static Rounded random(test::Random& random) { return {random.fraction()}; }
  Rounded then(Rounded const& right) const { return {value + right.value}; }
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
    return left.then(right);
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
      : tile_by_(tile_by), in_place_(in_place) {
    test::Random random(n);
    if (with_init) init_.put(Value::random(random));
    for (std::size_t i = 0; i < n; ++i) from_.push_back(Value::random(random));
  }

  Result<Value> serial() const {
    Result<Value> result{{}, {}};
    std::optional<Value> before;
    if (init_) before = *init_;
    for (Value const& value : from_) {
      Value const through = before ? before->then(value) : value;
      result.values.push_back(kind == Kind::inclusive ? through : *before);
      before = through;
    }
    result.total = *before;
    return result;
  }

  Result<Value> by(Grid grid, std::size_t tile_length, Workers const& workers, Hooks const& hooks = {}) const {
    using namespace KokkosScan::host;
    using Scan     = KokkosScan::core::ArrayScan<kind, Value, Source<Value>, Contiguous<Value>, Combine<Value>>;
    using ByChains = ChainTile<Scan, 2 * chains>;
    Result<Value> result{in_place_ ? from_ : std::vector<Value>(from_.size()), Value{}};
    Scan const scan{{{in_place_ ? result.values.data() : from_.data(), &hooks}, {}},
                    {{result.values.data()}},
                    from_.size(),
                    {&hooks},
                    init_,
                    &result.total};
    Tiles const tiles{from_.size(), tile_length};
    switch (tile_by_) {
      case TileBy::one_chain: run(grid, scan, tiles, SerialTile<Scan>{scan}, workers); break;
      case TileBy::chains: run(grid, scan, tiles, ByChains{scan, simd::Store::cached}, workers); break;
      case TileBy::chains_past_the_caches:
        run(grid, scan, tiles, ByChains{scan, simd::Store::streaming}, workers);
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
      case Grid::shares: return shares::run(any, workers, scratch(shares::scratch_bytes<Value>(tiles)));
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
