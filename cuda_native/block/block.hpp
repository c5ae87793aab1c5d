// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <type_traits>
#include <utility>

#include "../tile.hpp"

// How the threads of a block scan one tile. Every algorithm has
//
//   native_kind       an inclusive one leaves x0..xi at index i; an exclusive one x0..x(i-1) at each but the
//                     first, for which there is no such value, and the aggregate at index 0 of scratch
//   items_per_thread  a tile has at most so many values for each thread of the block
//   capacity(n)       how many values a tile of n needs memory for
//   scratch(n, threads)
//                     how many it needs memory for besides the tile
//   run(tile, scratch, n, combine)
//                     scans the first n values of the tile and returns the tile where the result stands: `tile` or
//                     `scratch`. All threads of the block call it, behind a barrier; it ends with one, behind
//                     which nothing is written that anybody reads before the next.
//   run(tile, scratch, n, combine, publish)
//                     the same, of an algorithm that knows the aggregate before it has the results: one thread calls
//                     publish(aggregate) as soon as it does
//
// It never hands the operator a value that is none of the n: threads without one sit out.
namespace KokkosScan::cuda::block {

/// What most of them have.
template <int items>
struct InPlace {
  static constexpr Kind native_kind     = Kind::inclusive;
  static constexpr int items_per_thread = items;
  KOKKOSSCAN_FUNCTION static constexpr int capacity(int n) { return n; }
  static constexpr int scratch(int, int) { return 1; }
};

template <class Tile>
using TileValue = std::remove_cvref_t<decltype(std::declval<Tile const&>().load(0))>;

/// Calls f(k, i) for each value i < n of the calling thread: those `blockDim.x` apart. k counts them.
template <int items, class F>
__device__ void for_each_own(int n, F const& f) {
#pragma unroll
  for (int k = 0; k < items; ++k) {
    int const i = static_cast<int>(threadIdx.x) + k * static_cast<int>(blockDim.x);
    if (i < n) f(k, i);
  }
}

/// The same of a tile that has room for `items` of each of so many threads. Most are full: then there are no tests, and
/// what the user's code reads is asked for all at once (cuda-lookback.md).
template <int items, int threads, class F>
__device__ void for_each_own_of_tile(int n, F const& f) {
  if (n == items * threads) {
#pragma unroll
    for (int k = 0; k < items; ++k) f(k, static_cast<int>(threadIdx.x) + k * threads);
  } else {
    for_each_own<items>(n, f);
  }
}

/// Calls f(i) for i = 0 ... count - 1, shared out among the threads of the block.
template <class F>
__device__ void for_each(int count, F const& f) {
  for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x)) f(i);
}

/// What a scan of the wanted kind takes from a scanned tile: for index i of an exclusive scan, i > 0, or of an
/// inclusive one.
template <class Block, Kind wanted, class Tile>
__device__ auto local_result(Tile const& result, Tile const& scratch, int n, int i) {
  if constexpr (Block::native_kind == wanted)
    return result.load(i);
  else if constexpr (wanted == Kind::exclusive)
    return result.load(i - 1);
  else
    return i + 1 < n ? result.load(i + 1) : scratch.load(0);
}

/// The aggregate of a scanned tile.
template <class Block, class Tile>
__device__ auto local_aggregate(Tile const& result, Tile const& scratch, int n) {
  if constexpr (requires { Block::aggregate(result); })
    return Block::aggregate(result);
  else
    return Block::native_kind == Kind::inclusive ? result.load(n - 1) : scratch.load(0);
}

/// Scans the first n values of a tile; one thread calls publish(aggregate) as soon as the aggregate is known.
template <class Block, class Tile, class Combine, class Publish>
__device__ Tile run_and_publish(Tile tile, Tile scratch, int n, Combine const& combine, Publish const& publish) {
  if constexpr (requires { Block::run(tile, scratch, n, combine, publish); }) {
    return Block::run(tile, scratch, n, combine, publish);
  } else {
    Tile const result = Block::run(tile, scratch, n, combine);
    if (threadIdx.x == 0) publish(local_aggregate<Block>(result, scratch, n));
    return result;
  }
}

}  // namespace KokkosScan::cuda::block
