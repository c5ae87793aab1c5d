// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../src/core/memory.hpp"
#include "../src/core/options.hpp"

#include "block/kogge_stone.hpp"
#include "block/kogge_stone_double_buffered.hpp"
#include "block/networks.hpp"
#include "block/three_phase.hpp"
#include "block/warp_shuffle.hpp"
#include "tuning.hpp"

// The block algorithms in the shapes that they are launched in.
namespace KokkosScan::cuda {

/// An algorithm, the shape of its block, and where its tiles are kept.
template <class Value, class Algorithm_, int threads_, template <class> class Memory = SharedTile>
struct Block {
  using Algorithm = Algorithm_;
  using Tile      = Memory<Value>;

  static constexpr bool of_marks         = false;
  static constexpr bool in_shared_memory = std::is_same_v<Tile, SharedTile<Value>>;
  static constexpr int threads           = threads_;
  static constexpr int tile_length       = threads * Algorithm::items_per_thread;
  static constexpr int capacity          = Algorithm::capacity(tile_length);
  static constexpr int scratch_capacity  = Algorithm::scratch(tile_length, threads);

  // The shared memory of the block: a few words, the prefix of the tile, the tile and its scratch.
  static constexpr int ticket_byte  = 0;
  static constexpr int prefix_byte  = 64;
  static constexpr int tile_byte    = prefix_byte + static_cast<int>(core::round_up(sizeof(Maybe<Value>), 64));
  static constexpr int scratch_byte = tile_byte + (in_shared_memory ? SharedTile<Value>::bytes(capacity) : 0);
  static constexpr int shared_bytes =
      scratch_byte + (in_shared_memory ? SharedTile<Value>::bytes(scratch_capacity) : 0);
  static_assert(shared_bytes <= shared_bytes_at_most);

  /// The values that all blocks together need in global memory.
  static constexpr std::size_t staged_values(std::size_t tiles) {
    return in_shared_memory ? 0 : tiles * static_cast<std::size_t>(capacity + scratch_capacity);
  }

  /// Tile k and its scratch.
  __device__ static Tile tile(Value* staging, std::size_t k) { return memory(staging, k, tile_byte, 0); }
  __device__ static Tile scratch(Value* staging, std::size_t k) { return memory(staging, k, scratch_byte, capacity); }

 private:
  __device__ static Tile memory(Value* staging, std::size_t k, int byte, int values) {
    if constexpr (in_shared_memory)
      return Tile(shared_memory<Value>(byte));
    else
      return Tile(staging + k * static_cast<std::size_t>(capacity + scratch_capacity) + values);
  }
};

template <class Value, template <int> class Network, int items>
using NetworkBlock = Block<Value, Network<items>, network_shape<Value>(items).threads>;

template <class Value>
using GlobalNetworkBlock = Block<Value, block::KoggeStoneDoubleBuffered<1>, global_network_threads, GlobalTile>;

template <class Value, class Inner = block::WarpShuffle>
using ThreePhaseBlock =
    Block<Value, block::ThreePhase<Inner, three_phase_shape<Value>().items>, three_phase_shape<Value>().threads>;

template <class Value>
using WarpShuffleBlock = Block<Value, block::WarpShuffle, network_shape<Value>(1).threads>;

/// Calls f(Block{}) with the block of that name.
template <class Value, class F>
decltype(auto) with_block(BlockScan choice, F&& f) {
  switch (choice) {
    case BlockScan::kogge_stone_global: return f(GlobalNetworkBlock<Value>{});
    case BlockScan::kogge_stone: return f(NetworkBlock<Value, block::KoggeStone, 1>{});
    case BlockScan::kogge_stone_double_buffered: return f(NetworkBlock<Value, block::KoggeStoneDoubleBuffered, 1>{});
    case BlockScan::brent_kung: return f(NetworkBlock<Value, block::BrentKung, 2>{});
    case BlockScan::blelloch: return f(NetworkBlock<Value, block::Blelloch, 2>{});
    case BlockScan::warp_shuffle: return f(WarpShuffleBlock<Value>{});
    default: return f(ThreePhaseBlock<Value>{});
  }
}

}  // namespace KokkosScan::cuda
