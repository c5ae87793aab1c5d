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

/// Values of the threads' columns, in shared memory for a while: a part holds one for each. Three are enough for a
/// second scan while the results of the first are read.
template <int threads, int columns, class Value>
class Exchange {
 public:
  static constexpr int bytes = 3 * threads * columns * static_cast<int>(sizeof(Value));

  __device__ explicit Exchange(Shared<Value> values) : values_(values) {}

  /// In the threads of the first `groups` groups: a value of each column combined with those of all groups before. All
  /// threads of the block call it. The results are left in one of the two parts, whose number it returns; nobody reads
  /// the other. Kogge and Stone's network: one barrier a step.
  template <class Own, class Combine>
  __device__ int scan(int part, int other, Place const& place, Own const& own, int groups,
                      Neighbours<Value, columns>& values, Combine const& combine) const {
    bool const is_in = place.group < groups;
    put(part, own, is_in, values);
    __syncthreads();
    for (int delta = 1; delta < groups; delta *= 2) {
#pragma unroll
      for (int v = 0; v < columns; ++v)
        if (is_in && own.has(v) && place.group >= delta)
          values.put(v, combine(get(part, place, v, place.group - delta), values.get(v)));
      put(other, own, is_in, values);
      __syncthreads();
      int const newer = other;
      other           = part;
      part            = newer;
    }
    return part;
  }
  /// What a part holds for a group, of one more column of the calling thread.
  __device__ Value get(int part, Place const& place, int v, int group) const {
    return values_.load((part * columns + v) * threads + group * place.lanes + place.lane);
  }
  /// Combines `running` with what a part holds of the groups before one. `any`: whether it holds anything.
  template <class Own, class Combine>
  __device__ void advance(int part, Place const& place, Own const& own, int group, bool any,
                          Neighbours<Value, columns>& running, Combine const& combine) const {
#pragma unroll
    for (int v = 0; v < columns; ++v)
      if (own.has(v)) {
        Value const before = get(part, place, v, group - 1);
        running.put(v, any ? combine(running.get(v), before) : before);
      }
  }

 private:
  template <class Own>
  __device__ void put(int part, Own const& own, bool is_in, Neighbours<Value, columns> const& values) const {
#pragma unroll
    for (int v = 0; v < columns; ++v)
      if (is_in && own.has(v))
        values_.store((part * columns + v) * threads + static_cast<int>(threadIdx.x), values.get(v));
  }

  Shared<Value> values_;
};

}  // namespace KokkosScan::cuda::columns
