// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../single_pass.hpp"

//  Decoupled look-back: each tile looks back over the totals before it, to the nearest known prefix
//  paper       Merrill and Garland 2016
//  launches    1
//  bytes       2 n
//  operations  those of the block algorithm, n to join the prefixes, and up to 64 a tile to look back
//  steps       those of a tile and of a look back, and a chain of prefixes with a link to 1024 tiles
//  progress    a block that has a tile must be able to go on; tiles come from a counter
//
// A look covers the 32 groups of 32 tiles before a group. Whoever has at most so many before it waits for totals alone,
// which need no prefix: for the prefix of the first group too. All others need that of one of those 32 groups.
namespace KokkosScan::cuda::lookback {

struct LookBack {
  /// All that stands before group g > 0: the nearest known prefix behind a group, then the totals of the groups behind
  /// that one, from left to right. The prefix was made in the same way, so it matters to no bit which one was the
  /// nearest. Lane l looks at the group l + 1 places before.
  template <class Value, class Join>
  __device__ static Maybe<Value> find_before(Groups<Value> const& groups, Join const& join, std::uint32_t g) {
    auto const back = static_cast<std::uint32_t>(lane()) + 1;
    Place<Value> value;
    int nearest = -1;
    for (;; pause()) {
      Known const seen        = back <= g ? groups.group(g - back).look(value) : Known::nothing;
      unsigned const prefixes = __ballot_sync(all_lanes, seen == Known::prefix);
      unsigned const unknown  = __ballot_sync(all_lanes, seen == Known::nothing);
      nearest                 = __ffs(static_cast<int>(prefixes)) - 1;
      if (nearest >= 0 && (unknown & ((1U << nearest) - 1)) == 0) break;
    }
    Place<Value> all                       = shuffle(value, nearest);
    [[maybe_unused]] constexpr int at_once = fold_at_once<Value>;  // for nvcc alone
#pragma unroll at_once
    for (int l = warp_size - 2; l >= 0; --l) {
      Place<Value> const next = shuffle(value, l);
      if (l < nearest) all.put(join(all.value, next.value));
    }
    return Maybe<Value>(all.value);
  }
};

template <class Block, class Scan>
void run(Stream stream, Scan const& scan, States const& states, typename Scan::Value* staging) {
  single_pass<Block, LookBack>(stream, scan, states, staging);
}

}  // namespace KokkosScan::cuda::lookback
