// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "elements.hpp"

//  Histograms whose bins fit into shared memory: each block counts for itself, and adds what it has to the counters of
//  all
//  paper       Podlozhnyuk 2007 (shared counters), Gomez-Luna et al. 2013 (copies of them by lanes)
//  launches    2: zeros, and this; 1 where there is one block
//  bytes       n
//  operations  4 an element, and those of its bin
//  steps       those of a block's share
//  progress    none
namespace KokkosScan::cuda::histogram {

struct FewBinsShape {
  static constexpr int threads       = histogram_threads;
  static constexpr int blocks_per_sm = histogram_blocks_per_sm;
  static constexpr int vectors       = histogram_vectors;
};

template <class Shape, class Histogram>
__global__ void __launch_bounds__(Shape::threads, Shape::blocks_per_sm)
    few_bins_kernel(Histogram const histogram, int const copies) {
  using Counter            = CounterOf<Histogram>;
  using Word               = typename Histogram::Word;
  auto const counters      = shared_memory<Counter>(0);
  int const own            = lane() & (copies - 1);
  std::uint32_t const bins = static_cast<std::uint32_t>(histogram.bins.count);
  int const all            = static_cast<int>(bins) * copies;
  for (int k = static_cast<int>(threadIdx.x); k < all; k += Shape::threads) counters.store(k, 0);
  __syncthreads();
  for_each_element<Shape::vectors, Histogram::has_weights>(
      histogram.from, histogram.n, [&](std::size_t i, typename Histogram::Value const& value) {
        std::uint32_t const bin = histogram.bins.template of<std::uint32_t>(value);
        if (bin < bins)
          counters.fetch_add(static_cast<int>(bin) * copies + own, static_cast<Counter>(histogram.weight(i)));
      });
  __syncthreads();
  if (!is_alone())
    return add_to_all(counters, static_cast<int>(bins), copies, histogram.counts, bins,
                      [](int k) { return static_cast<std::size_t>(k); });
  for (int k = static_cast<int>(threadIdx.x); k < static_cast<int>(bins); k += Shape::threads) {
    Word sum = 0;
    for (int c = 0; c < copies; ++c) sum += counters.load(k * copies + ((c + lane()) & (copies - 1)));
    histogram.counts[static_cast<std::size_t>(k)] = sum;
  }
}

/// What a block takes besides, from compute capability 8.0 on.
inline constexpr std::size_t shared_bytes_of_system = 1024;

/// The counters of a block.
struct FewBinsPlan {
  unsigned blocks;  // 0: there are too many bins
  int copies;       // of each counter
};

template <class Shape, class Histogram>
FewBinsPlan plan_few_bins(Histogram const& histogram, Device const& device) {
  constexpr std::size_t counter = sizeof(CounterOf<Histogram>);
  std::size_t const bins        = histogram.bins.count;
  std::size_t const most        = static_cast<std::size_t>(device.shared_bytes) / counter;  // of one block
  if (bins > most) return {0, 0};
  std::size_t const room =
      (static_cast<std::size_t>(device.shared_bytes) - shared_bytes_of_system) / Shape::blocks_per_sm / counter;
  std::size_t const fitting = bins > room ? 1 : static_cast<std::size_t>(Shape::blocks_per_sm);
  std::size_t const least   = static_cast<std::size_t>(Shape::threads) * histogram_least_items;
  unsigned const blocks = blocks_for(histogram.n, least, fitting * static_cast<std::size_t>(device.multiprocessors));
  std::size_t const of_block = histogram.n / blocks;
  // One block has nobody to add for it; others add to the counters of all as often as they have bins.
  if (blocks > 1 && bins > of_block) return {0, 0};
  int copies = 1;
  while (copies < warp_size && static_cast<std::size_t>(copies) * 2 * bins <= std::min(room, of_block)) copies *= 2;
  return {blocks, copies};
}

template <class Shape, class Histogram>
void count_few_bins(Stream stream, Histogram const& histogram, FewBinsPlan const& plan, Device const& device) {
  std::size_t const bytes = histogram.bins.count * static_cast<std::size_t>(plan.copies) * sizeof(CounterOf<Histogram>);
  if (plan.blocks > 1) clear(stream, histogram.counts, histogram.bins.count, device);
  launch(stream, Grid{plan.blocks, Shape::threads, bytes}, few_bins_kernel<Shape, Histogram>, histogram, plan.copies);
}

}  // namespace KokkosScan::cuda::histogram
