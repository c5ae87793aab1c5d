// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cstring>

#include "../src/core/by_key.hpp"
#include "tile.hpp"

// What the lanes of a warp do together, for values of any size.
namespace KokkosScan::cuda {

inline constexpr int warp_size      = 32;
inline constexpr unsigned all_lanes = 0xffffffffU;

__device__ inline int lane() { return static_cast<int>(threadIdx.x) % warp_size; }
__device__ inline int warp() { return static_cast<int>(threadIdx.x) / warp_size; }

/// What all lanes of a warp hold alike, asked of the first of them, so that the compiler knows it: that no test of it
/// divides the warp, and that it need not see to that before each shuffle, which takes registers and instructions
/// (uniform-warps.md). All lanes call it.
__device__ inline int alike(int of_all) { return __shfl_sync(all_lanes, of_all, 0); }
__device__ inline int whole_warp() { return alike(warp()); }

/// That of a warp which scans values; of bytes, whose parts have many tests, the code is better, and spills less, where
/// the compiler does not know. All lanes call it.
template <class Value>
__device__ int scanning_warp() {
  if constexpr (sizeof(Value) > 1)
    return whole_warp();
  else
    return warp();
}

/// A value as the 32-bit words that a shuffle moves.
template <class Value>
struct Words {
  static constexpr int count = (static_cast<int>(sizeof(Value)) + 3) / 4;
  std::uint32_t word[count];

  __device__ explicit Words(Uninitialized<Value> const& value) : word{} {
    memcpy(word, static_cast<void const*>(&value), sizeof(Value));
  }
  __device__ void put(Uninitialized<Value>& value) const { memcpy(static_cast<void*>(&value), word, sizeof(Value)); }
};

/// What the lane `delta` before it holds. All lanes call it; what has no such lane keeps its own.
template <class Value>
__device__ Uninitialized<Value> shuffle_up(Uninitialized<Value> const& own, int delta) {
  Words<Value> words(own);
#pragma unroll
  for (int w = 0; w < words.count; ++w)
    words.word[w] = __shfl_up_sync(all_lanes, words.word[w], static_cast<unsigned>(delta));
  Uninitialized<Value> result;
  words.put(result);
  return result;
}

/// What that lane holds. All lanes call it.
template <class Value>
__device__ Uninitialized<Value> shuffle(Uninitialized<Value> const& own, int source) {
  Words<Value> words(own);
#pragma unroll
  for (int w = 0; w < words.count; ++w) words.word[w] = __shfl_sync(all_lanes, words.word[w], source);
  Uninitialized<Value> result;
  words.put(result);
  return result;
}

/// In each of the first n lanes the values of all lanes up to it, combined; n is at most `most`.
template <int most = warp_size, class Value, class Combine>
__device__ Uninitialized<Value> scan_warp(Uninitialized<Value> own, int n, Combine const& combine) {
#pragma unroll
  for (int delta = 1; delta < most; delta *= 2) {
    Uninitialized<Value> const before = shuffle_up(own, delta);
    if (lane() >= delta && lane() < n) own.put(combine(before.value, own.value));
  }
  return own;
}

/// The same. Where runs begin their lanes tell each other at once, so that values alone are moved, which are combined
/// if no run begins in between (segments.md).
template <class T, class Combine>
__device__ Uninitialized<core::Keyed<T>> scan_runs(Uninitialized<core::Keyed<T>> own, int n, Combine const& combine) {
  unsigned const up_to_it = all_lanes >> (warp_size - 1 - lane());
  unsigned const begins   = __ballot_sync(all_lanes, static_cast<int>(lane() < n && own.value.begins_run()));
  int const first         = warp_size - 1 - __clz(static_cast<int>(begins & up_to_it));  // of the lane's run; or -1
  Uninitialized<T> value;
  if (lane() < n) value.put(own.value.value());
#pragma unroll
  for (int delta = 1; delta < warp_size; delta *= 2) {
    Uninitialized<T> const before = shuffle_up(value, delta);
    if (lane() >= delta && lane() - delta >= first && lane() < n)
      value.put(combine(core::Keyed<T>(before.value, false), core::Keyed<T>(value.value, false)).value());
  }
  if (lane() < n) own.put(core::Keyed<T>(value.value, first >= 0));
  return own;
}
template <class Value, class Combine>
__device__ Uninitialized<Value> scan_runs(Uninitialized<Value> const& own, int n, Combine const& combine) {
  return scan_warp(own, n, combine);
}

}  // namespace KokkosScan::cuda
