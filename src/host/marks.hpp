// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../core/runs.hpp"
#include "../core/sources.hpp"
#include "simd/functions.hpp"
#include "stage.hpp"
#include "tile.hpp"

// Marks: for each element of a tile a bit, whether it is chosen or begins a run, in words. They are found without
// branches: by the kernels where an array of integers changes, else as bytes, in which the compiler makes vectors of
// comparisons.
namespace KokkosScan::host {

inline constexpr std::size_t marks_of_word = 64;
constexpr std::size_t words_of_marks(std::size_t elements) { return (elements + marks_of_word - 1) / marks_of_word; }

/// The marks that a worker has made of a tile.
struct alignas(line_bytes) TileMarks {
  static constexpr std::size_t of_none = static_cast<std::size_t>(-1);

  std::size_t begin;        // of the tile
  std::size_t count;        // of those that are set
  std::size_t most_cached;  // bytes of an array that are not written past the caches

  std::uint64_t* words() { return reinterpret_cast<std::uint64_t*>(this + 1); }

  static std::size_t bytes(std::size_t tile_length) {
    return sizeof(TileMarks) + core::round_up(words_of_marks(tile_length) * 8, line_bytes);
  }
};

/// Whether an array lies as the kernels take it, and has elements of a size that they know.
template <class Array>
inline constexpr bool is_for_kernels = false;
template <class Element>
inline constexpr bool is_for_kernels<core::Contiguous<Element>> =
    std::is_trivially_copyable_v<Element> && (sizeof(Element) == 4 || sizeof(Element) == 8);

/// What elements of so many bytes are to the kernels, and those for them.
template <class T>
using BitsOf = typename simd::detail::Integer<sizeof(T), false>::type;
template <class T>
auto const& compaction_of() {
  if constexpr (sizeof(T) == 4)
    return simd::all_functions().compactions.of_4_bytes;
  else
    return simd::all_functions().compactions.of_8_bytes;
}

/// The array by which it is decided what is marked.
template <class Source>
auto const& array_that_decides(Source const& source) {
  if constexpr (requires { source.flags; })
    return source.flags;
  else
    return source.template array_at<0>();
}

/// Whether numbers side by side decide each by itself, or with the one before; and whether the kernels find out where
/// they differ.
template <class Source>
concept OfNumbers = core::arrays_of<Source> > 0 && requires(Source const& source) {
  requires core::is_side_by_side<std::remove_cvref_t<decltype(array_that_decides(source))>>;
  requires std::is_arithmetic_v<std::remove_cvref_t<decltype(array_that_decides(source)[0])>>;
};
template <class Source>
concept OfChanges = OfNumbers<Source> && requires(Source const& source) {
  requires std::is_same_v<std::remove_cvref_t<decltype(source.equal)>, core::EqualTo>;
  requires is_for_kernels<std::remove_cvref_t<decltype(array_that_decides(source))>>;
  requires std::is_integral_v<std::remove_cvref_t<decltype(array_that_decides(source)[0])>>;
};

/// Whether each element is marked, as the source of what is staged (stage.hpp). If its neighbour counts, one stands
/// before it.
template <class Source>
struct AsBytes {
  Held<Source> source;

  unsigned char load(std::size_t i) const {
    if constexpr (requires { source.is_marked_behind(i); })
      return source.is_marked_behind(i);
    else
      return core::is_marked(source, i);
  }
};
template <class Marked>
struct Marking {
  using Value  = unsigned char;
  using Source = AsBytes<Marked>;
  Source source;
};
template <OfNumbers Source>
inline constexpr bool is_for_wide_registers<AsBytes<Source>> = true;

/// The marks of some elements. What is left over of them is marked with some that are marked already.
template <class Registers, class Source>
void mark_some(Source const& source, Tile piece, unsigned char* bytes) {
  Marking<Source> const marking{{source}};
  std::size_t const n = piece.size();
  std::size_t k       = 0;
  auto const mark     = [&](auto count) {
    for (; k + count <= n; k += count) Registers::template stage<count>(marking, bytes + k, piece.begin + k);
  };
  mark(std::integral_constant<std::size_t, 4 * marks_of_word>{});
  mark(std::integral_constant<std::size_t, marks_of_word>{});
  if (OfNumbers<Source> && k < n && n >= marks_of_word) {
    k = n - marks_of_word;
    mark(std::integral_constant<std::size_t, marks_of_word>{});
  }
  for (; k < n; ++k) bytes[k] = marking.source.load(piece.begin + k);
}

/// Finds the marks of a tile, and how many there are. Not inlined: one piece of code decides, so that a choice of
/// rounded numbers is the same whenever it is made.
template <class Source>
[[gnu::noinline]] std::size_t find_marks(Source const& source, Tile tile, std::uint64_t* words) {
  constexpr bool sees_previous = requires { source.is_marked_behind(0); };
  constexpr std::size_t some   = 1024;
  alignas(line_bytes) unsigned char bytes[some];
  std::size_t count = 0;
  for (std::size_t i = tile.begin; i < tile.end; i += some, words += some / marks_of_word) {
    std::size_t const n = std::min(some, tile.end - i), first = sees_previous && i == 0 ? 1 : 0;
    bytes[0] = 1;  // unless another one stands before it
    if (has_wide_registers<Marking<Source>>())
      mark_some<WideRegisters>(source, {i + first, i + n}, bytes + first);
    else
      mark_some<AnyRegisters>(source, {i + first, i + n}, bytes + first);
    for (std::size_t k = n; k % marks_of_word != 0; ++k) bytes[k] = 0;
    count += simd::all_functions().compactions.mark(bytes, words_of_marks(n), words);
  }
  return count;
}
template <OfChanges Source>
std::size_t find_marks(Source const& source, Tile tile, std::uint64_t* words) {
  auto const& array = array_that_decides(source);
  using Bits        = BitsOf<std::remove_cvref_t<decltype(array[0])>>;
  auto const find   = [&](Bits const* from, std::size_t n) {
    auto const& changes = simd::all_functions().changes;
    if constexpr (sizeof(Bits) == 4)
      return changes.of_4_bytes(from, n, words);
    else
      return changes.of_8_bytes(from, n, words);
  };
  auto const* const from = reinterpret_cast<Bits const*>(&array[tile.begin]);
  if (tile.begin > 0) return find(from, tile.size());
  // Before the first one stands none: it is marked, and what is found of the others moves up by one.
  std::size_t const last = words_of_marks(tile.size()) - 1;
  words[last]            = 0;
  std::size_t const rest = find(from + 1, tile.size() - 1);
  for (std::size_t w = last; w > 0; --w) words[w] = words[w] << 1 | words[w - 1] >> (marks_of_word - 1);
  words[0] = words[0] << 1 | 1;
  return rest + 1;
}

}  // namespace KokkosScan::host
