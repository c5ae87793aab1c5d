// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "../src/core/compaction.hpp"
#include "block/block.hpp"
#include "tuning.hpp"
#include "warp.hpp"

// A tile of elements that are chosen: a bit for each, in words, what stands before each word, and where those stand
// that are chosen. Neighbouring lanes have neighbouring elements when they choose and when they hand on, so that what
// they read and write lies side by side.
namespace KokkosScan::cuda {

class MarkedTile {
 public:
  static constexpr int length = marked_threads * marked_items;

  /// In shared memory, from that byte on.
  __device__ explicit MarkedTile(int byte)
      : marks_(shared_memory<std::uint32_t>(byte)),
        before_(shared_memory<int>(byte + before_byte)),
        chosen_(shared_memory<std::uint16_t>(byte + chosen_byte)) {}

  /// Makes the marks. Each element is looked at once, and all of a thread before any is waited for.
  template <class Problem>
  __device__ void choose(Problem const& problem, core::Tile range) const {
    std::uint32_t own = 0;
    block::for_each_own<marked_items>(static_cast<int>(range.size()), [&](int k, int i) {
      if (core::is_marked(problem.source, range.begin + static_cast<std::size_t>(i))) own |= std::uint32_t{1} << k;
    });
#pragma unroll
    for (int k = 0; k < marked_items; ++k) {
      std::uint32_t const word = __ballot_sync(all_lanes, static_cast<int>(own >> k & 1U));
      if (lane() == k) marks_.store(k * (marked_threads / warp_size) + warp(), word);
    }
  }

  /// Counts the marks, and returns how many there are. All lanes of one warp, behind a barrier.
  __device__ int count_marks() const {
    constexpr int each = words / warp_size;
    int before[each];
    Uninitialized<int> own;
    own.put(0);
#pragma unroll
    for (int k = 0; k < each; ++k) {
      before[k] = own.value;
      own.put(own.value + __popc(marks_.load(lane() * each + k)));
    }
    int const of_lane = own.value;
    own               = scan_warp(own, warp_size, [](int left, int right) { return left + right; });
#pragma unroll
    for (int k = 0; k < each; ++k) before_.store(lane() * each + k, own.value - of_lane + before[k]);
    if (lane() == warp_size - 1) before_.store(words, own.value);
    return shuffle(own, warp_size - 1).value;
  }
  /// The same, once they are counted.
  __device__ int count() const { return before_.load(words); }

  /// Lists what is chosen, for hand_on(), behind another barrier.
  template <class Problem>
  __device__ void list_chosen() const {
    if constexpr (Problem::Sink::of_chosen_alone)
      block::for_each_own<marked_items>(length, [&](int, int i) {
        if (is_chosen(i)) chosen_.store(before(i), static_cast<std::uint16_t>(i));
      });
  }

  /// Hands on what is chosen; or all, to sinks that look at what is not. `first`: how many are chosen before the tile.
  template <class Problem, class Value = typename Problem::Value>
  __device__ void hand_on(Problem const& problem, core::Tile range, Value first) const {
    auto const store = [&](int i, int before, bool is_chosen) {
      Value const place = static_cast<Value>(first + static_cast<Value>(before));
      problem.sink.store(range.begin + static_cast<std::size_t>(i), place, place,
                         is_chosen ? static_cast<Value>(place + Value{1}) : place);
    };
    if constexpr (Problem::Sink::of_chosen_alone)
      block::for_each(count(), [&](int k) { store(chosen_.load(k), k, true); });
    else
      block::for_each_own<marked_items>(static_cast<int>(range.size()),
                                        [&](int, int i) { store(i, before(i), is_chosen(i)); });
  }

 private:
  static constexpr int words       = length / warp_size;
  static constexpr int before_byte = words * 4;
  static constexpr int chosen_byte = before_byte + words * 4 + 16;

 public:
  static constexpr int bytes = chosen_byte + length * 2;

 private:
  __device__ bool is_chosen(int i) const { return (marks_.load(i / warp_size) >> (i % warp_size) & 1U) != 0; }
  __device__ int before(int i) const {
    std::uint32_t const earlier = marks_.load(i / warp_size) & ((std::uint32_t{1} << (i % warp_size)) - 1);
    return before_.load(i / warp_size) + __popc(earlier);
  }

  Shared<std::uint32_t> marks_;   // bit l of word w: element 32 w + l
  Shared<int> before_;            // how many are chosen before word w; behind the last one, in all
  Shared<std::uint16_t> chosen_;  // where what is chosen stands
};

}  // namespace KokkosScan::cuda
