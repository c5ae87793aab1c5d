// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <type_traits>
#include <utility>

#include "../tile.hpp"

// How the threads of a block scan one tile. Every algorithm has
//
//   native_kind       an inclusive one leaves x0..xi at index i; an exclusive one x0..x(i-1) at each but the
//                     first, for which there is no such value, and the total at index 0 of the spare tile
//   values_a_thread   a tile has at most so many values for each thread of the block
//   room(n)           how many values a tile of n needs room for
//   spare(n, threads) how many it needs room for besides the tile
//   run(tile, spare, n, combine)
//                     scans the first n values of the tile and returns the tile where the result stands: `tile` or
//                     `spare`. All threads of the block call it, behind a barrier; it ends with one.
//   run(tile, spare, n, combine, tell)
//                     the same, of an algorithm that knows the total before it has the results: one thread calls
//                     tell(total) as soon as it does
//
// It never hands the operator a value that is none of the n: threads without one sit out.
namespace KokkosScan::cuda::block {

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

/// Calls f(i) for i = 0 ... count - 1, shared out among the threads of the block.
template <class F>
__device__ void for_each(int count, F const& f) {
  for (int i = static_cast<int>(threadIdx.x); i < count; i += static_cast<int>(blockDim.x)) f(i);
}

/// What a scan of the wanted kind takes from a scanned tile: for index i of an exclusive scan, i > 0, or of an
/// inclusive one.
template <class Block, Kind wanted, class Tile>
__device__ auto local_result(Tile const& result, Tile const& spare, int n, int i) {
  if constexpr (Block::native_kind == wanted)
    return result.load(i);
  else if constexpr (wanted == Kind::exclusive)
    return result.load(i - 1);
  else
    return i + 1 < n ? result.load(i + 1) : spare.load(0);
}

/// The total of a scanned tile.
template <class Block, class Tile>
__device__ auto local_total(Tile const& result, Tile const& spare, int n) {
  return Block::native_kind == Kind::inclusive ? result.load(n - 1) : spare.load(0);
}

/// Scans the first n values of a tile; one thread calls tell(total) as soon as the total is known.
template <class Block, class Tile, class Combine, class Tell>
__device__ Tile run_and_tell(Tile tile, Tile spare, int n, Combine const& combine, Tell const& tell) {
  if constexpr (requires { Block::run(tile, spare, n, combine, tell); }) {
    return Block::run(tile, spare, n, combine, tell);
  } else {
    Tile const result = Block::run(tile, spare, n, combine);
    if (threadIdx.x == 0) tell(local_total<Block>(result, spare, n));
    return result;
  }
}

}  // namespace KokkosScan::cuda::block
