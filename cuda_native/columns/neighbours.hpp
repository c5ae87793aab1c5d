// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <new>
#include <type_traits>

#include "../../src/core/lines.hpp"
#include "../values.hpp"

// The elements of a row that a thread has: of neighbouring columns, moved at once, or where addresses do not allow that
// of columns that lie apart, so that neighbouring threads have neighbouring elements each time.
namespace KokkosScan::cuda::columns {

/// The columns of a thread from its first one on: neighbours, or `stride` apart. It has none if none is left, and not
/// all of those that lie apart if few are.
template <bool packed_>
struct OwnColumns {
  static constexpr bool packed = packed_;

  int stride, left;

  __device__ int operator[](int v) const { return packed ? v : v * stride; }
  __device__ bool has(int v) const { return (packed ? 0 : v * stride) < left; }
};

/// The same of a thread that has them all.
template <class Own>
struct AllColumns {
  static constexpr bool packed = Own::packed;

  int stride;

  __device__ int operator[](int v) const { return packed ? v : v * stride; }
  __device__ static constexpr bool has(int) { return true; }
};

template <class Element, int count>
inline constexpr bool can_be_packed =
    std::has_single_bit(sizeof(Element)) && sizeof(Element) * count <= 16 && (count > 1 || sizeof(Element) > 4);
template <class Element, int count>
using Neighbours =
    std::conditional_t<can_be_packed<Element, count>, Pack<Element, count * sizeof(Element)>, Single<Element>>;

template <int bytes>
struct alignas(bytes) Bytes {
  std::conditional_t<bytes >= 4, std::uint32_t, std::conditional_t<bytes == 2, std::uint16_t, std::uint8_t>>
      word[bytes >= 4 ? bytes / 4 : 1];
};

/// Reads the thread's elements of a row, the first of which stands there.
template <int count, class Element, class Own>
__device__ auto read(Element const* first, Own const& own) {
  Neighbours<Element, count> neighbours;
  if constexpr (Own::packed && can_be_packed<Element, count>) {
    if (own.has(0)) {
      auto const at_once = load_at_once(reinterpret_cast<Bytes<count * sizeof(Element)> const*>(first));
#pragma unroll
      for (int w = 0; w < neighbours.words; ++w) neighbours.put_word(w, at_once.word[w]);
    }
  } else {
#pragma unroll
    for (int v = 0; v < count; ++v)
      if (own.has(v)) neighbours.put(v, first[own[v]]);
  }
  return neighbours;
}

/// Writes the thread's results of a row.
template <int count, class Element, class Own>
__device__ void write(Element* first, Own const& own, Neighbours<Element, count> const& results) {
  if constexpr (Own::packed && can_be_packed<Element, count>) {
    constexpr int bytes = count * sizeof(Element);
    if (own.has(0)) {
      if constexpr (bytes == 16) {
        results.write(first);
      } else {
        Bytes<bytes> at_once;
#pragma unroll
        for (int w = 0; w < results.words; ++w)
          at_once.word[w] = static_cast<std::remove_cvref_t<decltype(at_once.word[w])>>(results.word(w));
        *reinterpret_cast<Bytes<bytes>*>(first) = at_once;
      }
    }
  } else {
#pragma unroll
    for (int v = 0; v < count; ++v)
      if (own.has(v)) ::new (static_cast<void*>(first + own[v])) Element(results.get(v));
  }
}

/// Whether the elements of a thread are aligned as a whole in all rows, and no thread has fewer.
template <int count, class Element>
bool are_packed(core::Lines<Element> const& lines, core::LineShape const& shape) {
  constexpr std::ptrdiff_t bytes = count * sizeof(Element);
  if (!can_be_packed<std::remove_const_t<Element>, count>) return true;
  auto const fits = [](std::ptrdiff_t stride) { return stride * std::ptrdiff_t{sizeof(Element)} % bytes == 0; };
  return shape.extents[2] % count == 0 && reinterpret_cast<std::uintptr_t>(lines.data) % bytes == 0 &&
         (shape.length == 1 || fits(lines.step)) && (shape.extents[0] == 1 || fits(lines.strides[0])) &&
         (shape.extents[1] == 1 || fits(lines.strides[1]));
}
template <class T, class LineScan>
bool are_packed(LineScan const& scan) {
  return T::packs && are_packed<T::columns>(scan.from, scan.shape) && are_packed<T::columns>(scan.dest, scan.shape);
}

/// Takes the thread's values of the next row, and returns its results. `any`: whether `running` holds what stands
/// before them.
template <int count, class LineScan, class Own, class ValueOf>
__device__ auto scan_row(LineScan const& scan, Own const& own, bool any,
                         Neighbours<typename LineScan::Value, count>& running, ValueOf const& value_of) {
  using Value = typename LineScan::Value;
  using Dest  = typename LineScan::Dest;
  Neighbours<Dest, count> results;
#pragma unroll
  for (int v = 0; v < count; ++v)
    if (own.has(v)) {
      Value const value = value_of(v);
      if constexpr (LineScan::kind == core::Kind::exclusive) results.put(v, static_cast<Dest>(running.get(v)));
      Value const through = any ? scan.combine(running.get(v), value) : value;
      if constexpr (LineScan::kind == core::Kind::inclusive) results.put(v, static_cast<Dest>(through));
      running.put(v, through);
    }
  return results;
}

/// Puts what stands before the first elements of the thread's columns, those of a row from `begin` on; false where
/// there is nothing.
template <int count, class LineScan, class Own>
__device__ bool put_starts(LineScan const& scan, std::size_t row, std::size_t begin, Own const& own,
                           Neighbours<typename LineScan::Value, count>& running) {
  auto const starts = scan.starts_of(row, begin);
  bool any          = false;
#pragma unroll
  for (int v = 0; v < count; ++v)
    if (own.has(v))
      if (auto const start = starts[static_cast<std::size_t>(own[v])]) {
        running.put(v, *start);
        any = true;
      }
  return any;
}

}  // namespace KokkosScan::cuda::columns
