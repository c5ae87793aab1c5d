// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../single_pass.hpp"

//  Chained scan: each group of tiles waits for its predecessor's prefix
//  paper       Yan, Long, Zhang 2013 (StreamScan)
//  launches    1
//  bytes       2 n
//  operations  those of the block algorithm, n for the prefixes, and up to 32 a tile
//  steps       one prefix handed on for each group
//  progress    a block that has a tile must be able to go on; tiles come from a counter
//
// A prefix is handed on three times in a microsecond (docs/decisions/cuda-chain.md). From tile to tile that would be
// 50 GB/s each way, so the links of the chain are groups of 32 tiles.
namespace KokkosScan::cuda::chained {

struct Chain {
  template <class Value, class Combine>
  __device__ static Maybe<Value> find_before(Groups<Value> const& groups, Combine const&, std::uint32_t g,
                                             Maybe<Value> const& init) {
    if (g == 0) return init;
    Uninitialized<Value> prefix;
    while (groups.group(g - 1).poll(prefix) == TileState::empty) pause();
    return Maybe<Value>(prefix.value);
  }
  template <class Value>
  __device__ static void publish_aggregate(Groups<Value> const&, std::uint32_t, Value const&) {}
  template <class Value>
  __device__ static void publish_prefix(Groups<Value> const& groups, std::uint32_t g, Value const& prefix) {
    groups.group(g).publish(TileState::inclusive_prefix, prefix);
  }
};

template <class Block, class Problem>
void run(Stream stream, Problem const& problem, States const& states, typename Problem::Value* staging) {
  single_pass<Block, Chain>(stream, problem, states, staging);
}

}  // namespace KokkosScan::cuda::chained
