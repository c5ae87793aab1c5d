// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <new>
#include <type_traits>
#include "../src/core/macros.hpp"

#include "../src/core/length.hpp"
#include "../src/core/memory.hpp"
#include "../src/core/problem.hpp"
#include "../src/core/tiles.hpp"
#include "values.hpp"

// Where a block keeps the values that it works on.
namespace KokkosScan::cuda {

using core::Contiguous;
using core::Kind;
using core::Maybe;
using core::Tiles;

/// A tile in shared memory, with room for one value left out behind each 128 bytes, for a word of 1 and 2-byte values:
/// threads that step through it in strides of powers of two meet different banks (Blelloch's tree, and pieces of 128
/// bytes to a thread). Values of more than 16 bytes meet few conflicts, and the room would cost a third.
template <class Value>
class SharedTile {
 public:
  __device__ explicit SharedTile(Shared<Value> values, int first = 0) : values_(values), first_(first) {}

  __device__ Value load(int i) const { return values_.load(padded(first_ + i)); }
  __device__ void store(int i, Value const& value) const { values_.store(padded(first_ + i), value); }
  __device__ SharedTile behind(int i) const { return SharedTile(values_, first_ + i); }

  /// Whether values go in and out by packs, word by word: one by one, four lanes would meet at each word.
  static constexpr bool takes_packs = sizeof(Value) < 4 && 16 % sizeof(Value) == 0;
  /// The pack from value i on, a multiple of its length, as first_ must be.
  __device__ Pack<Value> load_pack(int i) const {
    auto const from = words(i);
    Pack<Value> pack;
#pragma unroll
    for (int w = 0; w < Pack<Value>::words; ++w) pack.put_word(w, from.load(w));
    return pack;
  }
  __device__ void store_pack(int i, Pack<Value> const& pack) const {
    auto const to = words(i);
#pragma unroll
    for (int w = 0; w < Pack<Value>::words; ++w) to.store(w, pack.word(w));
  }

  /// The bytes of n values.
  static constexpr int bytes(int n) { return static_cast<int>(core::round_up(sizeof(Value) * (padded(n) + gap), 16)); }

 private:
  static constexpr int row = sizeof(Value) <= 16 ? 128 / static_cast<int>(sizeof(Value)) : 1 << 30;
  static constexpr int gap = sizeof(Value) < 4 ? 4 / static_cast<int>(sizeof(Value)) : 1;  // behind a row
  KOKKOSSCAN_FUNCTION static constexpr int padded(int i) { return i + i / row * gap; }
  __device__ Shared<std::uint32_t> words(int i) const {
    return values_.template from<std::uint32_t>(padded(first_ + i));
  }

  Shared<Value> values_;
  int first_;
};

/// A tile in global memory.
template <class Value>
class GlobalTile {
 public:
  __device__ explicit GlobalTile(Value* values) : values_(values) {}

  __device__ Value load(int i) const { return values_[i]; }
  __device__ void store(int i, Value const& value) const { ::new (static_cast<void*>(values_ + i)) Value(value); }
  __device__ GlobalTile behind(int i) const { return GlobalTile(values_ + i); }

 private:
  Value* values_;
};

/// How many blocks of a launch have a tile: all, if who launched them knew the length.
template <class Given>
__device__ unsigned blocks_with_tiles(std::size_t tiles) {
  if constexpr (core::has_stored_length<Given>)
    return static_cast<unsigned>(tiles);
  else
    return gridDim.x;
}
/// The total of nothing, which nobody else leaves.
template <class Given, class Problem>
__device__ void put_total_of_nothing(Problem const& problem) {
  if constexpr (core::has_stored_length<Given>)
    if (problem.n == 0 && blockIdx.x == 0 && threadIdx.x == 0) core::put_empty_total(problem);
}
/// Whether the calling block has no tile, and ends. Those that have one are the first of the grid: so many take
/// tickets, in whatever order they start, and nothing is left behind of the others.
template <class Given, class Problem>
__device__ bool has_no_tile(Problem const& problem, std::size_t tiles) {
  if constexpr (core::has_stored_length<Given>) {
    put_total_of_nothing<Given>(problem);
    return blockIdx.x >= tiles;
  } else {
    return false;
  }
}

}  // namespace KokkosScan::cuda
