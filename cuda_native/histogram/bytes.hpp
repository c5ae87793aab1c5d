// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "elements.hpp"

//  Histograms of values of one byte: all 256 are counted as they are, and each falls into its bin at the end
//  paper       Podlozhnyuk 2007 (shared counters), Gomez-Luna et al. 2013 (copies of them by lanes)
//  launches    2: zeros, and this
//  bytes       n
//  operations  2 a byte: to make of it the place of its counter, and to count
//  steps       those of a block's share
//  progress    none
namespace KokkosScan::cuda::histogram {

struct BytesShape {
  static constexpr int threads       = histogram_bytes_threads;
  static constexpr int blocks_per_sm = histogram_bytes_blocks_per_sm;
  static constexpr int vectors       = histogram_bytes_vectors;
};

/// A column of counters to each lane of two warps: no two lanes meet at a bank, whatever bytes they have; and so that
/// the place of a counter, in bytes, is the column and, one byte higher, what it counts, which one instruction makes.
struct ByteCounters {
  static constexpr int values  = 256;
  static constexpr int columns = 64;
  static constexpr int bytes   = values * columns * 4;

  __device__ ByteCounters() : memory(shared_memory<unsigned char>(0)), column((threadIdx.x % columns) * 4) {}

  /// Byte b of a word.
  template <int b>
  __device__ void count(std::uint32_t word) const {
    add_at(__byte_perm(word, column, 0x5504U + (b << 4)));
  }
  __device__ void count(std::uint8_t value) const { add_at(value * 256U + column); }

  __device__ void add_at(std::uint32_t place) const {
    memory.template from<std::uint32_t>(static_cast<int>(place)).fetch_add(0, 1U);
  }

  Shared<unsigned char> memory;
  std::uint32_t column;
};

template <class Shape, class Histogram>
__global__ void __launch_bounds__(Shape::threads, min_blocks_of<Shape>) count_bytes_kernel(Histogram const histogram) {
  using Value     = typename Histogram::Value;
  using Word      = typename Histogram::Word;
  auto const sums = shared_memory<std::uint32_t>(0);
  for (int k = static_cast<int>(threadIdx.x); k < ByteCounters::bytes / 4; k += Shape::threads) sums.store(k, 0);
  begin_behind_previous_grid();
  __syncthreads();
  ByteCounters const counters;
  for_each_vector<Shape::vectors>(
      histogram.from, histogram.n,
      [&](Vector const& vector) {
#pragma unroll
        for (int w = 0; w < 4; ++w) {
          counters.count<0>(vector.word[w]);
          counters.count<1>(vector.word[w]);
          counters.count<2>(vector.word[w]);
          counters.count<3>(vector.word[w]);
        }
      },
      [&](std::size_t i) { counters.count(static_cast<std::uint8_t>(histogram.from[i])); });
  __syncthreads();
  for (int k = static_cast<int>(threadIdx.x); k < ByteCounters::values; k += Shape::threads) {
    Value const value     = static_cast<Value>(static_cast<std::uint8_t>(k));
    Word const sum        = sum_of_copies<Word>(sums, k, ByteCounters::columns);
    std::size_t const bin = histogram.bins.template of<std::size_t>(value);
    if (sum != 0 && bin < histogram.bins.count) fetch_add(&histogram.counts[bin], sum);
  }
}

template <class Shape, class Histogram>
void count_bytes(Stream stream, Histogram const& histogram, Device const& device) {
  std::size_t const least  = static_cast<std::size_t>(Shape::threads) * sizeof(Vector) * 2;
  std::size_t const blocks = static_cast<std::size_t>(device.multiprocessors) * Shape::blocks_per_sm;
  clear(stream, histogram.counts, histogram.bins.count, device);
  launch(stream, Grid{blocks_for(histogram.n, least, blocks), Shape::threads, ByteCounters::bytes},
         count_bytes_kernel<Shape, Histogram>, histogram);
}

}  // namespace KokkosScan::cuda::histogram
