// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../single_pass.hpp"
#include "../spans.hpp"

//  Decoupled look-back: each tile looks back over the aggregates before it
//  paper       Merrill and Garland 2016
//  launches    1
//  bytes       2 n
//  operations  those of the block algorithm, n for the prefixes, and some 500 a tile to look back
//  steps       those of a tile, two look-backs, and a chain with a link to 2048 tiles
//  progress    a block that has a tile must be able to go on; tiles come from a counter
namespace KokkosScan::cuda::lookback {

template <class Value>
struct SpansOfGroups {
  static constexpr int steps_at_once = 1;

  Groups<Value> const& groups;
  __device__ TileStatus<Value> aggregate(std::uint32_t g) const { return groups.group(g); }
  __device__ TileStatus<Value> through(std::uint32_t span) const { return groups.through(span); }
};

struct LookBack {
  template <class Value, class Combine>
  __device__ static Maybe<Value> find_before(Groups<Value> const& groups, Combine const& combine, std::uint32_t g,
                                             Maybe<Value> const& init) {
    return find_before_by_spans(SpansOfGroups<Value>{groups}, combine, g, init);
  }
  template <class Value>
  __device__ static void publish_aggregate(Groups<Value> const& groups, std::uint32_t g, Value const& aggregate) {
    groups.group(g).publish(TileState::aggregate, aggregate);
  }
  template <class Value>
  __device__ static void publish_prefix(Groups<Value> const& groups, std::uint32_t g, Value const& prefix) {
    if (ends_span(g)) groups.through(g / warp_size).publish(TileState::inclusive_prefix, prefix);
  }
};

template <class Block, class Problem>
void run(Stream stream, Problem const& problem, States const& states, typename Problem::Value* staging) {
  single_pass<Block, LookBack>(stream, problem, states, staging);
}

}  // namespace KokkosScan::cuda::lookback
