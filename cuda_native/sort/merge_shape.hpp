// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../../src/core/memory.hpp"
#include "../../src/core/merge_sort.hpp"
#include "../tuning.hpp"
#include "../warp.hpp"

namespace KokkosScan::cuda::merge {

/// The largest power of two that divides a size, up to 16: what an array is aligned to that begins at such a multiple.
constexpr std::size_t alignment_of(std::size_t size) {
  std::size_t const power = size & (~size + 1);
  return power < 16 ? power : 16;
}

/// An element where it may be read and written by words as wide as its size allows: a type may be aligned to less.
template <class T>
struct alignas(std::max(alignment_of(sizeof(T)), alignof(T))) Slot {
  T value;
};

/// The wider of a key and its value.
template <class Sort>
inline constexpr std::size_t element_bytes = sizeof(typename Sort::Key);
template <class Sort>
  requires(Sort::has_values && sizeof(typename Sort::Value) > sizeof(typename Sort::Key))
inline constexpr std::size_t element_bytes<Sort> = sizeof(typename Sort::Value);
/// The registers of an element.
template <class T>
inline constexpr std::size_t registers_of = (sizeof(T) + 3) / 4;
template <class T>
  requires(alignment_of(sizeof(T)) < 4)
inline constexpr std::size_t registers_of<T> = sizeof(T) / alignment_of(sizeof(T));

/// Where in shared memory warps put down what they vote: between the ends of a tile and its elements.
inline constexpr int votes_byte = 64;

/// The shape of a block, and of its shared memory. Each thread has so many elements of a tile, one behind the other.
template <class Sort>
struct Shape {
  using Place = std::uint16_t;  // in a tile

  static constexpr BlockShape block = merge_shape(element_bytes<Sort>, registers_of<typename Sort::Key>);

  static constexpr int threads = block.threads;
  static constexpr int items   = block.items;
  static constexpr int tile    = threads * items;
  static_assert(tile <= 1 << 16, "a Place holds all places");

  static_assert(threads >= 2 * warp_size, "a warp to each end of a tile");
  /// Whether keys are put in order themselves, not by their places.
  static constexpr bool moves_keys = !Sort::has_values && sizeof(typename Sort::Key) <= merge_moved_bytes_most;

  static constexpr int ends_byte     = 0;
  static constexpr int elements_byte = 128;  // for elements of any alignment
  static_assert(votes_byte + threads / warp_size * static_cast<int>(sizeof(std::uint32_t)) <= elements_byte);
  static constexpr int order_byte =
      elements_byte + static_cast<int>(core::round_up(tile * element_bytes<Sort>, sizeof(Place)));
  static constexpr int bytes = order_byte + (moves_keys ? 0 : tile * static_cast<int>(sizeof(Place)));
  static_assert(bytes <= shared_bytes_at_most);

  /// Where the items of a thread begin in a tile of n elements; where that ends, if it has none.
  __device__ static int first_item(int thread, int n) { return thread * items < n ? thread * items : n; }
};

template <class Sort>
std::size_t tiles_of(std::size_t n) {
  return (n + Shape<Sort>::tile - 1) / Shape<Sort>::tile;
}

}  // namespace KokkosScan::cuda::merge
