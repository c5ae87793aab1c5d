// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <type_traits>

#include "../src/core/compaction.hpp"
#include "block/block.hpp"
#include "tuning.hpp"
#include "warp.hpp"

// A tile of elements that are chosen: a bit for each, in words, and what stands before each word. Neighbouring lanes
// have neighbouring elements when they choose and when they hand on, so that what they read and write lies side by
// side.
namespace KokkosScan::cuda {

struct MarkedTile {
  static constexpr int length = marked_length;
  static constexpr int words  = length / warp_size;
  static constexpr int bytes  = words * 8 + 16 + length * 2;

  Shared<std::uint32_t> marks;   // bit l of word w: element 32 w + l
  Shared<int> before;            // how many are chosen before word w; behind the last one, in all
  Shared<std::uint16_t> chosen;  // where what is chosen stands

  __device__ explicit MarkedTile(Shared<unsigned char> memory)
      : marks(memory.from<std::uint32_t>(0)),
        before(memory.from<int>(words * 4)),
        chosen(memory.from<std::uint16_t>(words * 8 + 16)) {}

  __device__ int count() const { return before.load(words); }
  __device__ static std::uint32_t up_to(int lane) { return (std::uint32_t{1} << lane) - 1; }
};

namespace block {

/// Counts marks.
template <class Value>
struct Marks {
  template <class Combine, class Publish>
  __device__ static MarkedTile run(MarkedTile const& tile, MarkedTile const&, int, Combine const&,
                                   Publish const& publish) {
    if (warp() == 0) {
      constexpr int each = MarkedTile::words / warp_size;
      int count[each];
      Uninitialized<int> own;
      own.put(0);
#pragma unroll
      for (int k = 0; k < each; ++k) {
        count[k] = own.value;
        own.put(own.value + __popc(tile.marks.load(lane() * each + k)));
      }
      int const of_lane = own.value;
      own               = scan_warp(own, warp_size, [](int left, int right) { return left + right; });
#pragma unroll
      for (int k = 0; k < each; ++k) tile.before.store(lane() * each + k, own.value - of_lane + count[k]);
      if (lane() == warp_size - 1) {
        tile.before.store(MarkedTile::words, own.value);
        publish(static_cast<Value>(own.value));
      }
    }
    __syncthreads();
    return tile;
  }
  __device__ static Value aggregate(MarkedTile const& tile) { return static_cast<Value>(tile.count()); }
};

}  // namespace block

/// The block of single_pass.hpp whose tiles are such.
template <class Value, class Sink>
struct MarkedBlock {
  using Algorithm = block::Marks<Value>;
  using Tile      = MarkedTile;

  static constexpr bool of_marks         = true;
  static constexpr int threads           = marked_threads(core::hands_on_by_one<Sink>);
  static constexpr int items             = MarkedTile::length / threads;
  static constexpr int min_blocks_per_sm = marked_blocks_per_sm(core::hands_on_by_one<Sink>);
  static constexpr int tile_length       = MarkedTile::length;
  static constexpr int ticket_byte       = 0;
  static constexpr int prefix_byte       = 64;
  static constexpr int tile_byte    = prefix_byte + static_cast<int>(core::round_up(sizeof(core::Maybe<Value>), 64));
  static constexpr int shared_bytes = tile_byte + MarkedTile::bytes;

  __device__ static Tile tile(Value*, std::size_t) { return Tile(shared_memory<unsigned char>(tile_byte)); }
  __device__ static Tile scratch(Value* staging, std::size_t k) { return tile(staging, k); }
};

/// Chooses. Each element is looked at once, all of a thread before any other is waited for.
template <class Block, class Problem>
  requires Block::of_marks
__device__ void load_tile(Problem const& problem, core::Tile range, typename Block::Tile tile) {
  std::uint32_t own = 0;
  block::for_each_own<Block::items>(static_cast<int>(range.size()), [&](int k, int i) {
    if (core::is_marked(problem.source, range.begin + static_cast<std::size_t>(i))) own |= std::uint32_t{1} << k;
  });
#pragma unroll
  for (int k = 0; k < Block::items; ++k) {
    std::uint32_t const word = __ballot_sync(all_lanes, static_cast<int>(own >> k & 1U));
    if (lane() == k) tile.marks.store(k * (Block::threads / warp_size) + warp(), word);
  }
}

/// Hands on what is chosen by the user's two halves: each thread loads some before it stores the first, since the
/// compiler cannot know that a store changes nothing that a later load reads.
template <class Block, class Problem>
__device__ void store_loaded(Problem const& problem, std::size_t begin, MarkedTile const& tile,
                             core::Maybe<typename Problem::Value> const& prefix) {
  auto const& out         = problem.sink.out;
  using Loaded            = std::remove_cvref_t<decltype(out.load(begin))>;
  constexpr int at_once   = marked_at_once<Loaded>;
  auto const place        = static_cast<std::size_t>(problem.combine(prefix, typename Problem::Value{0}));
  auto const for_each_own = [&](int first, auto const& f) {
    block::for_each_own<at_once>(tile.count() - first, [&](int k, int i) { f(k, first + i); });
  };
  for (int first = 0; first < tile.count(); first += at_once * Block::threads) {
    Uninitialized<Loaded> own[at_once];
    for_each_own(first, [&](int k, int i) { own[k].put(out.load(begin + tile.chosen.load(i))); });
    for_each_own(first, [&](int k, int i) {
      out.store(place + static_cast<std::size_t>(i), static_cast<Loaded const&>(own[k].value));
    });
  }
}

/// Hands on what is chosen; or all, to sinks that look at what is not.
template <class Block, class Problem>
  requires Block::of_marks
__device__ void store_tile(Problem const& problem, core::Tile range, typename Block::Tile tile, typename Block::Tile,
                           core::Maybe<typename Problem::Value> const& prefix) {
  using Value         = typename Problem::Value;
  auto const store_at = [&](int i, int before, bool is_chosen) {
    Value const place = problem.combine(prefix, static_cast<Value>(before));
    problem.sink.store(range.begin + static_cast<std::size_t>(i), place, place,
                       is_chosen ? static_cast<Value>(place + Value{1}) : place);
  };
  if constexpr (Problem::Sink::of_chosen_alone) {
    block::for_each_own<Block::items>(static_cast<int>(range.size()), [&](int, int i) {
      std::uint32_t const word = tile.marks.load(i / warp_size);
      if ((word >> lane() & 1U) != 0)
        tile.chosen.store(tile.before.load(i / warp_size) + __popc(word & MarkedTile::up_to(lane())),
                          static_cast<std::uint16_t>(i));
    });
    __syncthreads();
    if constexpr (core::hands_on_loaded<typename Problem::Sink>)
      store_loaded<Block>(problem, range.begin, tile, prefix);
    else
      block::for_each(tile.count(), [&](int k) { store_at(tile.chosen.load(k), k, true); });
  } else {
    block::for_each_own<Block::items>(static_cast<int>(range.size()), [&](int, int i) {
      std::uint32_t const word = tile.marks.load(i / warp_size);
      store_at(i, tile.before.load(i / warp_size) + __popc(word & MarkedTile::up_to(lane())),
               (word >> lane() & 1U) != 0);
    });
  }
}

}  // namespace KokkosScan::cuda
