// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../../core/radix_sort.hpp"
#include "../../core/tiles.hpp"
#include "../tuning.hpp"

// How often each digit of a pass is there, and which bits are the same in all keys.
namespace KokkosScan::host::sort {

using core::Digit;
using core::Tile;

/// The bits in which the integers of some keys differ from that of the first of all.
template <class Order, class Bits = typename Order::Bits>
Bits differing_bits(Order const order, Bits const* keys, Tile chunk) {
  Bits const first = order.ordered(keys[0]);
  Bits differing   = 0;
  for (std::size_t i = chunk.begin; i < chunk.end; ++i)
    differing = static_cast<Bits>(differing | (order.ordered(keys[i]) ^ first));
  return differing;
}

/// How often each digit is there. Neighbours are counted in tables of their own, where that pays: of those that are
/// alike one would wait for the other.
template <std::size_t digits, class Order>
void count_digits(Digit<Order> const digit, typename Order::Bits const* keys, Tile chunk, std::size_t* counts) {
  constexpr std::size_t tables = 4;
  std::size_t i                = chunk.begin;
  std::fill_n(counts, digits, 0);
  if (chunk.size() >= least_for_tables) {
    std::size_t more[tables][digits]{};
    for (; i + tables <= chunk.end; i += tables)
      for (std::size_t k = 0; k < tables; ++k) ++more[k][digit(keys[i + k])];
    for (auto const& table : more)
      for (std::size_t d = 0; d < digits; ++d) counts[d] += table[d];
  }
  for (; i < chunk.end; ++i) ++counts[digit(keys[i])];
}

}  // namespace KokkosScan::host::sort
