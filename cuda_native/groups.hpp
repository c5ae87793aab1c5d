// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "states.hpp"
#include "warp.hpp"

// The states of a single-pass scan: tiles form groups of as many as a warp has lanes, so that one look shows a lane
// each of them. Before tile k of a group stands
//
//   (everything before the group) + (the totals of its own group, folded from left to right)
//
// and what stands before a group is made in one and the same way by every tile that needs it, and by the group's last
// tile, which publishes what stands before the next. So the bits of a float never depend on the schedule.
namespace KokkosScan::cuda {

template <class Value>
class Groups {
 public:
  static constexpr std::size_t lines(std::size_t tiles) {
    return (tiles + (tiles + warp_size - 1) / warp_size) * Cell<Value>::lines;
  }

  __device__ Groups(States const& states, std::uint32_t epoch) : states_(states), epoch_(epoch) {}

  __device__ Cell<Value> tile(std::uint32_t k) const { return cell(k + k / warp_size); }
  __device__ Cell<Value> group(std::uint32_t g) const { return cell(g * (warp_size + 1) + warp_size); }

  /// The totals of the tiles of a group that stand before `place`. Lane l looks at the tile of place l.
  template <class Join>
  __device__ Maybe<Value> fold_tiles(Join const& join, std::uint32_t group, int place) const {
    Place<Value> total;
    if (lane() < place)
      while (tile(group * warp_size + static_cast<std::uint32_t>(lane())).look(total) == Known::nothing) pause();
    __syncwarp();
    Maybe<Value> all;
    fold_warp(all, total, place, join);
    return all;
  }

 private:
  __device__ Cell<Value> cell(std::uint32_t c) const {
    return {states_.line(static_cast<std::size_t>(c) * Cell<Value>::lines), epoch_};
  }

  States states_;
  std::uint32_t epoch_;
};

}  // namespace KokkosScan::cuda
