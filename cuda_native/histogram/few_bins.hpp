// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "elements.hpp"

//  Histograms whose bins fit into shared memory: each block counts for itself, and adds what it has to the counters of
//  all
//  paper       Podlozhnyuk 2007 (shared counters), Gomez-Luna et al. 2013 (copies of them by lanes)
//  launches    2: zeros, and this; 1 where there is one block; more where only some of the bins fit at a time
//  bytes       n for each of these
//  operations  4 an element, and those of its bin
//  steps       those of a block's share
//  progress    none
namespace KokkosScan::cuda::histogram {

struct FewBinsShape {
  static constexpr int threads       = histogram_threads;
  static constexpr int blocks_per_sm = histogram_blocks_per_sm;
  static constexpr int vectors       = histogram_vectors;
};

/// The edges that bins are between, which stand in shared memory, too; void, if they are none.
template <class Bins>
struct EdgeOf {
  using type = void;
};
template <class Bins>
  requires requires { typename Bins::Edges; }
struct EdgeOf<Bins> {
  using type = core::ElementOf<typename Bins::Edges>;
};
template <class Bins>
inline constexpr bool has_edges = !std::is_void_v<typename EdgeOf<Bins>::type>;
template <class Bins>
KOKKOSSCAN_FUNCTION constexpr std::size_t bytes_of_edges([[maybe_unused]] std::size_t bins) {
  if constexpr (has_edges<Bins>)
    return core::round_up((bins + 1) * sizeof(typename EdgeOf<Bins>::type), 16);
  else
    return 0;
}

/// The bins that a launch counts, and how many counters each has in a block.
struct SomeBins {
  std::uint32_t first, count;
  int copies;
};

template <class Shape, class Histogram>
__global__ void __launch_bounds__(Shape::threads, min_blocks_of<Shape>)
    few_bins_kernel(Histogram const histogram, SomeBins const some) {
  using Counter            = CounterOf<Histogram>;
  using Word               = typename Histogram::Word;
  using Bins               = typename Histogram::Bins;
  using Value              = typename Histogram::Value;
  int const edge_bytes     = static_cast<int>(bytes_of_edges<Bins>(histogram.bins.count));
  auto const counters      = shared_memory<Counter>(edge_bytes);
  int const copies         = some.copies;
  int const own            = lane() & (copies - 1);
  int const all            = static_cast<int>(some.count) * copies;
  std::uint32_t const bins = static_cast<std::uint32_t>(histogram.bins.count);
  for (int k = static_cast<int>(threadIdx.x); k < all; k += Shape::threads) counters.store(k, 0);
  begin_behind_previous_grid();
  if constexpr (has_edges<Bins>) {
    auto const edges = shared_memory<typename EdgeOf<Bins>::type>(0);
    for (std::uint32_t k = threadIdx.x; k <= bins; k += Shape::threads)
      edges.store(static_cast<int>(k), histogram.bins.edges[k]);
  }
  __syncthreads();
  auto const bin_of = [&](Value const& value) {
    if constexpr (has_edges<Bins>) {
      auto const edges = shared_memory<typename EdgeOf<Bins>::type>(0);
      return Bins::template of_edges<std::uint32_t>(value, bins,
                                                    [&](std::uint32_t k) { return edges.load(static_cast<int>(k)); });
    } else {
      return histogram.bins.template of<std::uint32_t>(value);
    }
  };
  for_each_element<Shape::vectors, Histogram::has_weights>(
      histogram.from, histogram.n, [&](std::size_t i, Value const& value) {
        std::uint32_t const bin = bin_of(value) - some.first;
        if (bin < some.count)
          counters.fetch_add(static_cast<int>(bin) * copies + own, static_cast<Counter>(histogram.weight(i)));
      });
  __syncthreads();
  for (int k = static_cast<int>(threadIdx.x); k < static_cast<int>(some.count); k += Shape::threads)
    put_sum<Word>(counters, k, copies, &histogram.counts[some.first + static_cast<std::uint32_t>(k)]);
}

/// What a block takes besides, from compute capability 8.0 on.
inline constexpr std::size_t shared_bytes_of_system = 1024;

struct FewBinsPlan {
  unsigned blocks;     // 0: there are too many bins
  std::size_t passes;  // over all elements, each for some of the bins
  int copies;
};

template <class Shape, class Histogram>
FewBinsPlan plan_few_bins(Histogram const& histogram, Device const& device) {
  using Bins                    = typename Histogram::Bins;
  constexpr std::size_t counter = sizeof(CounterOf<Histogram>), value = sizeof(typename Histogram::Value);
  constexpr std::size_t most_passes =
      has_edges<Bins> || Histogram::has_weights ? 1 : std::max<std::size_t>(1, histogram_bytes_of_passes / value);
  std::size_t const bins   = histogram.bins.count;
  std::size_t const shared = static_cast<std::size_t>(device.shared_bytes);
  if (bins > shared / counter * most_passes) return {};
  std::size_t const edges = bytes_of_edges<Bins>(bins);
  if (edges + counter > shared) return {};
  std::size_t const most   = (shared - edges) / counter;  // of one block
  std::size_t const passes = (bins + most - 1) / most;
  if (passes > most_passes) return {};
  std::size_t const of_some = (shared - shared_bytes_of_system) / Shape::blocks_per_sm;
  std::size_t const room    = of_some > edges ? (of_some - edges) / counter : 0;
  std::size_t const fitting = bins > room ? 1 : static_cast<std::size_t>(Shape::blocks_per_sm);
  std::size_t const least   = static_cast<std::size_t>(Shape::threads) * histogram_least_items;
  unsigned const blocks = blocks_for(histogram.n, least, fitting * static_cast<std::size_t>(device.multiprocessors));
  std::size_t const of_block = histogram.n / blocks;
  // One block has nobody to add for it; others add to the counters of all as often as they have bins.
  if (blocks > 1 && bins > of_block) return {};
  // Lanes that count in one place count at once; where they add weights, each waits for the others.
  int const most_copies = Histogram::has_weights ? warp_size : 1;
  int copies            = 1;
  while (copies < most_copies && static_cast<std::size_t>(copies) * 2 * bins <= std::min(room, of_block)) copies *= 2;
  return {blocks, passes, copies};
}

template <class Shape, class Histogram>
void count_few_bins(Stream stream, Histogram const& histogram, FewBinsPlan const& plan, Device const& device) {
  std::size_t const bins = histogram.bins.count, each = (bins + plan.passes - 1) / plan.passes;
  if (plan.blocks > 1) clear(stream, histogram.counts, bins, device);
  for (std::size_t first = 0; first < bins; first += each) {
    std::size_t const count = std::min(each, bins - first);
    std::size_t const bytes = bytes_of_edges<typename Histogram::Bins>(bins) +
                              count * static_cast<std::size_t>(plan.copies) * sizeof(CounterOf<Histogram>);
    launch(stream, Grid{plan.blocks, Shape::threads, bytes, static_cast<std::size_t>(device.shared_bytes)},
           few_bins_kernel<Shape, Histogram>, histogram,
           SomeBins{static_cast<std::uint32_t>(first), static_cast<std::uint32_t>(count), plan.copies});
  }
}

}  // namespace KokkosScan::cuda::histogram
