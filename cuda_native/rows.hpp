// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../src/core/rows.hpp"
#include "element_units.hpp"
#include "machine.hpp"
#include "tuning.hpp"
#include "warp.hpp"

//  The row of each item of ragged rows: each warp has a share of the rows and items, and no barrier but its own
//  paper       Green, McColl, Bader 2012; Merrill, Garland 2016 (where shares begin: src/core/rows.hpp)
//  launches    1, of a number of blocks that depends on the device alone: how many items there are the kernel reads
//  bytes       those of the owners once, and of the offsets, of which each warp loads 512 at least
//  steps       (rows + items) / lanes, and a search for both ends of each share
//  progress    none: no warp waits for another
namespace KokkosScan::cuda::rows {

struct OwnersShape {
  static constexpr int warps          = owners_warps;
  static constexpr int blocks_per_sm  = owners_blocks_per_sm;
  static constexpr int items          = owners_items;
  static constexpr int window         = owners_window;
  static constexpr int groups_at_once = owners_groups_at_once;
};

/// The first row that does not end before a position of the order, as the lanes of a warp look for it.
template <class Order>
struct Search {
  std::size_t position, row, count;

  __device__ Search(Order const& order, std::size_t where)
      : position(where), row(order.least_row(where)), count(order.most_row(where) - row) {}

  __device__ bool goes_on() const { return count > 0; }
  /// Each lane asks the last one of its share of the rows.
  __device__ std::size_t share() const { return (count + warp_size - 1) / warp_size; }
  __device__ bool ends_before(Order const& order) const {
    std::size_t const last = static_cast<std::size_t>(lane() + 1) * share() - 1;
    return last < count && order.place_of_end(row + last) < position;
  }
  /// Where offsets ascend the lanes that say yes are the first ones.
  __device__ void narrow(std::uint32_t ends_before) {
    std::size_t const passed = static_cast<std::size_t>(__popc(ends_before)) * share();
    // Of the next lane's share the last one is known not to end before.
    std::size_t const rest = count - passed, most = share() - 1;
    row += passed;
    count = rest < most ? rest : most;
  }
};

/// The items of a warp, a chunk at a time. Where a row begins in the chunk its number is left as a seed, and each item
/// has that of the last seed up to it. Rows and items are counted from the first ones of the share, whose row needs no
/// seed: 0 is none.
template <class Shape, class Offsets, class Owners>
class Share {
 public:
  using Offset = core::ElementOf<Offsets>;
  using Owner  = core::ElementOf<Owners>;

  __device__ Share(core::RowOrder<Offsets> const& order, Owners const& owners, std::size_t row, std::size_t item,
                   std::size_t end)
      : owners_(owners),
        seeds_(shared_memory<std::uint32_t>(warp() * Shape::items * int{sizeof(std::uint32_t)})),
        ends_(order.offsets),
        rows_(narrow(order.rows - row)),
        items_(narrow(end - item)),
        row_(row),
        item_(item),
        begin_(static_cast<Offset>(item)),
        behind_(static_cast<Offset>(end)) {
    ends_.skip(row + 1);
#pragma unroll
    for (int k = 0; k < groups; ++k) seeds_.template from<Four>(0).store(k * warp_size + lane(), Four{});
#pragma unroll
    for (int k = 0; k < Shape::window; ++k) place_[k] = place_of(end_of(row_of(k)));
#pragma unroll
    for (int k = 0; k < Shape::window; ++k) next_[k] = end_of(row_of(Shape::window + k));
  }

  /// The first chunk is so much shorter that all others begin where a unit of owners does.
  __device__ void put_owners() {
    std::uint32_t off = items_off();
    for (std::uint32_t begin = 0; begin < items_;) {
      std::uint32_t const room = Shape::items - off, rest = items_ - begin, count = rest < room ? rest : room;
      __syncwarp();
      put_seeds(begin, count, off);
      __syncwarp();
      std::size_t const first = item_ + begin - off + static_cast<std::size_t>(4 * lane());
      if (count == Shape::items) {
        Owners here = owners_;
        here.skip(first);
        for_each_four([&](int k, Owner const(&four)[4]) { put_four(here, static_cast<std::size_t>(k), four); });
      } else {
        for_each_four([&](int k, Owner const(&four)[4]) {
#pragma unroll
          for (int i = 0; i < 4; ++i)
            if (static_cast<std::uint32_t>(4 * lane() + k + i) - off < count)
              core::put(owners_[first + static_cast<std::size_t>(k + i)], four[i]);
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
  static constexpr int groups            = Shape::items / (4 * warp_size);
  static constexpr std::uint32_t at_once = Shape::window * warp_size;  // rows

  /// A share is never as long, but offsets that descend could say so.
  __device__ static std::uint32_t narrow(std::size_t count) {
    constexpr std::uint32_t most = 0x7fffffff;
    return count < most ? static_cast<std::uint32_t>(count) : most;
  }
  __device__ static std::uint32_t row_of(int k) { return static_cast<std::uint32_t>(k * warp_size + lane()); }
  __device__ Offset end_of(std::uint32_t row) const { return row < rows_ ? ends_[row] : behind_; }
  __device__ std::uint32_t place_of(Offset end) const {
    Offset const from = end > begin_ ? end : begin_, here = from < behind_ ? from : behind_;
    return static_cast<std::uint32_t>(here - begin_);
  }

  /// So many items stand between the last unit of owners that begins not behind the share, and the share.
  __device__ std::uint32_t items_off() const {
    if constexpr (is_contiguous)
      return static_cast<std::uint32_t>((reinterpret_cast<std::uintptr_t>(&owners_[item_]) / sizeof(Owner)) % 4);
    else
      return 0;
  }

  /// Leaves the seeds of rows that begin among so many items. Of the rows a window is in registers, one to a lane and
  /// turn, and the one behind it is on its way.
  __device__ void put_seeds(std::uint32_t begin, std::uint32_t count, std::uint32_t off) {
    for (;;) {
      std::uint32_t before = before_window_;
#pragma unroll
      for (int k = 0; k < Shape::window; ++k) {
        std::uint32_t const previous = __shfl_sync(all_lanes, place_[k], (lane() + warp_size - 1) % warp_size);
        std::uint32_t const place    = lane() == 0 ? before : previous;
        before                       = previous;
        if (place < place_[k] && place - begin < count)
          seeds_.store(static_cast<int>(place - begin + off), window_ + row_of(k));
      }
      std::uint32_t const last = __shfl_sync(all_lanes, place_[Shape::window - 1], warp_size - 1);
      if (last - begin >= count || window_ + at_once >= rows_) return;
      before_window_ = last;
      window_ += at_once;
#pragma unroll
      for (int k = 0; k < Shape::window; ++k) {
        place_[k] = place_of(next_[k]);
        next_[k]  = end_of(window_ + at_once + row_of(k));
      }
    }
  }

  /// Calls store(k, the owners of the items k, k + 1, k + 2 and k + 3) for all of a chunk, and takes the seeds away.
  template <class Store>
  __device__ void for_each_four(Store const& store) {
    auto const fours = seeds_.template from<Four>(0);
#pragma unroll 1
    for (int turn = 0; turn < groups; turn += Shape::groups_at_once) {
      Four seeds[Shape::groups_at_once];
#pragma unroll
      for (int j = 0; j < Shape::groups_at_once; ++j) seeds[j] = fours.load((turn + j) * warp_size + lane());
#pragma unroll
      for (int j = 0; j < Shape::groups_at_once; ++j) fours.store((turn + j) * warp_size + lane(), Four{});
#pragma unroll
      for (int j = 0; j < Shape::groups_at_once; ++j) {
        std::uint32_t(&own)[4]        = seeds[j].of;
        std::uint32_t const last      = own[3] ? own[3] : own[2] ? own[2] : own[1] ? own[1] : own[0];
        std::uint32_t const with      = __ballot_sync(all_lanes, last != 0);
        std::uint32_t const before    = with & ((std::uint32_t{1} << lane()) - 1);
        std::uint32_t const of_before = __shfl_sync(all_lanes, last, last_of(before));
        std::uint32_t const of_all    = __shfl_sync(all_lanes, last, last_of(with));
        std::uint32_t row             = before ? of_before : row_before_;
        row_before_                   = with ? of_all : row_before_;
        Owner four[4];
#pragma unroll
        for (int i = 0; i < 4; ++i) {
          row     = own[i] ? own[i] : row;
          four[i] = static_cast<Owner>(static_cast<Owner>(row_) + static_cast<Owner>(row));
        }
        store(4 * (turn + j) * warp_size, four);
      }
    }
  }
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
  Offset begin_, behind_;
  std::uint32_t place_[Shape::window];  // where the rows of the window end
  Offset next_[Shape::window];          // and those behind it, as they stand in memory
  std::uint32_t window_        = 0;     // its first row
  std::uint32_t before_window_ = 0;     // where that begins
  std::uint32_t row_before_    = 0;     // the chunk
};

template <class Shape, class Offsets, class Owners>
__global__ void __launch_bounds__(Shape::warps* warp_size, Shape::blocks_per_sm)
    owners_kernel(core::Rows<Offsets> const rows, Owners const owners) {
  begin_behind_previous_grid();
  core::RowOrder<Offsets> const order = rows.in_order();
  std::size_t const size = order.size(), warps = static_cast<std::size_t>(gridDim.x) * Shape::warps;
  std::size_t const each = (size + warps - 1) / warps;
  std::size_t const begin =
      each * (static_cast<std::size_t>(blockIdx.x) * Shape::warps + static_cast<std::size_t>(warp()));
  if (begin >= size) return;
  std::size_t const end = size - begin < each ? size : begin + each;
  Search<core::RowOrder<Offsets>> first(order, begin), last(order, end);
  while (first.goes_on() || last.goes_on()) {
    bool const of_first = first.ends_before(order), of_last = last.ends_before(order);  // both on their way at once
    first.narrow(__ballot_sync(all_lanes, of_first));
    last.narrow(__ballot_sync(all_lanes, of_last));
  }
  std::size_t const item = order.first + (begin - first.row), behind = order.first + (end - last.row);
  if (item < behind) Share<Shape, Offsets, Owners>(order, owners, first.row, item, behind).put_owners();
}

/// Enqueues it.
template <class Shape = OwnersShape, class Offsets, class Owners>
void put_owners(Stream stream, core::Rows<Offsets> const& rows, Owners const& owners, Device const& device) {
  constexpr std::size_t seeds = std::size_t{Shape::warps} * Shape::items * sizeof(std::uint32_t);
  launch(stream,
         Grid{static_cast<unsigned>(device.multiprocessors * Shape::blocks_per_sm), Shape::warps * warp_size, seeds},
         owners_kernel<Shape, Offsets, Owners>, rows, owners);
}

}  // namespace KokkosScan::cuda::rows
