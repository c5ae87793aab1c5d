// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <new>

#include "../../src/core/row_reduction.hpp"
#include "../scan.hpp"
#include "../tuning.hpp"
#include "part.hpp"

//  Reduction of ragged rows: each warp has a share of the rows and items, and no barrier but its own
//  paper       Green, McColl, Bader 2012; Merrill, Garland 2016 (where shares begin: src/core/rows.hpp)
//  launches    2, the second a scan of what shares leave, a value to each; 1 if there is one share
//  bytes       those of the items and offsets once, and of the totals
//  operations  those of the items, and 32 for each chunk
//  steps       those of a share, rows and items by lanes, and a search for both of its ends
//  progress    none, but the scan's
//
// How long shares are follows from how many rows and items there are, and how many there may be: it is part of the bits
// of a float result.
namespace KokkosScan::cuda::rows {

/// Each lane has so many neighbouring items of a chunk: an odd number, so that neighbouring lanes meet different banks.
template <class Value>
struct ReduceShape {
  static constexpr int warps               = reduced_rows_warps;
  static constexpr int blocks_per_sm       = reduced_rows_blocks_per_sm(sizeof(Value));
  static constexpr int items               = reduced_rows_items(sizeof(Value));
  static constexpr int window              = reduced_rows_window;
  static constexpr std::size_t few_shares  = reduced_rows_few_shares;
  static constexpr std::size_t most_shares = reduced_rows_most_shares;
};
template <class Shape>
inline constexpr int chunk_of = Shape::items * warp_size;

/// How many shares there are at most, if there are so many items and any number of rows.
template <class Shape>
std::size_t most_shares(std::size_t items) {
  return std::min(Shape::few_shares + items / chunk_of<Shape>, Shape::most_shares);
}
/// Of so many rows and items a share has so many: no fewer than a chunk has items, and so that there are no more shares
/// than `most`.
KOKKOSSCAN_FUNCTION inline std::size_t size_of_share(std::size_t size, std::size_t most, int chunk) {
  std::size_t const each = (size + most - 1) / most;
  return each > static_cast<std::size_t>(chunk) ? each : static_cast<std::size_t>(chunk);
}
/// Enough, also if there are fewer items than there may be.
template <class Shape, class Reduction>
std::size_t shares(Reduction const& reduction) {
  std::size_t const size   = reduction.rows.rows + reduction.rows.most;
  std::size_t const chunks = (size + chunk_of<Shape> - 1) / chunk_of<Shape>;
  return std::min(chunks, most_shares<Shape>(reduction.rows.most));
}

/// The share of a warp, a chunk of items at a time, of which each lane has some neighbours. A bit marks with which
/// items rows begin; and at the last item of a row all of its items give way to what they combine to, which whoever has
/// the row finds there. Rows and items are counted from the first ones of the share.
template <class Shape, class Reduction>
class ReducedShare {
  using Value   = typename Reduction::Value;
  using Ends    = core::RowEnds<Value>;
  using From    = typename Reduction::From;
  using Offsets = typename Reduction::Offsets;
  using Offset  = core::ElementOf<Offsets>;

  static constexpr int chunk        = chunk_of<Shape>;
  static constexpr int values_bytes = (chunk * static_cast<int>(sizeof(Value)) + 15) / 16 * 16;
  static_assert(Shape::items <= 32, "the marks of a lane are in one word");

 public:
  static constexpr int shared_bytes = values_bytes + 4 * warp_size;

  template <class Order>
  __device__ ReducedShare(Reduction const& reduction, Order const& order, Part const& part)
      : reduction_(reduction),
        values_(shared_memory<Value>(whole_warp() * shared_bytes)),
        marks_(shared_memory<std::uint32_t>(whole_warp() * shared_bytes + values_bytes)),
        from_(reduction.from),
        offsets_(order.offsets),
        first_row_(part.row),
        first_item_(part.item),
        rows_(narrow(part.ended)),
        items_(narrow(part.items)),
        began_before_((part.row > 0 ? order.end_of(part.row - 1) : order.first) < part.item),
        goes_on_(began_before_) {
    from_.skip(part.item);
    offsets_.skip(part.row + 1);
    ask_for_ends();
    marks_.store(lane(), 0);
  }

  /// Puts the totals of rows that begin and end in it, and leaves what it knows of the others.
  __device__ void reduce(Ends& ends) {
    if (lane() == 0) ::new (static_cast<void*>(&ends)) Ends{{reduction_.nothing(), true}, {}, false, 0};
    __syncwarp();
    // The first chunk is so much shorter that the others begin where a line of memory does, if the array does.
    int most = chunk - static_cast<int>(first_item_ % warp_size);
    while (item_ < items_ || row_ < rows_) {
      take_chunk(most, ends);
      most = chunk;
    }
    if (lane() == 0 && goes_on_ && has_running_) ends.last = {running_.value, !(began_before_ && rows_ == 0)};
  }

 private:
  /// A share is never as long, but offsets that descend could say so.
  __device__ static int narrow(std::size_t count) {
    constexpr int most = 0x7ffffffe;
    return count < static_cast<std::size_t>(most) ? static_cast<int>(count) : most;
  }

  /// Reads where the next rows end, of which all lanes have neighbours.
  __device__ void ask_for_ends() {
#pragma unroll
    for (int k = 0; k < Shape::window; ++k) {
      int const row = row_ + k * warp_size + lane();
      offset_[k]    = row < rows_ ? Offset{offsets_[static_cast<std::size_t>(row)]} : Offset{};
    }
  }
  /// Where the next rows end, as items of the share: behind all for those that are behind it, and for no others.
  __device__ void take_ends() {
#pragma unroll
    for (int k = 0; k < Shape::window; ++k) {
      int const row = row_ + k * warp_size + lane();
      int end       = items_;
      if constexpr (sizeof(Offset) <= sizeof(std::uint32_t)) {
        std::uint32_t const place = static_cast<std::uint32_t>(offset_[k]) - static_cast<std::uint32_t>(first_item_);
        if (place < static_cast<std::uint32_t>(items_)) end = static_cast<int>(place);
      } else {
        std::size_t const place = static_cast<std::size_t>(offset_[k]) - first_item_;
        if (place < static_cast<std::size_t>(items_)) end = static_cast<int>(place);
      }
      end_[k] = row < rows_ ? end : items_ + 1;
    }
  }
  /// f(k, begin, end) for the rows of a window that begin in a chunk of n items, or before it: row k of each lane, and
  /// where in the chunk it begins and ends. -1 is before the chunk. For all rows, if it has none.
  template <class F>
  __device__ void for_each_row(int n, F const& f) const {
    int before = goes_on_ ? -1 : 0;
#pragma unroll
    for (int k = 0; k < Shape::window; ++k)
      if (before <= n || n == 0) {  // all lanes or none
        int const end = end_[k] - item_, previous = __shfl_up_sync(all_lanes, end, 1);
        f(k, lane() == 0 ? before : previous, end);
        before = __shfl_sync(all_lanes, end, warp_size - 1);
      }
  }

  /// A chunk ends, at the latest, with the last row of which it is known where it ends.
  __device__ void take_chunk(int most, Ends& ends) {
    take_ends();
    int const known = __shfl_sync(all_lanes, end_[Shape::window - 1], warp_size - 1) - item_, rest = items_ - item_;
    int const ready = known < rest ? known : rest;  // less than none, if offsets descend
    int const n     = ready < 0 ? 0 : ready < most ? ready : most;

    Uninitialized<Value> own[Shape::items];
    if (n == chunk)
      load<true>(own, n);
    else if (n > 0)
      load<false>(own, n);

    int passed   = 0;
    bool goes_on = goes_on_ || n > 0;
    for_each_row(n, [&](int, int begin, int end) {
      if (begin >= 0 && begin < n && begin < end) mark(begin);
      passed += __popc(__ballot_sync(all_lanes, end <= n));
      goes_on = goes_on && !__any_sync(all_lanes, end == n);
    });
    if (lane() == 0 && n > 0 && n < chunk) mark(n);
    int const row = row_;
    row_ += passed;
    if (passed > 0) ask_for_ends();

    if (n > 0) {
#pragma unroll
      for (int k = 0; k < Shape::items; ++k) values_.store(k * warp_size + lane(), own[k].value);
      __syncwarp();
      combine_items();
      __syncwarp();
    }
    for_each_row(n, [&](int k, int begin, int end) {
      if (end <= n) put_row(row + k * warp_size + lane(), begin, end, ends);
    });
    if (n > 0) {
      running_.put(values_.load(n - 1));
      has_running_ = true;
    }
    goes_on_ = goes_on;
    item_ += n;
    __syncwarp();
  }

  /// In place of items behind the chunk, which nobody asks for, the last one of it.
  template <bool full>
  __device__ void load(Uninitialized<Value> (&own)[Shape::items], int n) const {
#pragma unroll
    for (int k = 0; k < Shape::items; ++k) {
      int const i = k * warp_size + lane();
      own[k].put(static_cast<Value>(from_[static_cast<std::size_t>(item_ + (full || i < n ? i : n - 1))]));
    }
  }

  __device__ void mark(int i) const {
    int const of_lane = i / Shape::items;
    marks_.fetch_or(of_lane, std::uint32_t{1} << (i - of_lane * Shape::items));
  }

  /// Leaves what items combine to, from where their row begins, at the last one of each row and of each lane.
  __device__ void combine_items() const {
    auto const combine        = [&](Value const& left, Value const& right) { return reduction_.combine(left, right); };
    int const begin           = lane() * Shape::items;
    std::uint32_t const marks = marks_.load(lane());
    if (marks != 0) marks_.store(lane(), 0);

    Uninitialized<Value> own;
    own.put(values_.load(begin));
    if (lane() == 0 && goes_on_ && has_running_) own.put(combine(running_.value, own.value));
#pragma unroll
    for (int j = 1; j < Shape::items; ++j) {
      Value const value = values_.load(begin + j);
      bool const begins = (marks >> j & 1U) != 0;
      if (begins) values_.store(begin + j - 1, own.value);
      own.put(begins ? value : combine(own.value, value));
    }

    // A lane in which a row begins is the first that those behind it look at.
    std::uint32_t const begins = __ballot_sync(all_lanes, marks != 0) & (all_lanes >> (warp_size - 1 - lane()));
    int const first_lane       = begins != 0 ? warp_size - 1 - __clz(static_cast<int>(begins)) : 0;
#pragma unroll
    for (int delta = 1; delta < warp_size; delta *= 2) {
      Uninitialized<Value> const before = shuffle_up(own, delta);
      if (lane() - delta >= first_lane) own.put(combine(before.value, own.value));
    }
    Uninitialized<Value> const before = shuffle_up(own, 1);
    int const last = begin + __ffs(static_cast<int>(marks)) - 2;  // of a row that begins before the lane and ends in it
    if (last >= begin && lane() > 0) values_.store(last, combine(before.value, values_.load(last)));
    values_.store(begin + Shape::items - 1, own.value);
  }

  __device__ void put_row(int row, int begin, int end, Ends& ends) const {
    std::size_t const of_all = first_row_ + static_cast<std::size_t>(row);
    if (row == 0 && began_before_) {
      ends.ends = true;
      ends.row  = of_all;
      if (end > 0) ends.first.put(values_.load(end - 1));
    } else if (end > begin && end > 0) {
      reduction_.put_total(of_all, values_.load(end - 1));
    } else {
      reduction_.put_empty(of_all);
    }
  }

  Reduction const& reduction_;
  Shared<Value> values_;
  Shared<std::uint32_t> marks_;
  From from_;
  Offsets offsets_;  // behind the rows
  std::size_t first_row_, first_item_;
  int rows_, items_;              // rows that end in the share
  int row_ = 0, item_ = 0;        // of the chunk
  Offset offset_[Shape::window];  // behind its rows, as they stand in memory
  int end_[Shape::window];        // and as items
  bool const began_before_;       // the share, its first row did
  bool goes_on_;                  // in the chunk, a row that began before it
  bool has_running_ = false;
  Uninitialized<Value> running_;  // of the row that goes on behind the chunk, what the share has of it
};

template <class Shape, class Reduction>
__global__ void __launch_bounds__(Shape::warps* warp_size, Shape::blocks_per_sm)
    reduce_kernel(Reduction const reduction, core::RowEnds<typename Reduction::Value>* const ends,
                  std::size_t const shares, std::size_t const most) {
  begin_behind_previous_grid();
  auto const order = reduction.rows.in_order();
  std::size_t const share =
      static_cast<std::size_t>(blockIdx.x) * Shape::warps + static_cast<std::size_t>(whole_warp());
  if (share >= shares) return;
  std::size_t const size = order.size(), each = rows::size_of_share(size, most, chunk_of<Shape>);
  std::size_t const begin = share * each < size ? share * each : size;
  Part const part(order, begin, size - begin < each ? size : begin + each);
  ReducedShare<Shape, Reduction>(reduction, order, part).reduce(ends[share]);
}

/// Where in the scratch stands what shares leave: behind what their scan needs.
template <class Value, class Choice>
std::size_t begin_of_ends(Choice const& choice, std::size_t shares) {
  return core::round_up(cuda::needs<core::Keyed<Value>>(choice, shares).scratch, 128);
}
/// For reductions of so many items, whatever the number of rows.
template <class Value, class Shape = ReduceShape<Value>, class Choice>
Needs needs_of_reductions(Choice const& choice, std::size_t items) {
  std::size_t const shares = most_shares<Shape>(items);
  Needs needs              = cuda::needs<core::Keyed<Value>>(choice, shares);
  needs.scratch            = begin_of_ends<Value>(choice, shares) + shares * sizeof(core::RowEnds<Value>);
  return needs;
}

/// Enqueues it.
template <class Given = void, class Choice, class Reduction>
void reduce(Stream stream, Choice const& choice, Reduction const& reduction, Memory const& memory) {
  using Value              = typename Reduction::Value;
  using Shape              = std::conditional_t<std::is_void_v<Given>, ReduceShape<Value>, Given>;
  std::size_t const shares = rows::shares<Shape>(reduction);
  auto* const scratch      = static_cast<std::byte*>(memory.scratch);
  auto* const ends         = reinterpret_cast<core::RowEnds<Value>*>(scratch + begin_of_ends<Value>(choice, shares));
  auto const scan          = core::scan_of_row_ends(reduction, ends, shares);
  auto const plan          = cuda::plan(choice, scan, current_device);  // or it throws, before anything is written
  launch(stream,
         Grid{static_cast<unsigned>((shares + Shape::warps - 1) / Shape::warps), Shape::warps * warp_size,
              std::size_t{Shape::warps} * ReducedShare<Shape, Reduction>::shared_bytes},
         reduce_kernel<Shape, Reduction>, reduction, ends, shares, most_shares<Shape>(reduction.rows.most));
  if (shares > 1) cuda::run(stream, choice, plan, scan, memory);
}

}  // namespace KokkosScan::cuda::rows
