// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "states.hpp"
#include "transfer.hpp"
#include "warp.hpp"

// The frame of the single-pass algorithms: each block takes one tile from a counter, scans it, learns what comes before
// it from the blocks that took earlier tiles, and writes the result. Memory is read once and written once, by one
// launch. An algorithm says how blocks learn of each other:
//
//   lines<Value>(tiles)                            the states that it needs
//   Algorithm(states, epoch, init)                 of which each block makes itself one
//   through = find_before(join, k, total, before)  called by all lanes of a block's first warp: tells the others of the
//                                                  total of tile k, waits for what comes before it, and returns what
//                                                  comes before the next tile
namespace KokkosScan::cuda {

template <class Block, class Algorithm, class Scan>
__global__ void __launch_bounds__(Block::threads)
    single_pass_kernel(Scan const scan, States const states, typename Scan::Value* staging) {
  using Value       = typename Scan::Value;
  auto const ticket = shared_memory<std::uint32_t>(Block::ticket_byte);
  auto const prefix = shared_memory<Maybe<Value>>(Block::prefix_byte);
  Tiles const tiles{scan.n, Block::tile_length};
  auto const count = static_cast<std::uint32_t>(tiles.count());

  // ---- a tile
  if (threadIdx.x == 0) {
    ticket.store(0, states.take_tile(count));
    ticket.store(1, states.epoch());
  }
  __syncthreads();
  std::uint32_t const k      = ticket.load(0);
  std::uint32_t const epoch  = ticket.load(1);
  driver::Tile const range   = tiles[k];
  int const n                = static_cast<int>(range.size());
  auto const join            = [&](auto const& left, Value const& right) { return scan.join(left, right); };
  typename Block::Tile tile  = Block::tile(staging, k);
  typename Block::Tile spare = Block::spare(staging, k);
  bring_in<Block>(scan, range, tile);
  __syncthreads();

  // ---- its local scan
  typename Block::Tile const result = Block::Algorithm::run(tile, spare, n, join);

  // ---- what comes before it
  if (warp() == 0) {
    Value const total   = block::local_total<typename Block::Algorithm>(result, spare, n);
    Maybe<Value> before = scan.init;
    Value const through = Algorithm(states, epoch, scan.init).find_before(join, k, total, before);
    if (lane() == 0) {
      prefix.store(0, before);
      if (k + 1 == count && scan.total) ::new (static_cast<void*>(scan.total)) Value(through);
    }
  }
  __syncthreads();

  // ---- the result
  write_out<Block>(scan, range, result, spare, prefix.load(0));
  states.finish(count, epoch, ticket.from(2));
}

template <class Block, class Algorithm, class Scan>
void single_pass(Stream stream, Scan const& scan, States const& states, typename Scan::Value* staging) {
  Tiles const tiles{scan.n, Block::tile_length};
  launch(stream, Grid{static_cast<unsigned>(tiles.count()), Block::threads, Block::shared_bytes},
         single_pass_kernel<Block, Algorithm, Scan>, scan, states, staging);
}

}  // namespace KokkosScan::cuda
