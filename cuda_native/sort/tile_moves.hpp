// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "merge_shape.hpp"

// Between global memory and the tile of a block: neighbouring threads move neighbouring elements.
namespace KokkosScan::cuda::merge {

/// Elements of an array, read and written as they are aligned.
template <class T>
struct AsAligned {
  T* data;
  __device__ Slot<T> load(std::size_t i) const { return {data[i]}; }
  __device__ void store(std::size_t i, Slot<T> const& slot) const { core::put(data[i], slot.value); }
};
/// As the slots that they are in memory, too.
template <class T>
struct AsSlots {
  T* data;
  __device__ Slot<T> load(std::size_t i) const { return reinterpret_cast<Slot<T> const*>(data)[i]; }
  __device__ void store(std::size_t i, Slot<T> const& slot) const {
    core::put(reinterpret_cast<Slot<T>*>(data)[i], slot);
  }
};

/// Calls f with the widest access that an array allows.
template <class T, class F>
__device__ void with_widest(T* data, F const& f) {
  if constexpr (alignof(Slot<T>) > alignof(T)) {
    if (reinterpret_cast<std::uintptr_t>(data) % alignof(Slot<T>) != 0) return f(AsAligned<T>{data});
  }
  f(AsSlots<T>{data});
}

/// f(i, at) for each of the calling thread's elements of a tile of n, which are not those of its items.
template <class S, class F>
__device__ void for_each_moved(int n, F const& f) {
#pragma unroll
  for (int i = 0; i < S::items; ++i)
    if (int const at = i * S::threads + static_cast<int>(threadIdx.x); at < n) f(i, at);
}

/// Takes n elements into a tile, all of a thread's being under way at once: the one that comes to `at` is
/// from[place(at)].
template <class S, class T, class Place>
__device__ void fetch(T* from, int n, Place const& place, Shared<Slot<T>> const& to) {
  with_widest(from, [&](auto const& elements) {
    Uninitialized<Slot<T>> item[S::items];
    for_each_moved<S>(n, [&](int i, int at) { item[i].put(elements.load(place(at))); });
    for_each_moved<S>(n, [&](int i, int at) { to.store(at, item[i].value); });
  });
}

/// Takes n elements to `to`: the one that comes to its element `at` is at place(at) in a tile.
template <class S, class T, class Place>
__device__ void store(Shared<Slot<T>> const& from, int n, Place const& place, T* to) {
  with_widest(to, [&](auto const& elements) {
    for_each_moved<S>(n, [&](int, int at) { elements.store(static_cast<std::size_t>(at), from.load(place(at))); });
  });
}

/// Takes n elements from one array to the other as they are.
template <class S, class T>
__device__ void copy(T* from, int n, T* to) {
  with_widest(from, [&](auto const& elements) {
    Uninitialized<Slot<T>> item[S::items];
    for_each_moved<S>(n, [&](int i, int at) { item[i].put(elements.load(static_cast<std::size_t>(at))); });
    with_widest(to, [&](auto const& results) {
      for_each_moved<S>(n, [&](int i, int at) { results.store(static_cast<std::size_t>(at), item[i].value); });
    });
  });
}

}  // namespace KokkosScan::cuda::merge
