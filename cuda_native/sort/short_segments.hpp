// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <type_traits>

#include "compared_keys.hpp"
#include "sorting_network.hpp"

// Segments of no more keys than a word has bits: words tell where each of them begins and ends, and a thread sorts it
// in registers. Keys are integers, of which equal ones are the same.
namespace KokkosScan::cuda::merge {

inline constexpr int short_segment_most = 32;

/// Where segments begin among the 32 elements before a place and the 32 from it on: of n elements, the first of which
/// begins one, as does what is behind the last.
struct HeadsAround {
  std::uint32_t before, from;

  __device__ HeadsAround(core::Boundaries<false> const& boundaries, std::size_t place, std::size_t n) {
    std::size_t const begin = place < 32 ? 0 : place - 32;
    std::uint64_t bits      = boundaries.before(begin, 64);
    if (place <= 32) bits = (bits | 1U) << (32 - place);
    if (n - place < 32) bits |= ~std::uint64_t{0} << (32 + (n - place));
    before = place > 0 ? static_cast<std::uint32_t>(bits) : ~std::uint32_t{0};  // before the first nothing goes on
    from   = static_cast<std::uint32_t>(bits >> 32);
  }
  /// How far the last one before is, and the next one from there on; each 33 or 32, if there is none.
  __device__ int to_last() const { return __clz(static_cast<int>(before)) + 1; }
  __device__ int to_next() const { return from != 0 ? __ffs(static_cast<int>(from)) - 1 : 32; }
  /// Whether the segment that is before the place, or goes through it, is longer.
  __device__ bool is_long() const { return before == 0 || from == 0 || to_last() + to_next() > short_segment_most; }
};

/// A short segment that goes through the end of a tile, which is a warp's to sort where it lies: it belongs to the tile
/// that it begins in, and is no part of what either sorts else. None where begin == end.
struct Crossing {
  std::size_t begin, end;

  __device__ Crossing(core::Boundaries<false> const& boundaries, std::size_t place, std::size_t n)
      : begin(place < n ? place : n), end(begin) {
    if (place == 0 || place >= n) return;
    HeadsAround const heads(boundaries, place, n);
    if (heads.is_long() || heads.to_next() == 0) return;
    begin -= static_cast<std::size_t>(heads.to_last());
    end += static_cast<std::size_t>(heads.to_next());
  }
};

/// Sorts a segment of as many keys as a warp has lanes or fewer: each goes behind those that come before it. All lanes.
template <class Key, class Less>
__device__ void sort_by_warp(Key* keys, int n, Less const& less) {
  Uninitialized<Slot<Key>> own;
  own.put(Slot<Key>{keys[lane() < n ? lane() : n - 1]});
  int rank = 0;
  for (int i = 0; i < n; ++i) {
    Uninitialized<Slot<Key>> const other = shuffle(own, i);
    bool const is_before =
        i < lane() ? !less(own.value.value, other.value.value) : less(other.value.value, own.value.value);
    rank += is_before ? 1 : 0;
  }
  if (lane() < n) core::put(keys[rank], own.value.value);
}

/// Sorts n keys, at most `most`, in a thread's registers.
template <int most, class Key>
__device__ void sort_in_registers(Shared<Slot<Key>> const& keys, int n) {
  using Word = std::conditional_t<sizeof(Key) < 4, std::uint32_t, Key>;
  Word word[most];
#pragma unroll
  for (int i = 0; i < most; ++i) word[i] = i < n ? static_cast<Word>(keys.load(i).value) : static_cast<Word>(~Word{0});
  sort_network(word);
#pragma unroll
  for (int i = 0; i < most; ++i)
    if (i < n) keys.store(i, Slot<Key>{static_cast<Key>(word[i])});
}

/// Sorts the segments that begin among the items of a warp, those of a lane from `first` on, the last of them ending at
/// `behind`. `list` is room for as many places as the warp has items. All lanes.
template <class Key>
__device__ void sort_short_segments(Shared<Slot<Key>> const& keys, Shared<std::uint16_t> const& list,
                                    std::uint32_t heads, int first, int behind) {
  Uninitialized<int> count;
  count.put(__popc(heads));
  int const through = scan_warp(count, warp_size, [](int left, int right) { return left + right; }).value;
  int at            = through - count.value;
  for (; heads != 0; heads &= heads - 1)
    list.store(at++, static_cast<std::uint16_t>(first + __ffs(static_cast<int>(heads)) - 1));
  __syncwarp();
  int const segments = __shfl_sync(all_lanes, through, warp_size - 1);
  for (int s = lane(); s - lane() < segments; s += warp_size) {
    int const begin = s < segments ? list.load(s) : behind;
    int const n     = (s + 1 < segments ? list.load(s + 1) : behind) - begin;
    auto const own  = keys.from(begin);
    if (__any_sync(all_lanes, n > 24))
      sort_in_registers<32>(own, n);
    else if (__any_sync(all_lanes, n > 16))
      sort_in_registers<24>(own, n);
    else if (__any_sync(all_lanes, n > 8))
      sort_in_registers<16>(own, n);
    else
      sort_in_registers<8>(own, n);
  }
}

}  // namespace KokkosScan::cuda::merge
