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
  bool const total_is_quick, whole_begins, streams;  // of the tile scanner
  bool const is_in_place;
  Maybe<Value> const start;
  Value* const total;  // null when nobody asked

  virtual Value whole(int worker, Tile tile, Maybe<Value> const& prefix) const                            = 0;
  virtual Begun<Value> begin(int worker, Tile tile) const                                                 = 0;
  virtual void finish(int worker, Tile tile, Maybe<Value> const& prefix, Begun<Value> const& begun) const = 0;
  /// Only where total_is_quick.
  virtual Begun<Value> finish_and_begin(int worker, Tile tile, Maybe<Value> const& prefix, Begun<Value> const& begun,
                                        Tile next) const = 0;
  /// What comes before a tile, and the tile's aggregate.
  virtual Value combine(Maybe<Value> const& before, Value const& aggregate) const = 0;

  void put_total(Value const& through) const {
    if (total) block::put(*total, through);
  }

 protected:
  template <class Scan, class Scanner>
  TiledScan(Scan const& scan, Tiles partition, Scanner const& scanner)
      : tiles(partition),
        total_is_quick(Scanner::total_is_quick),
        whole_begins(Scanner::whole_begins),
        streams([&] {
          if constexpr (Scanner::total_is_quick) return scanner.streams();
          return false;
        }()),
        is_in_place(static_cast<void const*>(scan.from.data) == static_cast<void const*>(scan.dest.data)),
        start(scan.start()),
        total(scan.total) {}
  ~TiledScan() = default;
};

/// The same by a scan and a tile scanner.
template <class Scan, class Scanner>
class TiledScanBy final : public TiledScan<typename Scan::Value> {
 public:
  using Value = typename Scan::Value;

  TiledScanBy(Scan const& scan, Tiles partition, Scanner const& scanner)
      : TiledScan<Value>(scan, partition, scanner), scan_(scan), scanner_(scanner) {}

  Value whole(int worker, Tile tile, Maybe<Value> const& prefix) const override {
    return scanner_.whole(worker, tile, prefix);
  }
  Begun<Value> begin(int worker, Tile tile) const override { return scanner_.begin(worker, tile); }
  void finish(int worker, Tile tile, Maybe<Value> const& prefix, Begun<Value> const& begun) const override {
    scanner_.finish(worker, tile, prefix, begun);
  }
  Begun<Value> finish_and_begin(int worker, Tile tile, Maybe<Value> const& prefix, Begun<Value> const& begun,
                                Tile next) const override {
    if constexpr (Scanner::total_is_quick) {
      return scanner_.finish_and_begin(worker, tile, prefix, begun, next);
    } else {
      scanner_.finish(worker, tile, prefix, begun);
      return scanner_.begin(worker, next);
    }
  }
  Value combine(Maybe<Value> const& before, Value const& aggregate) const override {
    return combine_tiles(scan_, before, aggregate);
  }

 private:
  Scan const& scan_;
  Scanner const& scanner_;
};

}  // namespace KokkosScan::host
