// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "neighbours.hpp"

// The row groups of a tile of columns: each thread has some columns of one.
namespace KokkosScan::cuda::columns {

/// Where a thread is in its tile. Threads with the same lane have the same columns.
struct Place {
  int lanes, lane, group;

  __device__ explicit Place(int lanes_)
      : lanes(lanes_), lane(static_cast<int>(threadIdx.x) % lanes_), group(static_cast<int>(threadIdx.x) / lanes_) {}
};

/// Values of a thread's columns, in shared memory for a while, in two halves.
template <int threads, int columns, class Value>
class Exchange {
 public:
  static constexpr int bytes = 2 * threads * columns * static_cast<int>(sizeof(Value));

  __device__ explicit Exchange(Shared<Value> values) : half_(values), other_(values.from(threads * columns)) {}

  /// In the threads of the first `groups` groups: a value of each column combined with those of all groups before. All
  /// threads of the block call it, the same number of times. Kogge and Stone's network: one barrier a step.
  template <class Own, class Combine>
  __device__ void scan(Place const& place, Own const& own, int groups, Neighbours<Value, columns>& values,
                       Combine const& combine) {
    bool const is_in = place.group < groups;
    put(half_, own, is_in, values);
    __syncthreads();
    for (int delta = 1; delta < groups; delta *= 2) {
#pragma unroll
      for (int v = 0; v < columns; ++v)
        if (is_in && own.has(v) && place.group >= delta)
          values.put(v, combine(get(place, v, place.group - delta), values.get(v)));
      put(other_, own, is_in, values);
      __syncthreads();
      Shared<Value> const newer = other_;
      other_                    = half_;
      half_                     = newer;
    }
  }
  /// What scan() left for a group, for one more column of the calling thread.
  __device__ Value get(Place const& place, int v, int group) const {
    return half_.load(v * threads + group * place.lanes + place.lane);
  }

 private:
  template <class Own>
  __device__ static void put(Shared<Value> const& to, Own const& own, bool is_in,
                             Neighbours<Value, columns> const& values) {
#pragma unroll
    for (int v = 0; v < columns; ++v)
      if (is_in && own.has(v)) to.store(v * threads + static_cast<int>(threadIdx.x), values.get(v));
  }

  Shared<Value> half_, other_;
};

}  // namespace KokkosScan::cuda::columns
