// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
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

/// As many bytes as the registers have that hold it: a word of a value that is narrower than a register takes a whole
/// one.
template <class Sort>
inline constexpr int held_bytes = moved_bytes<Sort>;
template <class Sort>
  requires(Sort::has_values && alignof(typename Sort::Value) < 4)
inline constexpr int held_bytes<Sort> =
    std::max(moved_bytes<Sort>, static_cast<int>(sizeof(typename Sort::Value) / alignof(typename Sort::Value) * 4));

/// The shape of a block, and of its shared memory. Each warp has so many keys side by side as it has lanes, one behind
/// the other: so the order of keys within a tile is that of warps, items, lanes.
template <class Sort_, int items_>
struct Shape {
  using Sort = Sort_;

  static constexpr int threads = radix_threads;
  static constexpr int warps   = threads / warp_size;
  static constexpr int items   = items_;
  static constexpr int tile    = threads * items;
  static constexpr int digits  = Sort::digits;
  static_assert(digits <= threads && digits % warp_size == 0, "a thread to each digit");

  using Counter = std::uint16_t;  // of the digits of a warp, and then a place in the tile
  static_assert(tile < 1 << 16);

  static constexpr int ticket_byte   = 0;
  static constexpr int sums_byte     = 64;  // of the counts of digits, by warps
  static constexpr int places_byte   = sums_byte + 64;
  static constexpr int counters_byte = places_byte + (Sort::has_values ? 2 : 1) * digits * 8;
  static constexpr int moved_byte    = counters_byte + warps * digits * static_cast<int>(sizeof(Counter));
  static constexpr int bytes         = moved_byte + tile * moved_bytes<Sort>;
  static_assert(bytes <= 64 * 1024, "what a block can have on every device");
};

/// The first of the calling thread's items, so many, in a tile; the others are as many behind as a warp has lanes.
__device__ inline int first_item(int items) { return warp() * warp_size * items + lane(); }

/// Items of the calling thread from its first one on, behind which there are `rest` in all; what is not there is
/// `none`. Loads `used` of them.
template <class T, int items>
__device__ void load_items(T const* from, int rest, int used, T const& none, T (&item)[items]) {
#pragma unroll
  for (int i = 0; i < items; ++i) item[i] = i < used && i * warp_size < rest ? from[i * warp_size] : none;
}
template <class T, int items>
__device__ void load_items(T const* from, T (&item)[items]) {
#pragma unroll
  for (int i = 0; i < items; ++i) item[i] = from[i * warp_size];
}

template <class Sort>
using Long = Shape<Sort, radix_items(held_bytes<Sort>, Sort::has_values)>;
template <class Sort>
using Short = Shape<Sort, std::min(radix_short_items, Long<Sort>::items)>;

/// Calls f(Shape{}) with the shape of the blocks that sort n keys by passes.
template <class Sort, class F>
auto with_shape(std::size_t n, F const& f) {
  return n <= radix_short_most ? f(Short<Sort>{}) : f(Long<Sort>{});
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
    if (n <= Long<Sort>::tile) return {};
    return with_shape<Sort>(n, [&]<class S>(S) {
      std::size_t const tiles = (n + S::tile - 1) / S::tile;
      return core::Needs{.scratch =
                             core::bytes_of(words_before_states<Sort> + tiles * Sort::digits, sizeof(std::uint64_t))};
    });
  }
  template <class Sort>
  static Scratch in(void* scratch) {
    auto* const words = static_cast<std::uint64_t*>(scratch);
    return {words, words + Sort::most_passes * Sort::digits, words + words_before_states<Sort>};
  }
};

}  // namespace KokkosScan::cuda::radix
