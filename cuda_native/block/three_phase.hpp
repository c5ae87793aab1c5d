// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "block.hpp"

//  Three phases: fold pieces, one to a thread, scan their aggregates by another algorithm, update the pieces
//  paper       Dotsenko 2008
//  operations  n - T, then those of the inner algorithm for T values, then n less the first piece
//  steps       2 n / T and those of the inner algorithm
//  memory      the tile, and that of the inner algorithm for T values; a thread keeps its piece in registers
namespace KokkosScan::cuda::block {

template <class Inner, int items>
struct ThreePhase : InPlace<items> {
  static constexpr int scratch(int, int threads) { return Inner::capacity(threads) + Inner::scratch(threads, threads); }

  template <class Tile, class Combine>
  __device__ static Tile run(Tile tile, Tile scratch, int n, Combine const& combine) {
    return run(tile, scratch, n, combine, [](TileValue<Tile> const&) {});
  }
  template <class Tile, class Combine, class Publish>
  __device__ static Tile run(Tile tile, Tile scratch, int n, Combine const& combine, Publish const& publish) {
    // Most tiles are full: their loops need no tests.
    if (n == items * static_cast<int>(blockDim.x))
      scan_pieces<true>(tile, scratch, n, combine, publish);
    else
      scan_pieces<false>(tile, scratch, n, combine, publish);
    return tile;
  }

 private:
  /// Whether pieces are read and written by packs: they are full, and a whole number of packs.
  template <bool full, class Tile>
  static constexpr bool by_packs = full && Tile::takes_packs && items * sizeof(TileValue<Tile>) % 16 == 0;

  template <bool full, class Tile, class Combine, class Publish>
  __device__ static void scan_pieces(Tile tile, Tile scratch, int n, Combine const& combine, Publish const& publish) {
    int const threads = static_cast<int>(blockDim.x);
    int const piece   = static_cast<int>(threadIdx.x);
    int const first   = piece * items;
    using Value       = TileValue<Tile>;
    Uninitialized<Value> own[items];
    auto const exists = [&](int k) { return full || first + k < n; };

    if constexpr (by_packs<full, Tile>) {
#pragma unroll
      for (int k = 0; k < items; k += Pack<Value>::count) {
        Pack<Value> const pack = tile.load_pack(first + k);
#pragma unroll
        for (int v = 0; v < Pack<Value>::count; ++v)
          own[k + v].put(k + v == 0 ? pack.get(v) : combine(own[k + v - 1].value, pack.get(v)));
      }
    } else if (exists(0)) {
      own[0].put(tile.load(first));
#pragma unroll
      for (int k = 1; k < items; ++k)
        if (exists(k)) own[k].put(combine(own[k - 1].value, tile.load(first + k)));
    }
    if (exists(0)) {
#pragma unroll
      for (int k = 0; k < items; ++k)
        if (exists(k) && (k == items - 1 || (!full && !exists(k + 1)))) scratch.store(piece, own[k].value);
    }
    __syncthreads();

    int const pieces         = full ? threads : (n + items - 1) / items;
    Tile const inner_scratch = scratch.behind(Inner::capacity(threads));
    Tile const aggregates    = Inner::run(scratch, inner_scratch, pieces, combine);
    if (piece == 0) publish(local_aggregate<Inner>(aggregates, inner_scratch, pieces));

    if (exists(0)) {
      if (piece > 0) {
        auto const before = local_result<Inner, Kind::exclusive>(aggregates, inner_scratch, pieces, piece);
#pragma unroll
        for (int k = 0; k < items; ++k)
          if (exists(k)) own[k].put(combine(before, own[k].value));
      }
      if constexpr (by_packs<full, Tile>) {
#pragma unroll
        for (int k = 0; k < items; k += Pack<Value>::count) {
          Pack<Value> pack;
#pragma unroll
          for (int v = 0; v < Pack<Value>::count; ++v) pack.put(v, own[k + v].value);
          tile.store_pack(first + k, pack);
        }
      } else {
#pragma unroll
        for (int k = 0; k < items; ++k)
          if (exists(k)) tile.store(first + k, own[k].value);
      }
    }
    __syncthreads();
  }
};

}  // namespace KokkosScan::cuda::block
