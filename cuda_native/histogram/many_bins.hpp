// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "elements.hpp"

//  Histograms with more bins than shared memory holds: each block takes a sample for bins that come often, which it
//  counts in shared memory, and adds all others to the counters of all at once
//  paper       none
//  launches    2: zeros, and this
//  bytes       n, and an atomic addition for each element that is not in a bin that comes often
//  operations  some 20 an element
//  steps       those of a block's share
//  progress    none
namespace KokkosScan::cuda::histogram {

/// The shape of a block: its threads, the elements of each in a round, the slots of bins that come often, as a power of
/// 2 and at most, and the rounds at most until they are chosen anew.
template <int threads_, int blocks_per_sm_, int items_, int slot_bits_, int rounds_>
struct ManyBinsNumbers {
  static constexpr int threads       = threads_;
  static constexpr int blocks_per_sm = blocks_per_sm_;
  static constexpr int items         = items_;
  static constexpr int slot_bits     = slot_bits_;
  static constexpr int rounds        = rounds_;
  static constexpr int part          = threads * items;  // elements of a round
};
using ManyBinsShape = ManyBinsNumbers<histogram_many_threads, histogram_many_blocks_per_sm, histogram_many_items,
                                      histogram_many_slot_bits, histogram_many_rounds>;

/// The counters of bins that come often. A bin has one slot, where it meets others; of those in a sample the first to
/// come stays: likely one that comes often.
template <class Shape, class Counter>
class OftenBins {
 public:
  static constexpr int bytes(int slot_bits) {
    return bins_byte + (static_cast<int>(sizeof(std::uint32_t) + sizeof(Counter)) << slot_bits);
  }

  __device__ explicit OftenBins(int slot_bits)
      : slots_(1 << slot_bits),
        shift_(32 - slot_bits),
        met_(shared_memory<std::uint32_t>(0)),
        bins_(shared_memory<std::uint32_t>(bins_byte)),
        counters_(shared_memory<Counter>(bins_byte + slots_ * 4)) {}

  static constexpr std::uint32_t none = 0xffffffffU;

  /// Chooses by a sample, one item of which may be none. Returns whether that pays. Ends with a barrier.
  template <int items>
  __device__ bool choose(std::uint32_t const (&bin)[items]) const {
    if (threadIdx.x == 0) met_.store(0, 0U);
    for (int s = static_cast<int>(threadIdx.x); s < slots_; s += Shape::threads) {
      bins_.store(s, std::uint32_t{none});
      counters_.store(s, 0);
    }
    __syncthreads();
    bool came_first[items];
#pragma unroll
    for (int i = 0; i < items; ++i) {
      came_first[i] = bin[i] != none && counters_.fetch_add(slot(bin[i]), 1) == 0;
      if (came_first[i]) bins_.store(slot(bin[i]), bin[i]);
    }
    __syncthreads();
    std::uint32_t met = 0;
#pragma unroll
    for (int i = 0; i < items; ++i)
      met += __popc(__ballot_sync(all_lanes, bin[i] != none && !came_first[i] && bins_.load(slot(bin[i])) == bin[i]));
    if (lane() == 0) met_.fetch_add(0, met);
    for (int s = static_cast<int>(threadIdx.x); s < slots_; s += Shape::threads) counters_.store(s, 0);
    __syncthreads();
    return met_.load(0) > Shape::threads * items / histogram_many_pays;
  }

  /// Whether the bin has a counter here, to which the weight is added then.
  __device__ bool add(std::uint32_t bin, Counter weight) const {
    int const s = slot(bin);
    if (bins_.load(s) != bin) return false;
    counters_.fetch_add(s, weight);
    return true;
  }

  /// Adds all to the counters of all, behind a barrier; each thread the slots that it clears when bins are chosen anew.
  template <class Word>
  __device__ void add_to_all(core::Strided<Word> const& counts) const {
    for (int s = static_cast<int>(threadIdx.x); s < slots_; s += Shape::threads)
      if (Counter const count = counters_.load(s); count != 0)
        fetch_add(&counts[bins_.load(s)], static_cast<Word>(count));
  }

 private:
  static constexpr int bins_byte = 16;

  __device__ int slot(std::uint32_t bin) const { return static_cast<int>(bin * 2654435769U >> shift_); }

  int slots_, shift_;
  Shared<std::uint32_t> met_, bins_;
  Shared<Counter> counters_;
};

/// Adds what each lane has, by as few additions as there are runs of lanes with the same bin, as of elements that are
/// sorted; all lanes call it. Of weights each is added by itself.
template <class Histogram, class Add>
__device__ void add_runs(std::uint32_t bin, bool is_in, typename Histogram::Word weight, Add const& add) {
  if constexpr (Histogram::has_weights) {
    if (is_in) add(bin, weight);
  } else {
    std::uint32_t const before = __shfl_up_sync(all_lanes, bin, 1U);
    bool const begins          = lane() == 0 || before != bin;
    std::uint32_t const later  = __ballot_sync(all_lanes, begins) >> lane() >> 1;  // of the lanes behind this one
    int const length           = later != 0 ? __ffs(static_cast<int>(later)) : warp_size - lane();
    if (begins && is_in) add(bin, static_cast<typename Histogram::Word>(length));
  }
}

template <class Shape, class Histogram>
__global__ void __launch_bounds__(Shape::threads, min_blocks_of<Shape>)
    many_bins_kernel(Histogram const histogram, std::size_t const rounds, int const slot_bits) {
  begin_behind_previous_grid();
  using Counter            = CounterOf<Histogram>;
  using Word               = typename Histogram::Word;
  std::uint32_t const bins = static_cast<std::uint32_t>(histogram.bins.count);
  OftenBins<Shape, Counter> const often(slot_bits);
  std::size_t const length = Shape::part * rounds;
  for (std::size_t begin = blockIdx.x * length; begin < histogram.n; begin += gridDim.x * length) {
    bool pays = false;
    for (std::size_t r = 0; r < rounds; ++r) {
      std::size_t const round = begin + r * Shape::part;
      if (round >= histogram.n) break;
      std::uint32_t bin[Shape::items];
#pragma unroll
      for (int i = 0; i < Shape::items; ++i) {
        std::size_t const at = round + threadIdx.x + static_cast<std::size_t>(i * Shape::threads);
        bin[i] = at < histogram.n ? histogram.bins.template of<std::uint32_t>(histogram.from[at]) : often.none;
        if (bin[i] >= bins) bin[i] = often.none;
      }
      if (r == 0) pays = often.choose(bin);
#pragma unroll
      for (int i = 0; i < Shape::items; ++i) {
        bool const is_in = bin[i] != often.none;
        Word weight      = 1;
        if constexpr (Histogram::has_weights)
          if (is_in) weight = histogram.weight(round + threadIdx.x + static_cast<std::size_t>(i * Shape::threads));
        add_runs<Histogram>(bin[i], is_in, weight, [&](std::uint32_t of, Word added) {
          if (!pays || !often.add(of, static_cast<Counter>(added))) fetch_add(&histogram.counts[of], added);
        });
      }
    }
    __syncthreads();
    if (pays) often.add_to_all(histogram.counts);
  }
}

/// More bins than a word of 32 bits numbers, or elements as large as no kernel above takes.
template <class Histogram>
__global__ void __launch_bounds__(walking_threads) add_each_kernel(Histogram const histogram) {
  begin_behind_previous_grid();
  std::size_t const step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < histogram.n; i += step) {
    std::size_t const bin = histogram.bins.template of<std::size_t>(histogram.from[i]);
    if (bin < histogram.bins.count) fetch_add(&histogram.counts[bin], histogram.weight(i));
  }
}

template <class Shape, class Histogram>
void count_many_bins(Stream stream, Histogram const& histogram, Device const& device) {
  using Often = OftenBins<Shape, CounterOf<Histogram>>;
  clear(stream, histogram.counts, histogram.bins.count, device);
  std::size_t const sm = static_cast<std::size_t>(device.multiprocessors);
  if (histogram.bins.count >= Often::none)
    return launch(stream, Grid{blocks_for(histogram.n, walking_threads, sm * 8), walking_threads},
                  add_each_kernel<Histogram>, histogram);
  std::size_t const blocks = sm * Shape::blocks_per_sm;
  std::size_t const rounds = std::clamp<std::size_t>(histogram.n / blocks / Shape::part, 1, Shape::rounds);
  int slot_bits            = Shape::slot_bits;
  while (Often::bytes(slot_bits) > device.shared_bytes) --slot_bits;
  launch(stream,
         Grid{blocks_for(histogram.n, Shape::part * rounds, blocks), Shape::threads,
              static_cast<std::size_t>(Often::bytes(slot_bits))},
         many_bins_kernel<Shape, Histogram>, histogram, rounds, slot_bits);
}

}  // namespace KokkosScan::cuda::histogram
