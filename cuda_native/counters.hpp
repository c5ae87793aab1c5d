// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>

#include "../src/core/arrays.hpp"
#include "machine.hpp"
#include "tuning.hpp"
#include "warp.hpp"

// Counters of a grid, and the copies of them that a block has for its lanes.
namespace KokkosScan::cuda {

/// For kernels that walk over elements: as many blocks as have something to do, but no more than may be there at once.
inline Grid walking_grid(std::size_t elements, Device const& device) {
  std::size_t const most   = static_cast<std::size_t>(device.multiprocessors) * (2048 / walking_threads);
  std::size_t const blocks = (elements + walking_threads - 1) / walking_threads;
  return {static_cast<unsigned>(std::min(blocks, most)), walking_threads};
}

/// Zeros, before blocks add to them.
template <class Word>
__global__ void __launch_bounds__(walking_threads)
    clear_kernel(core::Strided<Word> const counters, std::size_t const count) {
  begin_behind_previous_grid();
  std::size_t const step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  for (std::size_t k = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; k < count; k += step)
    counters[k] = 0;
}
template <class Word>
void clear(Stream stream, core::Strided<Word> const& counters, std::size_t count, Device const& device) {
  launch(stream, walking_grid(count, device), clear_kernel<Word>, counters, count);
}

/// The sum of counter k of a block, which has so many copies side by side, a power of two.
template <class Word, class Counter>
__device__ Word sum_of_copies(Shared<Counter> const& counters, int k, int copies) {
  Word sum = 0;
  for (int c = 0; c < copies; ++c)  // lanes at different banks
    sum += counters.load(k * copies + ((c + lane()) & (copies - 1)));
  return sum;
}

}  // namespace KokkosScan::cuda
