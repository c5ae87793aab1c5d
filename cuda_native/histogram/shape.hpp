// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "../../src/core/histogram.hpp"
#include "../../src/core/memory.hpp"
#include "../counters.hpp"
#include "../machine.hpp"
#include "../tuning.hpp"
#include "../warp.hpp"

// How counting is divided among blocks.
namespace KokkosScan::cuda::histogram {

/// The blocks of a shape that must have registers on a multiprocessor.
template <class Shape>
inline constexpr int min_blocks_of = fitting_blocks(Shape::blocks_per_sm, Shape::threads);

/// The counters of a block: those of what weighs nothing in particular have 32 bits.
template <class Histogram>
using CounterOf = std::conditional_t<Histogram::has_weights, typename Histogram::Word, std::uint32_t>;

/// As many blocks as have `least` elements each, but no more than `most`; nor so few that a counter of 32 bits could
/// overflow.
inline unsigned blocks_for(std::size_t n, std::size_t least, std::size_t most) {
  constexpr std::size_t counted = std::size_t{1} << 31;
  std::size_t const wanted      = std::max<std::size_t>(1, std::min((n + least - 1) / least, most));
  return static_cast<unsigned>(std::max(wanted, (n + counted - 1) / counted));
}

/// Adds the sum of a counter's copies to the one of all blocks; the only block writes it. Behind a barrier.
template <class Word, class Counter>
__device__ void put_sum(Shared<Counter> const& counters, int k, int copies, Word* of_all) {
  Word const sum = sum_of_copies<Word>(counters, k, copies);
  if (gridDim.x == 1)
    *of_all = sum;
  else if (sum != 0)
    fetch_add(of_all, sum);
}

}  // namespace KokkosScan::cuda::histogram
