// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "merge_shape.hpp"

// Between global memory and the tile of a block: neighbouring threads move neighbouring elements.
namespace KokkosScan::cuda::merge {

/// Elements of an array, read and written as they are aligned.
template <class T>
struct AsAligned {
  T* data;
  __device__ Slot<T> load(int i) const { return {data[i]}; }
  __device__ void store(int i, Slot<T> const& slot) const { core::put(data[i], slot.value); }
};
/// As the slots that they are in memory, too.
template <class T>
struct AsSlots {
  T* data;
  __device__ Slot<T> load(int i) const { return reinterpret_cast<Slot<T> const*>(data)[i]; }
  __device__ void store(int i, Slot<T> const& slot) const { core::put(reinterpret_cast<Slot<T>*>(data)[i], slot); }
};

/// Calls f with the widest access to `data` that this array and another one allow.
template <class T, class F>
__device__ void with_widest(T* data, T const* other, F const& f) {
  if constexpr (alignof(Slot<T>) > alignof(T)) {
    auto const addresses = reinterpret_cast<std::uintptr_t>(data) | reinterpret_cast<std::uintptr_t>(other);
    if (addresses % alignof(Slot<T>) != 0) return f(AsAligned<T>{data});
  }
  f(AsSlots<T>{data});
}

/// f(i, behind) for each of the calling thread's elements of a tile of n, which are not those of its items, from
/// `first` on: they are so far behind the one whose place is its thread index.
template <class S, int first = 0, int end = S::items, class F>
__device__ void for_each_moved(int n, F const& f) {
  if (n == S::tile) {
#pragma unroll
    for (int i = first; i < end; ++i) f(i - first, i * S::threads);
  } else {
#pragma unroll
    for (int i = first; i < end; ++i)
      if (static_cast<int>(threadIdx.x) < n - i * S::threads) f(i - first, i * S::threads);
  }
}

/// Two pieces, one behind the other: the element at `at` is first[at] or second[at].
template <class T>
struct Pieces {
  T *first, *second;
  int of_first;
};

/// So many of a thread's elements are under way into a tile at once.
template <class S, class T>
inline constexpr int moved_at_once = [] {
  constexpr int registers = S::items * static_cast<int>(registers_of<T>);
  constexpr int times     = (registers + merge_registers_under_way - 1) / merge_registers_under_way;
  return (S::items + times - 1) / times;
}();

struct AsItIs {
  template <class T>
  __device__ T const& operator()(T const& slot) const {
    return slot;
  }
};

/// Takes n elements of two pieces into a tile, each as what enter(slot) makes of it.
template <class S, int begin = 0, class T, class Enter = AsItIs>
__device__ void fetch(Pieces<T> const& from, int n, Shared<Slot<T>> const& tile, Enter const& enter = {}) {
  constexpr int end = begin + moved_at_once<S, T> < S::items ? begin + moved_at_once<S, T> : S::items;
  int const thread  = static_cast<int>(threadIdx.x);
  auto const to     = tile.from(thread);
  with_widest(from.first + thread, from.second + thread, [&]<class Access>(Access const& first) {
    Access const second{from.second + thread};
    Uninitialized<Slot<T>> item[end - begin];
    for_each_moved<S, begin, end>(n, [&](int i, int behind) {
      item[i].put(Access{behind < from.of_first - thread ? first.data : second.data}.load(behind));
    });
    for_each_moved<S, begin, end>(n, [&](int i, int behind) { to.store(behind, enter(item[i].value)); });
  });
  if constexpr (end < S::items) fetch<S, end>(from, n, tile, enter);
}

/// Takes n elements to `to`: the one that comes to its element `at` is what leave(slot) makes of
/// the one at place(at) in a tile.
template <class S, class T, class Place, class Leave = AsItIs>
__device__ void store(Shared<Slot<T>> const& tile, int n, Place const& place, T* to, Leave const& leave = {}) {
  int const thread = static_cast<int>(threadIdx.x);
  with_widest(to + thread, to + thread, [&](auto const& elements) {
    for_each_moved<S>(n, [&](int, int behind) { elements.store(behind, leave(tile.load(place(thread + behind)))); });
  });
}

}  // namespace KokkosScan::cuda::merge
