// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "shape.hpp"

namespace KokkosScan::cuda::radix {

/// The lanes that have the same digit.
__device__ inline std::uint32_t lanes_alike(int digit) {
  std::uint32_t alike = all_lanes;
#pragma unroll
  for (int bit = 0; bit < 8; ++bit) {
    bool const is_set        = (digit >> bit & 1) != 0;
    std::uint32_t const vote = __ballot_sync(all_lanes, is_set);
    alike &= is_set ? vote : ~vote;
  }
  return alike;
}

/// Finds where the keys of a tile go when they are sorted by a digit: behind those of lesser digits, and behind the
/// earlier ones of the same. Each warp counts for itself, then a thread for each digit sums up.
template <class Sort>
class Ranker {
  using S = Shape<Sort>;

 public:
  __device__ Ranker() : counters_(shared_memory<int>(S::counters_byte)), sums_(shared_memory<int>(S::sums_byte)) {}

  /// The place of each key among those of its warp with the same digit. `digit(i)` is that of an item: to ask anew is
  /// cheaper than to keep.
  template <class Digit>
  __device__ void count(Digit const& digit, int (&rank)[S::items]) const {
    int const own = warp() * S::digits;
#pragma unroll
    for (int d = 0; d < S::digits; d += warp_size) counters_.store(own + d + lane(), 0);
    __syncwarp();
    std::uint32_t const less = (std::uint32_t{1} << lane()) - 1;
    constexpr int at_once    = 7;  // so many counters answer before any of them is waited for
#pragma unroll
    for (int first = 0; first < S::items; first += at_once) {
      std::uint32_t alike[at_once];
      int before[at_once];
#pragma unroll
      for (int i = 0; i < at_once && first + i < S::items; ++i) {
        int const own_digit = digit(first + i);
        alike[i]            = lanes_alike(own_digit);
        before[i]           = 0;
        if (lane() == leader_of(alike[i])) before[i] = counters_.fetch_add(own + own_digit, __popc(alike[i]));
        __syncwarp();  // the next ones come behind
      }
#pragma unroll
      for (int i = 0; i < at_once && first + i < S::items; ++i)
        rank[first + i] = __shfl_sync(all_lanes, before[i], leader_of(alike[i])) + __popc(alike[i] & less);
    }
  }

  /// Behind a barrier; makes of the counts of warps what comes before them in their tile. Returns how many keys have
  /// the digit of the calling thread, if it has one, and puts where they begin. use(count) is called as early as that
  /// is known. Ends without a barrier.
  template <class Use>
  __device__ void sum(int& begin, Use const& use) const {
    int const d         = static_cast<int>(threadIdx.x);
    bool const is_digit = d < S::digits;
    Uninitialized<int> through;
    through.put(0);
    if (is_digit) {
#pragma unroll
      for (int w = 0; w < S::warps; ++w) through.put(through.value + counters_.load(w * S::digits + d));
      use(through.value);
    }
    int const count = through.value;
    through         = scan_warp(through, warp_size, [](int left, int right) { return left + right; });
    if (is_digit && lane() == warp_size - 1) sums_.store(warp(), through.value);
    __syncthreads();
    if (is_digit) {
      begin = through.value - count;
      for (int w = 0; w < warp(); ++w) begin += sums_.load(w);
      int before = begin;
#pragma unroll
      for (int w = 0; w < S::warps; ++w) {
        int const own = counters_.load(w * S::digits + d);
        counters_.store(w * S::digits + d, before);
        before += own;
      }
    }
  }

  /// Behind another barrier: the places in the tile.
  template <class Digit>
  __device__ void place(Digit const& digit, int (&rank)[S::items]) const {
#pragma unroll
    for (int i = 0; i < S::items; ++i) rank[i] += counters_.load(warp() * S::digits + digit(i));
  }

 private:
  __device__ static int leader_of(std::uint32_t alike) { return __ffs(static_cast<int>(alike)) - 1; }

  Shared<int> counters_, sums_;
};

}  // namespace KokkosScan::cuda::radix
