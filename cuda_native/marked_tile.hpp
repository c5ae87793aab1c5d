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

/// For sinks that look at what is not chosen, too.
struct MarkedTile {
  static constexpr int length = marked_length;
  static constexpr int items  = length / marked_threads;  // a bit each in the word of a thread
  static constexpr int words  = length / warp_size;
  static constexpr int bytes  = words * 8 + 16;
  static_assert(items <= warp_size && words % warp_size == 0 && length <= 65536);

  Shared<std::uint32_t> marks;  // bit l of word w: element 32 w + l
  Shared<int> before;           // how many are chosen before word w; behind the last one, in all

  __device__ explicit MarkedTile(Shared<unsigned char> memory)
      : marks(memory.from<std::uint32_t>(0)), before(memory.from<int>(words * 4)) {}

  __device__ int count() const { return before.load(words); }

  /// Calls f(i, before, is_chosen) for each element of the calling thread that is one of the first n, so many being
  /// chosen before it.
  template <class F>
  __device__ void for_each_own(int n, F const& f) const {
    block::for_each_own<items>(n, [&](int, int i) {
      std::uint32_t const word = marks.load(i / warp_size);
      f(i, before.load(i / warp_size) + __popc(word & ((std::uint32_t{1} << lane()) - 1)), (word >> lane() & 1U) != 0);
    });
  }

  /// Called as soon as what stands before each word is known; nobody looks before the next barrier.
  __device__ void place_chosen() const {}

  template <class Problem>
  __device__ void hand_on(Problem const& problem, core::Tile range,
                          core::Maybe<typename Problem::Value> const& prefix) const {
    for_each_own(static_cast<int>(range.size()), [&](int i, int own_before, bool is_chosen) {
      store(problem, range.begin, i, own_before, is_chosen, prefix);
    });
  }

 protected:
  template <class Problem>
  __device__ static void store(Problem const& problem, std::size_t begin, int i, int own_before, bool is_chosen,
                               core::Maybe<typename Problem::Value> const& prefix) {
    using Value       = typename Problem::Value;
    Value const place = problem.combine(prefix, static_cast<Value>(own_before));
    problem.sink.store(begin + static_cast<std::size_t>(i), place, place,
                       is_chosen ? static_cast<Value>(place + Value{1}) : place);
  }
};

/// For sinks that look at what is chosen alone: where that stands, found before it is known what stands before the
/// tile.
struct ChosenTile : MarkedTile {
  static constexpr int bytes = MarkedTile::bytes + length * 2;

  Shared<std::uint16_t> chosen;

  __device__ explicit ChosenTile(Shared<unsigned char> memory)
      : MarkedTile(memory), chosen(memory.from<std::uint16_t>(MarkedTile::bytes)) {}

  __device__ void place_chosen() const {
    for_each_own(length, [&](int i, int own_before, bool is_chosen) {
      if (is_chosen) chosen.store(own_before, static_cast<std::uint16_t>(i));
    });
  }

  template <class Problem>
  __device__ void hand_on(Problem const& problem, core::Tile range,
                          core::Maybe<typename Problem::Value> const& prefix) const {
    if constexpr (core::hands_on_loaded<typename Problem::Sink>)
      hand_on_loaded(problem, range.begin, prefix);
    else
      block::for_each(count(), [&](int k) { store(problem, range.begin, chosen.load(k), k, true, prefix); });
  }

 private:
  /// By the user's two halves: each thread loads some before it stores the first, since the compiler cannot know that a
  /// store changes nothing that a later load reads.
  template <class Problem>
  __device__ void hand_on_loaded(Problem const& problem, std::size_t begin,
                                 core::Maybe<typename Problem::Value> const& prefix) const {
    auto const& out            = problem.sink.out;
    using Loaded               = std::remove_cvref_t<decltype(out.load(begin))>;
    constexpr int at_once      = marked_at_once<Loaded>;
    auto const place           = static_cast<std::size_t>(problem.combine(prefix, typename Problem::Value{0}));
    auto const for_each_loaded = [&](int first, auto const& f) {
      block::for_each_own<at_once>(count() - first, [&](int k, int i) { f(k, first + i); });
    };
    for (int first = 0; first < count(); first += at_once * marked_threads) {
      Uninitialized<Loaded> own[at_once];
      for_each_loaded(first, [&](int k, int i) { own[k].put(out.load(begin + chosen.load(i))); });
      for_each_loaded(first, [&](int k, int i) {
        out.store(place + static_cast<std::size_t>(i), static_cast<Loaded const&>(own[k].value));
      });
    }
  }
};

namespace block {

/// Counts marks.
template <class Value>
struct Marks {
  template <class Tile, class Combine, class Publish>
  __device__ static Tile run(Tile const& tile, Tile const&, int, Combine const&, Publish const& publish) {
    if (warp() == 0) {
      constexpr int each = Tile::words / warp_size;
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
        tile.before.store(Tile::words, own.value);
        publish(static_cast<Value>(own.value));
      }
    }
    __syncthreads();
    tile.place_chosen();
    return tile;
  }
  __device__ static Value aggregate(MarkedTile const& tile) { return static_cast<Value>(tile.count()); }
};

}  // namespace block

/// The block of single_pass.hpp whose tiles are such.
template <class Value, class Sink>
struct MarkedBlock {
  using Algorithm = block::Marks<Value>;
  using Tile      = std::conditional_t<Sink::of_chosen_alone, ChosenTile, MarkedTile>;

  static constexpr bool of_marks         = true;
  static constexpr int threads           = marked_threads;
  static constexpr int min_blocks_per_sm = marked_blocks_per_sm(core::hands_on_loaded<Sink>);
  static constexpr int tile_length       = MarkedTile::length;
  static constexpr int ticket_byte       = 0;
  static constexpr int prefix_byte       = 64;
  static constexpr int tile_byte    = prefix_byte + static_cast<int>(core::round_up(sizeof(core::Maybe<Value>), 64));
  static constexpr int shared_bytes = tile_byte + Tile::bytes;

  __device__ static Tile tile(Value*, std::size_t) { return Tile(shared_memory<unsigned char>(tile_byte)); }
  __device__ static Tile scratch(Value* staging, std::size_t k) { return tile(staging, k); }
};

/// Chooses. Each element is looked at once, all of a thread before any other is waited for.
template <class Block, class Problem>
  requires Block::of_marks
__device__ void load_tile(Problem const& problem, core::Tile range, typename Block::Tile tile) {
  std::uint32_t own = 0;
  block::for_each_own_of_tile<MarkedTile::items, Block::threads>(static_cast<int>(range.size()), [&](int k, int i) {
    if (core::is_marked(problem.source, range.begin + static_cast<std::size_t>(i))) own |= std::uint32_t{1} << k;
  });
#pragma unroll
  for (int k = 0; k < MarkedTile::items; ++k) {
    std::uint32_t const word = __ballot_sync(all_lanes, static_cast<int>(own >> k & 1U));
    if (lane() == k) tile.marks.store(k * (Block::threads / warp_size) + warp(), word);
  }
}

/// Hands on what is chosen; or all, to sinks that look at what is not.
template <class Block, class Problem>
  requires Block::of_marks
__device__ void store_tile(Problem const& problem, core::Tile range, typename Block::Tile tile, typename Block::Tile,
                           core::Maybe<typename Problem::Value> const& prefix) {
  tile.hand_on(problem, range, prefix);
}

}  // namespace KokkosScan::cuda
