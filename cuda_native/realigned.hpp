// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cstring>
#include <type_traits>

#include "warp.hpp"

// Units of elements narrower than a word that begin at any byte: the two aligned ones that cover such a unit, shifted
// into place in registers. The shift, in bytes, is the same for all units of an array.
namespace KokkosScan::cuda {

/// Whether that is done with the units of an array. Others that are not aligned go element by element.
template <class Unit, class Element>
inline constexpr bool can_realign =
    sizeof(Element) < 4 && alignof(Unit) == sizeof(Unit) && sizeof(Unit) >= 4 && sizeof(Unit) <= 16;

/// A unit as what is shifted.
template <class Unit>
struct alignas(sizeof(Unit)) UnitWords {
  static constexpr int bytes = static_cast<int>(sizeof(Unit));
  static constexpr int count = bytes / 4;
  std::uint32_t word[count];

  __device__ static UnitWords of(Unit const& unit) {
    UnitWords words;
    memcpy(words.word, static_cast<void const*>(&unit), sizeof(Unit));
    return words;
  }
  __device__ Unit unit() const {
    Unit unit;
    memcpy(static_cast<void*>(&unit), word, sizeof(Unit));
    return unit;
  }
};

/// Calls f(whole), whole.value being the whole words of a shift of fewer bytes than a unit has: a constant, since to
/// choose among words that are in registers costs an instruction for each word and each power of two.
template <class Unit, class F>
__device__ void with_whole_words(int shift, F const& f) {
  constexpr int words = UnitWords<Unit>::count;
  if constexpr (words > 2) {
    if (shift >= 12) return f(std::integral_constant<int, 3>());
    if (shift >= 8) return f(std::integral_constant<int, 2>());
  }
  if constexpr (words > 1)
    if (shift >= 4) return f(std::integral_constant<int, 1>());
  f(std::integral_constant<int, 0>());
}

/// Of units side by side, leaves in the place of each of the first n what begins `shift` bytes behind it.
template <int whole, class Unit, int size>
__device__ void shift_down(UnitWords<Unit> (&row)[size], int shift, int n = size - 1) {
  constexpr int words = UnitWords<Unit>::count;
  auto const word     = [&](int i) -> std::uint32_t& { return row[i / words].word[i % words]; };
#pragma unroll
  for (int i = 0; i < (size - 1) * words; ++i)
    if (i < n * words)
      word(i) = __funnelshift_r(word(i + whole), word(i + whole + 1), static_cast<unsigned>(8 * shift));
}

/// What begins that many bytes behind the first of two units side by side.
template <class Unit>
__device__ UnitWords<Unit> between(UnitWords<Unit> const& first, UnitWords<Unit> const& second, int shift) {
  UnitWords<Unit> row[] = {first, second};
  with_whole_words<Unit>(shift, [&](auto whole) { shift_down<whole.value>(row, shift); });
  return row[0];
}

/// The aligned unit that two share which follow each other in an array and begin `shift` bytes behind such.
template <bool backward, class Unit>
__device__ UnitWords<Unit> shared_unit(UnitWords<Unit> const& before, UnitWords<Unit> const& own, int shift) {
  return between<Unit>(backward ? own : before, backward ? before : own, UnitWords<Unit>::bytes - shift);
}

/// What another lane holds. All lanes of the mask call it.
template <class Unit>
__device__ UnitWords<Unit> shuffle(UnitWords<Unit> const& own, int source, unsigned mask = all_lanes) {
  UnitWords<Unit> result;
#pragma unroll
  for (int w = 0; w < own.count; ++w) result.word[w] = __shfl_sync(mask, own.word[w], source);
  return result;
}

// ---- in global memory, where nothing outside an array is read or written, not even in the units at its ends

/// Loads the aligned unit at an address. Of one that is not wholly in [first, last), only what is; the rest is 0.
template <class Unit>
__device__ UnitWords<Unit> load_within(unsigned char const* address, unsigned char const* first,
                                       unsigned char const* last) {
  using Words = UnitWords<Unit>;
  if (address >= first && address + Words::bytes <= last) return load_at_once(reinterpret_cast<Words const*>(address));
  Words words{};
#pragma unroll
  for (int b = 0; b < Words::bytes; ++b)
    if (address + b >= first && address + b < last)
      words.word[b / 4] |= std::uint32_t{load_at_once(address + b)} << (b % 4 * 8);
  return words;
}

template <class Unit>
__device__ void store_words(unsigned char* address, UnitWords<Unit> const& words) {
  if constexpr (UnitWords<Unit>::count == 4)
    store_at_once(address, words.word);
  else
    *reinterpret_cast<UnitWords<Unit>*>(address) = words;
}

/// Stores the bytes [begin, end) of a unit at an address: those up to its end, or from its beginning on.
template <class Unit>
__device__ void store_bytes(unsigned char* address, UnitWords<Unit> const& words, int begin, int end) {
  int const cut      = begin > 0 ? begin : end;  // a word that it leaves in two goes byte by byte
  std::uint32_t half = 0;
#pragma unroll
  for (int w = 0; w < words.count; ++w) {
    if (4 * w >= begin && 4 * w + 4 <= end) *reinterpret_cast<std::uint32_t*>(address + 4 * w) = words.word[w];
    if (cut >= 4 * w) half = words.word[w];
  }
#pragma unroll
  for (int b = 0; b < 4; ++b)
    if (int const byte = cut / 4 * 4 + b; cut % 4 > 0 && byte >= begin && byte < end)
      address[byte] = static_cast<unsigned char>(half >> (8 * b));
}

}  // namespace KokkosScan::cuda
