// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

#include "../../src/core/memory.hpp"
#include "../../src/core/radix_sort.hpp"
#include "../tuning.hpp"
#include "../warp.hpp"

namespace KokkosScan::cuda::radix {

/// What goes from place to place: the wider of a key and its value.
template <class Sort>
inline constexpr int moved_bytes = static_cast<int>(sizeof(typename Sort::Bits));
template <class Sort>
  requires(Sort::has_values && sizeof(typename Sort::Value) > sizeof(typename Sort::Bits))
inline constexpr int moved_bytes<Sort> = static_cast<int>(sizeof(typename Sort::Value));

/// The shape of a block, and of its shared memory. Each warp has so many keys side by side as it has lanes, one behind
/// the other: so the order of keys within a tile is that of warps, items, lanes.
template <class Sort>
struct Shape {
  static constexpr int threads = radix_threads;
  static constexpr int warps   = threads / warp_size;
  static constexpr int items   = radix_items(moved_bytes<Sort>, Sort::Order::is_float);
  static constexpr int tile    = threads * items;
  static constexpr int digits  = Sort::digits;
  static_assert(digits <= threads && digits % warp_size == 0, "a thread to each digit");

  static constexpr int ticket_byte   = 0;
  static constexpr int sums_byte     = 64;  // of the counts of digits, by warps
  static constexpr int places_byte   = sums_byte + 64;
  static constexpr int counters_byte = places_byte + digits * 8;
  static constexpr int moved_byte    = counters_byte + warps * digits * 4;
  static constexpr int bytes         = moved_byte + tile * moved_bytes<Sort>;
  static_assert(bytes <= shared_bytes_at_most);

  /// The first of the calling thread's items in a tile; the others are as many behind as a warp has lanes.
  __device__ static int first_item() { return warp() * warp_size * items + lane(); }
};

/// Items of a tile of n of which the calling thread's first one is `from`; what is not there is `none`.
template <class Sort, class T>
__device__ void load_items(T const* from, int n, T const& none, T (&item)[Shape<Sort>::items]) {
  using S = Shape<Sort>;
  if (n == S::tile) {
#pragma unroll
    for (int i = 0; i < S::items; ++i) item[i] = from[i * warp_size];
  } else {
    int const first = S::first_item();
#pragma unroll
    for (int i = 0; i < S::items; ++i) item[i] = first + i * warp_size < n ? from[i * warp_size] : none;
  }
}

/// What a sort keeps in scratch: where the keys of each digit begin, for each pass; a ticket for each pass; and for
/// each tile and digit what is known of it.
struct Scratch {
  std::uint64_t* bins;
  std::uint64_t* tickets;
  std::uint64_t* states;

  template <class Sort>
  static constexpr std::size_t words_before_states = (Sort::most_passes * Sort::digits) + 16;

  template <class Sort>
  static core::Needs needs(std::size_t n) {
    std::size_t const tiles = (n + Shape<Sort>::tile - 1) / Shape<Sort>::tile;
    if (tiles <= 1) return {};
    return {.scratch = core::bytes_of(words_before_states<Sort> + tiles * Sort::digits, sizeof(std::uint64_t))};
  }
  template <class Sort>
  static Scratch in(void* scratch) {
    auto* const words = static_cast<std::uint64_t*>(scratch);
    return {words, words + Sort::most_passes * Sort::digits, words + words_before_states<Sort>};
  }
};

}  // namespace KokkosScan::cuda::radix
