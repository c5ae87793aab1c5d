// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../single_pass.hpp"

//  Chained scan: each tile waits for its predecessor's prefix
//  paper       Yan, Long, Zhang 2013 (StreamScan)
//  launches    1
//  bytes       2 n
//  operations  those of the block algorithm, and n to join the prefixes
//  steps       one prefix handed on for each tile
//  progress    a block that has a tile must be able to go on; tiles come from a counter
namespace KokkosScan::cuda::chained {

template <class Value>
class Chain {
 public:
  static constexpr std::size_t lines(std::size_t tiles) { return tiles * Cell<Value>::lines; }

  __device__ Chain(States const& states, std::uint32_t epoch, Maybe<Value> const&) : states_(states), epoch_(epoch) {}

  template <class Join>
  __device__ Value find_before(Join const& join, std::uint32_t k, Value const& total, Maybe<Value>& before) const {
    if (k > 0) {
      Place<Value> prefix;
      while (cell(k - 1).look(prefix) == Known::nothing) pause();
      before.put(prefix.value);
    }
    Value const through = join(before, total);
    if (lane() == 0) cell(k).publish(Known::prefix, through);
    return through;
  }

 private:
  __device__ Cell<Value> cell(std::uint32_t k) const {
    return {states_.line(static_cast<std::size_t>(k) * Cell<Value>::lines), epoch_};
  }

  States states_;
  std::uint32_t epoch_;
};

template <class Block, class Scan>
void run(Stream stream, Scan const& scan, States const& states, typename Scan::Value* staging) {
  single_pass<Block, Chain<typename Scan::Value>>(stream, scan, states, staging);
}

}  // namespace KokkosScan::cuda::chained
