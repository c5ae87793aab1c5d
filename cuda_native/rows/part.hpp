// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../src/core/rows.hpp"
#include "../machine.hpp"
#include "../warp.hpp"

// Ragged rows, divided among warps: each has a part of the order of rows and items (src/core/rows.hpp).
namespace KokkosScan::cuda::rows {

/// The first row that does not end before a position of the order: each half of a warp looks for that of its own
/// position. All begin with the same rows: so what they ask comes from a cache, and of a later position nobody finds an
/// earlier row, even where offsets descend; so all shares together are no more than rows and items.
template <class Order>
__device__ std::size_t find_row(Order const& order, std::size_t position) {
  constexpr int lanes = warp_size / 2;
  int const own       = lane() % lanes;
  std::size_t row = 0, count = order.rows;
  while (__any_sync(all_lanes, count > 0)) {
    // Each lane asks the last one of its share of the rows. Where offsets ascend those that say yes are the first ones.
    std::size_t const share = (count + lanes - 1) / lanes, last = static_cast<std::size_t>(own + 1) * share - 1;
    bool const ends_before    = last < count && order.place_of_end(row + last) < position;
    std::uint32_t const voted = __ballot_sync(all_lanes, ends_before) >> (lane() - own);
    std::size_t const passed  = static_cast<std::size_t>(__popc(voted & ((1U << lanes) - 1))) * share;
    // Of the next lane's share the last one is known not to end before.
    std::size_t const rest = count - passed, most = share - 1;
    row += passed;
    count = rest < most ? rest : most;
  }
  std::size_t const least = order.least_row(position), most = order.most_row(position);
  return row < least ? least : row < most ? row : most;  // it is one of them where offsets ascend
}

/// What a warp has of the order: rows, and some of their items. Of the rows `ended` end in it, all but perhaps the
/// last.
struct Part {
  std::size_t row, rows, ended, item, items;

  Part() = default;
  /// From a position up to another one.
  template <class Order>
  __device__ Part(Order const& order, std::size_t begin, std::size_t end) {
    std::size_t const found  = find_row(order, lane() < warp_size / 2 ? begin : end);
    std::size_t const last   = __shfl_sync(all_lanes, found, warp_size - 1);
    row                      = __shfl_sync(all_lanes, found, 0);
    ended                    = last - row;
    rows                     = ended + (last < order.rows ? 1 : 0);
    item                     = order.first + (begin - row);
    std::size_t const behind = order.first + (end - last);
    items                    = item < behind ? behind - item : 0;
  }
};

}  // namespace KokkosScan::cuda::rows
