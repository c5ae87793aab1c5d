// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../single_pass.hpp"

//  Decoupled look-back: each tile publishes its total, then looks back over those before it
//  paper       Merrill and Garland 2016
//  launches    1
//  bytes       2 n
//  operations  those of the block algorithm, n to join the prefixes, and up to 64 a tile to look back
//  steps       those of a tile and of the last look-back; nobody waits for a chain of prefixes
//  progress    a block that has a tile must be able to go on; tiles come from a counter
//
// Folding whatever happens to be known would make the bits of a float depend on the schedule. So tiles form groups of
// 32, and each lane looks at one thing of a fixed place in the sum:
//
//   before tile k  =  (the prefix of an earlier group + totals of the groups in between) + (totals of its own group)
//
// both brackets folded from left to right. The prefix behind a group is made in the same way by its last tile, so the
// first bracket has the same bits wherever the nearest known prefix was.
namespace KokkosScan::cuda::lookback {

template <class Value>
class Groups {
 public:
  static constexpr std::size_t lines(std::size_t tiles) {
    return (tiles + (tiles + warp_size - 1) / warp_size) * Cell<Value>::lines;
  }

  __device__ Groups(States const& states, std::uint32_t epoch, Maybe<Value> const& init)
      : states_(states), epoch_(epoch), init_(init) {}

  template <class Join>
  __device__ Value find_before(Join const& join, std::uint32_t k, Value const& total, Maybe<Value>& before) const {
    std::uint32_t const group = k / warp_size;
    int const place           = static_cast<int>(k % warp_size);
    bool const is_last        = place == warp_size - 1;  // speaks for the group
    if (!is_last && lane() == 0) tile(k).publish(Known::total, total);

    // One after the other: to look for both at once costs more in traffic than it gains (docs/log.md).
    Maybe<Value> const own   = fold_own_group(join, group, place);
    Value const own_and_this = join(own, total);
    if (is_last && group > 0 && lane() == 0) whole(group).publish(Known::total, own_and_this);
    Maybe<Value> const groups = group == 0 ? init_ : fold_groups(join, group);

    Value const through = join(groups, own_and_this);
    if (is_last && lane() == 0) whole(group).publish(Known::prefix, through);
    if (own)
      before.put(join(groups, *own));
    else if (groups)
      before.put(*groups);
    return through;
  }

 private:
  /// The totals of the tiles of a group that stand before `place`. Lane l looks at the tile of place l.
  template <class Join>
  __device__ Maybe<Value> fold_own_group(Join const& join, std::uint32_t group, int place) const {
    Place<Value> total;
    if (lane() < place)
      while (tile(group * warp_size + static_cast<std::uint32_t>(lane())).look(total) == Known::nothing) pause();
    __syncwarp();
    Maybe<Value> all;
    fold_warp(all, total, place, join);
    return all;
  }

  /// All that stands before a group: the nearest known prefix, and the totals behind it. Lane l looks at the group
  /// l + 1 places before.
  template <class Join>
  __device__ Maybe<Value> fold_groups(Join const& join, std::uint32_t group) const {
    auto const back = static_cast<std::uint32_t>(lane()) + 1;
    Place<Value> value;
    int nearest = -1;
    for (;; pause()) {
      Known const seen        = back <= group ? whole(group - back).look(value) : Known::nothing;
      unsigned const prefixes = __ballot_sync(all_lanes, seen == Known::prefix);
      unsigned const unknown  = __ballot_sync(all_lanes, seen == Known::nothing);
      nearest                 = __ffs(static_cast<int>(prefixes)) - 1;
      if (nearest >= 0 && (unknown & ((1U << nearest) - 1)) == 0) break;
    }
    Place<Value> all = shuffle(value, nearest);
#pragma unroll
    for (int l = warp_size - 2; l >= 0; --l) {
      Place<Value> const next = shuffle(value, l);
      if (l < nearest) all.put(join(all.value, next.value));
    }
    return Maybe<Value>(all.value);
  }

  __device__ Cell<Value> tile(std::uint32_t k) const { return cell(k + k / warp_size); }
  __device__ Cell<Value> whole(std::uint32_t group) const { return cell(group * (warp_size + 1) + warp_size); }
  __device__ Cell<Value> cell(std::uint32_t c) const {
    return {states_.line(static_cast<std::size_t>(c) * Cell<Value>::lines), epoch_};
  }

  States states_;
  std::uint32_t epoch_;
  Maybe<Value> init_;
};

template <class Block, class Scan>
void run(Stream stream, Scan const& scan, States const& states, typename Scan::Value* staging) {
  single_pass<Block, Groups<typename Scan::Value>>(stream, scan, states, staging);
}

}  // namespace KokkosScan::cuda::lookback
