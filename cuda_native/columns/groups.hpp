// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../warp.hpp"
#include "neighbours.hpp"

// The row groups of a tile of columns: each thread has some columns of one.
namespace KokkosScan::cuda::columns {

/// Where a thread is in its tile. Threads with the same lane have the same columns.
struct Place {
  int lanes, lane, group;

  __device__ explicit Place(int lanes_)
      : lanes(lanes_), lane(static_cast<int>(threadIdx.x) % lanes_), group(static_cast<int>(threadIdx.x) / lanes_) {}
};

/// Combines what comes before with values of the same columns, in its place; `any`: whether anything does.
template <class Values, class Own, class Combine>
__device__ void put_behind(Values& running, bool any, Own const& own, Values const& values, Combine const& combine) {
#pragma unroll
  for (int v = 0; v < Values::count; ++v)
    if (own.has(v)) running.put(v, any ? combine(running.get(v), values.get(v)) : values.get(v));
}
/// In the place of the values.
template <class Values, class Own, class Combine>
__device__ void put_before(Values& values, Own const& own, Values const& before, Combine const& combine) {
#pragma unroll
  for (int v = 0; v < Values::count; ++v)
    if (own.has(v)) values.put(v, combine(before.get(v), values.get(v)));
}

/// How the row groups of a tile learn of each other: by shuffles within a warp, if that has all columns, and of the
/// other warps by their totals, in shared memory. If it has not, each group is a part of its own, as a warp is else.
template <int threads, int columns, class Value>
class Exchange {
  static constexpr int warps = threads / warp_size;
  using Values               = Neighbours<Value, columns>;

 public:
  static constexpr int bytes = 2 * threads * static_cast<int>(sizeof(Values));

  __device__ explicit Exchange(int first_byte) : totals_(shared_memory<Values>(first_byte)) {}

  /// Values of the threads of the first `groups` groups, one of each of their columns: become what those of all groups
  /// before combine to; of the first group nothing. Returns what all of them combine to. All threads of the block call
  /// it. Kogge and Stone's network within a warp, a step for each power of two.
  template <class Own, class Combine>
  __device__ Values scan(Place const& place, Own const& own, int groups, Values& values, Combine const& combine) {
    for (int delta = place.lanes; delta < warp_size; delta *= 2) {
      Values const before = from_before(values, delta);
      if (place.group < groups && lane() >= delta) put_before(values, own, before, combine);
    }
    if (place.group < groups && (lane() + place.lanes >= warp_size || place.group + 1 == groups))
      totals_.store(at(part_of(place, place.group), place), values);
    if (place.lanes < warp_size) values = from_before(values, place.lanes);
    __syncthreads();

    int const own_part = part_of(place, place.group), last = part_of(place, groups - 1);
    Values total = totals_.load(at(0, place)), of_warps_before;
#pragma unroll
    for (int w = 1; w < warps; ++w) {
      if (w == own_part) of_warps_before = total;
      if (w <= last) put_behind(total, true, own, totals_.load(at(w, place)), combine);
    }
    if (own_part > 0 && place.group < groups) {
      if (lane() >= place.lanes)
        put_before(values, own, of_warps_before, combine);
      else
        values = of_warps_before;
    }
    half_ = 1 - half_;
    return total;
  }

 private:
  __device__ static int part_of(Place const& place, int group) {
    return place.lanes > warp_size ? group : (group * place.lanes + place.lane) / warp_size;
  }
  __device__ int at(int part, Place const& place) const {
    return half_ * threads + part * (place.lanes > warp_size ? place.lanes : warp_size) + place.lane;
  }
  __device__ static Values from_before(Values const& values, int delta) {
    Uninitialized<Values> own;
    own.put(values);
    return shuffle_up(own, delta).value;
  }

  Shared<Values> totals_;
  int half_ = 0;  // of the memory: in the other one, what the scan before has left may still be read
};

}  // namespace KokkosScan::cuda::columns
