// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "shape.hpp"

namespace KokkosScan::cuda::radix {

/// A few bits of each of a thread's items, side by side in registers. They begin as zeros.
template <int bits, int count>
class Packed {
 public:
  /// The sum must have no more bits.
  __device__ void add(int i, std::uint32_t summand) { word_[i / each] += summand << (i % each * bits); }
  __device__ int get(int i) const { return static_cast<int>(word_[i / each] >> (i % each * bits) & mask); }

 private:
  static constexpr int each           = 32 / bits;
  static constexpr std::uint32_t mask = (std::uint32_t{1} << bits) - 1;

  std::uint32_t word_[(count + each - 1) / each] = {};
};

/// Finds where the keys of a tile go when they are sorted by a digit: behind those of lesser digits, and behind the
/// earlier ones of the same. Each warp counts for itself, then a thread for each digit sums up. Threads may use only
/// their first `used` items.
template <class S>
class Ranker {
  using Counter = typename S::Counter;

 public:
  using Digits = Packed<8, S::items>;
  using Ranks  = Packed<16, S::items>;

  __device__ explicit Ranker(int used = S::items)
      : counters_(shared_memory<Counter>(S::counters_byte)), sums_(shared_memory<int>(S::sums_byte)), used_(used) {}

  /// Of each key how many of its warp have the same digit and stand before it. `digit(i)` is that of an item.
  template <class Digit>
  __device__ void count(Digit const& digit, Digits& digits, Ranks& ranks) const {
    auto const own = counters_.from(warp() * S::digits);
#pragma unroll
    for (int d = 0; d < S::digits; d += warp_size) own.store(d + lane(), Counter{0});
    std::uint32_t const behind = ~std::uint32_t{1} << lane();
    __syncwarp();
#pragma unroll
    for (int i = 0; i < S::items; ++i) {
      if (i >= used_) break;
      std::uint32_t const of_item = digit(i), alike = lanes_alike<S::Sort::digit_bits>(of_item);
      int const at    = static_cast<int>(of_item);
      int const there = own.load(at) + __popc(alike & ~behind);
      digits.add(i, of_item);
      ranks.add(i, static_cast<std::uint32_t>(there) - 1);
      __syncwarp();  // all have read what the last of them writes
      if ((alike & behind) == 0) own.store(at, static_cast<Counter>(there));
      __syncwarp();
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
#pragma unroll
      for (int w = 0; w < S::digits / warp_size; ++w)
        if (w < warp()) begin += sums_.load(w);
      int before = begin;
#pragma unroll
      for (int w = 0; w < S::warps; ++w) {
        int const own = counters_.load(w * S::digits + d);
        counters_.store(w * S::digits + d, static_cast<Counter>(before));
        before += own;
      }
    }
  }

  /// Behind another barrier: the places in the tile.
  __device__ void place(Digits const& digits, Ranks& ranks) const {
    auto const own = counters_.from(warp() * S::digits);
#pragma unroll
    for (int i = 0; i < S::items; ++i) {
      if (i >= used_) break;
      ranks.add(i, own.load(digits.get(i)));
    }
  }

 private:
  Shared<Counter> counters_;
  Shared<int> sums_;
  int used_;
};

}  // namespace KokkosScan::cuda::radix
