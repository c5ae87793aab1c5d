// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstring>

#include "../machine.hpp"
#include "../tile_states.hpp"
#include "shape.hpp"

// What tiles of the same columns publish to each other. Each has a value for each of its columns, in scratch, and one
// state for them all: the values become visible with that. Chunks form spans, and before chunk k of span s stands
//
//   (all up to the end of span s - 2) + (the chunks from the beginning of span s - 1 up to k)
//
// The chunks are folded by the threads of the block, always in the same way for the same k, so that the bits of a float
// never depend on the schedule. Only their aggregates have to be there in time: what ends a span is a whole span old.
namespace KokkosScan::cuda::columns {

template <class Value>
class Carry {
  using Word                 = std::conditional_t<sizeof(Value) % 8 == 0, std::uint64_t, std::uint32_t>;
  static constexpr int words = static_cast<int>(scratch_bytes(sizeof(Value)) / sizeof(Word));

 public:
  /// For tiles of the same columns: those of all chunks that lie `at` that place.
  __device__ Carry(Tiling const& tiling, std::uint32_t at, States const& states, std::uint32_t epoch, void* scratch)
      : tiling_(tiling), at_(at), states_(states), epoch_(epoch), scratch_(static_cast<Word*>(scratch)) {}

  /// The place of a chunk's aggregate, and of what comes up to the end of a span.
  __device__ std::uint32_t chunk(std::uint32_t k) const { return k * across() + at_; }
  __device__ std::uint32_t through(std::uint32_t span) const {
    return (static_cast<std::uint32_t>(tiling_.chunks) + span) * across() + at_;
  }

  __device__ void put(std::uint32_t place, int column, Value const& value) const {
    Word word[words] = {};
    memcpy(word, static_cast<void const*>(&value), sizeof(Value));
#pragma unroll
    for (int w = 0; w < words; ++w) store_relaxed(address(place, column, w), word[w]);
  }
  __device__ Uninitialized<Value> get(std::uint32_t place, int column) const {
    Word word[words];
#pragma unroll
    for (int w = 0; w < words; ++w) word[w] = load_relaxed(address(place, column, w));
    Uninitialized<Value> value;
    memcpy(static_cast<void*>(&value), word, sizeof(Value));
    return value;
  }

  /// Called by all threads of the block behind their put().
  __device__ void publish(std::uint32_t place) const {
    __syncthreads();
    if (threadIdx.x == 0) store_release(&states_.slot(place)->tag, Tag::of(epoch_, TileState::aggregate));
  }
  /// Called by all threads of a warp: each that says so waits until a place is published. What they saw, others see
  /// behind a barrier.
  __device__ void wait_for(bool waits, std::uint32_t place) const {
    while (__any_sync(all_lanes, waits))
      if (waits && (waits = Tag::read(epoch_, load_acquire(&states_.slot(place)->tag)) == TileState::empty)) pause();
  }

 private:
  __device__ std::uint32_t across() const { return static_cast<std::uint32_t>(tiling_.across); }
  __device__ Word* address(std::uint32_t place, int column, int w) const {
    return scratch_ +
           (std::size_t{place} * static_cast<unsigned>(tiling_.strip) + static_cast<unsigned>(column)) * words + w;
  }

  Tiling const& tiling_;
  std::uint32_t at_;
  States states_;
  std::uint32_t epoch_;
  Word* scratch_;
};

}  // namespace KokkosScan::cuda::columns
