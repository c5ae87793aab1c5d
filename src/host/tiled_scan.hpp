// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tile.hpp"

namespace KokkosScan::host {

/// A scan as the grid algorithms see it: tiles, and what a tile scanner can do with one (tile.hpp). The calls are
/// virtual, so that a grid algorithm is compiled once for a type of values, and not for each scan and tile scanner; a
/// tile of 128 KiB does not notice.
template <class Value>
class TiledScan {
 public:
  Tiles const tiles;
  bool const reduce_is_quick, scan_reduces_first, streams;  // of the tile scanner
  bool const is_in_place;
  Maybe<Value> const start;

  virtual Value scan_tile(int worker, Tile tile, Maybe<Value> const& prefix) const                                 = 0;
  virtual Reduced<Value> reduce_tile(int worker, Tile tile) const                                                  = 0;
  virtual void finish_tile(int worker, Tile tile, Maybe<Value> const& prefix, Reduced<Value> const& reduced) const = 0;
  /// Only where reduce_is_quick.
  virtual Reduced<Value> finish_and_reduce(int worker, Tile tile, Maybe<Value> const& prefix,
                                           Reduced<Value> const& reduced, Tile next) const = 0;
  /// What comes before a tile, and the tile's aggregate.
  virtual Value combine(Maybe<Value> const& before, Value const& aggregate) const = 0;
  virtual void put_total(Value const& through) const                              = 0;

 protected:
  template <class Problem, class Scanner>
  TiledScan(Problem const& problem, Tiles partition, Scanner const& scanner)
      : tiles(partition),
        reduce_is_quick(Scanner::reduce_is_quick),
        scan_reduces_first(Scanner::scan_reduces_first),
        streams([&] {
          if constexpr (Scanner::reduce_is_quick) return scanner.streams();
          return false;
        }()),
        is_in_place([&] {
          if constexpr (requires { problem.source.array.data, problem.sink.array.data; })
            return static_cast<void const*>(problem.source.array.data) ==
                   static_cast<void const*>(problem.sink.array.data);
          return true;  // perhaps
        }()),
        start(problem.start()) {}
  ~TiledScan() = default;
};

/// The same by a scan and a tile scanner.
template <class Problem, class Scanner>
class TiledScanBy final : public TiledScan<typename Problem::Value> {
 public:
  using Value = typename Problem::Value;

  TiledScanBy(Problem const& problem, Tiles partition, Scanner const& scanner)
      : TiledScan<Value>(problem, partition, scanner), problem_(problem), scanner_(scanner) {}

  Value scan_tile(int worker, Tile tile, Maybe<Value> const& prefix) const override {
    return scanner_.scan_tile(worker, tile, prefix);
  }
  Reduced<Value> reduce_tile(int worker, Tile tile) const override { return scanner_.reduce_tile(worker, tile); }
  void finish_tile(int worker, Tile tile, Maybe<Value> const& prefix, Reduced<Value> const& reduced) const override {
    scanner_.finish_tile(worker, tile, prefix, reduced);
  }
  Reduced<Value> finish_and_reduce(int worker, Tile tile, Maybe<Value> const& prefix, Reduced<Value> const& reduced,
                                   Tile next) const override {
    if constexpr (Scanner::reduce_is_quick) {
      return scanner_.finish_and_reduce(worker, tile, prefix, reduced, next);
    } else {
      scanner_.finish_tile(worker, tile, prefix, reduced);
      return scanner_.reduce_tile(worker, next);
    }
  }
  Value combine(Maybe<Value> const& before, Value const& aggregate) const override {
    return combine_tiles(problem_, before, aggregate);
  }
  void put_total(Value const& through) const override { problem_.put_total(through); }

 private:
  Problem const& problem_;
  Scanner const& scanner_;
};

}  // namespace KokkosScan::host
