// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "tile_states.hpp"
#include "warp.hpp"

// The states of a single-pass scan: tiles form groups of as many as a warp has lanes, so that each lane polls one of
// them, and groups form spans (spans.hpp).
namespace KokkosScan::cuda {

template <class Value>
class Groups {
 public:
  static constexpr std::size_t slots(std::size_t tiles) {
    std::size_t const groups = (tiles + warp_size - 1) / warp_size;
    return (groups * (warp_size + 1) + (groups + warp_size - 1) / warp_size) * TileStatus<Value>::slots;
  }

  __device__ Groups(States const& states, std::uint32_t epoch) : states_(states), epoch_(epoch) {}

  __device__ TileStatus<Value> tile(std::uint32_t k) const {
    return status(k + k / warp_size + k / (warp_size * warp_size));
  }
  __device__ TileStatus<Value> group(std::uint32_t g) const {
    return status(g * (warp_size + 1) + warp_size + g / warp_size);
  }
  /// All up to the end of a span of groups.
  __device__ TileStatus<Value> through(std::uint32_t span) const {
    return status((span + 1) * (warp_size * (warp_size + 1) + 1) - 1);
  }

  /// Lane l waits for the aggregate of tile l of the group, if l < n.
  __device__ void wait_for_tiles(std::uint32_t group, int n, Uninitialized<Value>& aggregate) const {
    wait_for(tile(group * warp_size + static_cast<std::uint32_t>(lane())), lane() < n, aggregate);
  }

 private:
  __device__ TileStatus<Value> status(std::uint32_t c) const {
    return {states_.slot(c * TileStatus<Value>::slots), epoch_};
  }

  States states_;
  std::uint32_t epoch_;
};

}  // namespace KokkosScan::cuda
