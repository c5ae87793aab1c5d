// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../tagged_words.hpp"
#include "../tile_states.hpp"
#include "groups.hpp"
#include "shape.hpp"

// What tiles of the same columns publish to each other: for each lane the values of its columns, as tagged words among
// the states. Chunks form spans, and before chunk k of span s stands
//
//   (all up to the end of span s - 2) + (the chunks from the beginning of span s - 1 up to k)
//
// The chunks are folded by the threads of the block, always in the same way for the same k, so that the bits of a float
// never depend on the schedule. Only their aggregates have to be there in time: what ends a span is a whole span old.
namespace KokkosScan::cuda::columns {

template <class Values>
class Carry {
 public:
  /// Of the calling thread's columns of tiles `at` that place across, of all chunks.
  __device__ Carry(Tiling const& tiling, std::uint32_t at, Place const& place, States const& states,
                   std::uint32_t epoch)
      : tiling_(tiling), at_(at), place_(place), words_(states.words()), tag_(Tag::of(epoch, TileState::aggregate)) {}

  /// The numbers of a chunk's aggregates, and of what comes up to the end of a span.
  __device__ std::uint32_t chunk(std::uint32_t k) const { return k * static_cast<std::uint32_t>(tiling_.across) + at_; }
  __device__ std::uint32_t through(std::uint32_t span) const {
    return chunk(static_cast<std::uint32_t>(tiling_.chunks) + span);
  }

  __device__ void put(std::uint32_t number, Values const& values) const {
    Polled::store(address(number), values, tag_, place_.lanes);
  }
  /// As it is by now.
  using Polled = TaggedValue<Values>;
  __device__ Polled poll(std::uint32_t number) const { return Polled::load(address(number), place_.lanes); }
  __device__ bool has_come(Polled const& polled) const { return polled.has(tag_); }

 private:
  __device__ TaggedWord* address(std::uint32_t number) const {
    constexpr unsigned at_once = sizeof(typename Polled::Access) / sizeof(TaggedWord);
    return words_ + std::size_t{number} * static_cast<unsigned>(place_.lanes * Polled::words) +
           static_cast<unsigned>(place_.lane) * at_once;
  }

  Tiling const& tiling_;
  std::uint32_t at_;
  Place const& place_;
  TaggedWord* words_;
  std::uint32_t tag_;
};

}  // namespace KokkosScan::cuda::columns
