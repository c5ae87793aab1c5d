// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../element_units.hpp"
#include "../tuning.hpp"
#include "part.hpp"

//  The row of each item of ragged rows: each warp has a share of the rows and items, and no barrier but its own
//  paper       Green, McColl, Bader 2012; Merrill, Garland 2016 (where shares begin: src/core/rows.hpp)
//  launches    1, of a number of blocks that depends on how many rows and items there may be, and on the device: how
//              many there are the kernel reads
//  bytes       those of the owners and of the offsets once, and of 2 lanes offsets for each round of a search
//  steps       (rows + items) / lanes, and a search for both ends of each share
//  progress    none: no warp waits for another
namespace KokkosScan::cuda::rows {

struct OwnersShape {
  static constexpr int warps          = owners_warps;
  static constexpr int blocks_per_sm  = owners_blocks_per_sm;
  static constexpr int share          = owners_share;
  static constexpr int most_waves     = owners_most_waves;
  static constexpr int items          = owners_items;
  static constexpr int window         = owners_window;
  static constexpr int groups_at_once = owners_groups_at_once;
};

/// In how many waves of blocks so many rows and items are divided, so that no share is shorter than it should be if
/// there is another wave.
template <class Shape>
__host__ __device__ std::size_t waves_of(std::size_t size, unsigned blocks, std::size_t most) {
  std::size_t const waves = size / (std::size_t{blocks} * Shape::warps * Shape::share);
  return waves < 1 ? 1 : waves < most ? waves : most;
}

/// The items of a warp, a chunk at a time. Where a row begins in the chunk its number is left as a seed, and each item
/// has that of the last seed up to it. Rows and items are counted from the first ones of the share, whose row needs no
/// seed: 0 is none. Nor is a seed of a chunk before, which names no row behind the one that the chunk begins in, so
/// nobody takes seeds away.
template <class Shape, class Offsets, class Owners>
class Share {
 public:
  using Offset = core::ElementOf<Offsets>;
  using Owner  = core::ElementOf<Owners>;

  __device__ Share(core::RowOrder<Offsets> const& order, Owners const& owners, Part const& part)
      : owners_(owners),
        seeds_(shared_memory<std::uint32_t>(whole_warp() * Shape::items * int{sizeof(std::uint32_t)})),
        ends_(order.offsets),
        rows_(narrow(part.rows)),
        items_(narrow(part.items)),
        row_(part.row),
        item_(part.item) {
    ends_.skip(row_ + 1);
#pragma unroll
    for (int k = 0; k < groups; ++k) seeds_.template from<Four>(0).store(k * warp_size + lane(), Four{});
    ask_for(0);
    take_window();
  }

  /// The first chunk is so much shorter that all others begin where a line of memory does.
  __device__ void put_owners() {
    std::uint32_t off = items_off();
    for (std::uint32_t begin = 0; begin < items_;) {
      std::uint32_t const room = Shape::items - off, rest = items_ - begin, count = rest < room ? rest : room;
      __syncwarp();
      put_seeds(begin, count, off);
      __syncwarp();
      Owners here             = owners_;
      std::uint32_t const own = static_cast<std::uint32_t>(4 * lane());
      here.skip(item_ + begin - off + own);
      if (count == Shape::items) {
        for_each_four([&](int k, Owner const(&four)[4]) { put_four(here, static_cast<std::size_t>(k), four); });
      } else {
        for_each_four([&](int k, Owner const(&four)[4]) {
          std::uint32_t const place = own + static_cast<std::uint32_t>(k) - off;
          if (place < count && place + 3 < count) {
            put_four(here, static_cast<std::size_t>(k), four);
          } else {
#pragma unroll
            for (std::uint32_t i = 0; i < 4; ++i)
              if (place + i < count) core::put(here[static_cast<std::size_t>(k) + i], four[i]);
          }
        });
      }
      begin += count;
      off = 0;
    }
  }

 private:
  struct alignas(16) Four {
    std::uint32_t of[4];
  };
  static constexpr int groups = Shape::items / (4 * warp_size);
  // As many as have room in registers, which are of 4 bytes.
  static constexpr int window            = sizeof(Offset) <= 4 ? Shape::window : (Shape::window + 1) / 2;
  static constexpr std::uint32_t at_once = window * warp_size;  // rows

  /// A share is never as long, but offsets that descend could say so.
  __device__ static std::uint32_t narrow(std::size_t count) {
    constexpr std::uint32_t most = 0x7fffffff;
    return count < most ? static_cast<std::uint32_t>(count) : most;
  }
  __device__ static std::uint32_t row_of(int k) { return static_cast<std::uint32_t>(k * warp_size + lane()); }

  /// How many items of the share stand before that one: more than it has, if it is behind them.
  __device__ std::uint32_t place_of(Offset item) const {
    constexpr std::uint32_t behind = static_cast<std::uint32_t>(-1);
    if constexpr (sizeof(Offset) <= sizeof(std::uint32_t)) {
      return static_cast<std::uint32_t>(item) - static_cast<std::uint32_t>(item_);
    } else {
      std::size_t const place = static_cast<std::size_t>(item) - item_;
      return place < behind ? static_cast<std::uint32_t>(place) : behind;
    }
  }
  /// Reads where rows end, from that row of the share on; those behind it are empty.
  __device__ void ask_for(std::uint32_t row) {
#pragma unroll
    for (int k = 0; k < window; ++k) {
      std::uint32_t const own = row + row_of(k);
      next_[k]                = own < rows_ ? Offset{ends_[own]} : static_cast<Offset>(item_ + items_);
    }
  }
  __device__ void take_window() {
#pragma unroll
    for (int k = 0; k < window; ++k) place_[k] = place_of(next_[k]);
    ask_for(window_ + at_once);
  }

  /// So many items stand between the last line of memory that begins not behind the share, and the share.
  __device__ std::uint32_t items_off() const {
    if constexpr (is_contiguous)
      return static_cast<std::uint32_t>((reinterpret_cast<std::uintptr_t>(&owners_[item_]) / sizeof(Owner)) %
                                        warp_size);
    else
      return 0;
  }

  /// Leaves the seeds of rows that begin among so many items. Of the rows a window is in registers, one to a lane and
  /// turn, and the one behind it is on its way.
  __device__ void put_seeds(std::uint32_t begin, std::uint32_t count, std::uint32_t off) {
    for (;;) {
      std::uint32_t before = before_window_;
#pragma unroll
      for (int k = 0; k < window; ++k) {
        std::uint32_t const previous = __shfl_sync(all_lanes, place_[k], (lane() + warp_size - 1) % warp_size);
        std::uint32_t const place    = lane() == 0 ? before : previous;
        before                       = previous;
        if (place != place_[k] && place - begin < count)
          seeds_.store(static_cast<int>(place - begin + off), window_ + row_of(k));
      }
      std::uint32_t const last = __shfl_sync(all_lanes, place_[window - 1], warp_size - 1);
      if (last - begin >= count || window_ + at_once >= rows_) return;
      before_window_ = last;
      window_ += at_once;
      take_window();
    }
  }

  /// Calls store(k, the owners of the items k, k + 1, k + 2 and k + 3) for all of a chunk.
  template <class Store>
  __device__ void for_each_four(Store const& store) {
    auto const fours           = seeds_.template from<Four>(0);
    std::uint32_t const before = row_before_;
#pragma unroll 1
    for (int turn = 0; turn < groups; turn += Shape::groups_at_once) {
      Four seeds[Shape::groups_at_once];
#pragma unroll
      for (int j = 0; j < Shape::groups_at_once; ++j) seeds[j] = fours.load((turn + j) * warp_size + lane());
#pragma unroll
      for (int j = 0; j < Shape::groups_at_once; ++j) {
        std::uint32_t const(&own)[4]    = seeds[j].of;
        std::uint32_t const last        = latest(latest(own[0], own[1]), latest(own[2], own[3]));
        std::uint32_t const with        = __ballot_sync(all_lanes, last > before);
        std::uint32_t const with_before = with & ((std::uint32_t{1} << lane()) - 1);
        std::uint32_t const of_before   = __shfl_sync(all_lanes, last, last_of(with_before));
        std::uint32_t const of_all      = __shfl_sync(all_lanes, last, last_of(with));
        std::uint32_t row               = with_before ? of_before : row_before_;
        row_before_                     = with ? of_all : row_before_;
        Owner four[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          row     = latest(row, own[i]);
          four[i] = static_cast<Owner>(static_cast<Owner>(row_) + static_cast<Owner>(row));
        }
        store(4 * (turn + j) * warp_size, four);
      }
    }
  }
  __device__ static std::uint32_t latest(std::uint32_t a, std::uint32_t b) { return a > b ? a : b; }
  /// The last of these lanes; any one, if there are none.
  __device__ static int last_of(std::uint32_t lanes) {
    return lanes ? warp_size - 1 - __clz(static_cast<int>(lanes)) : 0;
  }

  __device__ static void put_four(Owners const& to, std::size_t item, Owner const (&four)[4]) {
    if constexpr (is_contiguous) {
      constexpr int count = sizeof(Owner) <= 4 ? 4 : sizeof(Owner) <= 8 ? 2 : 1;
#pragma unroll
      for (int i = 0; i < 4; i += count) {
        ElementUnit<Owner, count> unit;
#pragma unroll
        for (int v = 0; v < count; ++v) unit.put(v, four[i + v]);
        write_unit<count>(to, item + static_cast<std::size_t>(i), unit);
      }
    } else {
#pragma unroll
      for (std::size_t i = 0; i < 4; ++i) core::put(to[item + i], four[i]);
    }
  }

  static constexpr bool is_contiguous = std::is_same_v<Owners, core::Contiguous<Owner>>;

  Owners owners_;
  Shared<std::uint32_t> seeds_;
  Offsets ends_;
  std::uint32_t rows_, items_;
  std::size_t row_, item_;
  std::uint32_t place_[window];      // where the rows of the window end
  Offset next_[window];              // and those behind it, as they stand in memory
  std::uint32_t window_        = 0;  // its first row
  std::uint32_t before_window_ = 0;  // where that begins
  std::uint32_t row_before_    = 0;  // the chunk
};

/// So many blocks run at once. Each wave of them has as much to do as every other one.
template <class Shape, class Offsets, class Owners>
__global__ void __launch_bounds__(Shape::warps* warp_size, Shape::blocks_per_sm)
    owners_kernel(core::Rows<Offsets> const rows, Owners const owners, unsigned const at_once) {
  begin_behind_previous_grid();
  core::RowOrder<Offsets> const order = rows.in_order();
  std::size_t const size = order.size(), waves = waves_of<Shape>(size, at_once, gridDim.x / at_once);
  std::size_t const warps = waves * at_once * Shape::warps, each = (size + warps - 1) / warps;
  std::size_t const begin =
      each * (static_cast<std::size_t>(blockIdx.x) * Shape::warps + static_cast<std::size_t>(whole_warp()));
  if (begin >= size) return;
  Part const part(order, begin, size - begin < each ? size : begin + each);
  if (part.items > 0) Share<Shape, Offsets, Owners>(order, owners, part).put_owners();
}

/// Enqueues it.
template <class Shape = OwnersShape, class Offsets, class Owners>
void put_owners(Stream stream, core::Rows<Offsets> const& rows, Owners const& owners, Device const& device) {
  constexpr std::size_t seeds = std::size_t{Shape::warps} * Shape::items * sizeof(std::uint32_t);
  auto const at_once          = static_cast<unsigned>(device.multiprocessors * Shape::blocks_per_sm);
  std::size_t const waves     = waves_of<Shape>(rows.rows + rows.most, at_once, Shape::most_waves);
  launch(stream, Grid{at_once * static_cast<unsigned>(waves), Shape::warps * warp_size, seeds},
         owners_kernel<Shape, Offsets, Owners>, rows, owners, at_once);
}

}  // namespace KokkosScan::cuda::rows
