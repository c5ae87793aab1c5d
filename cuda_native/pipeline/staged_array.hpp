// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "../element_units.hpp"
#include "copies.hpp"
#include "shape.hpp"

namespace KokkosScan::cuda::pipelined {

/// How the slices of an array lie in memory and in their regions of shared memory: as many bytes behind a multiple of
/// 128 here as there. Of an array that is taken backwards the first element of a slice has the highest address, and a
/// slice that is not full stands at the end of its region. `previous`: how many elements before a slice come with it.
template <class S, class Array_, int previous = 0>
class StagedArray {
 public:
  using Array   = Array_;
  using Element = core::ElementOf<Array>;

  static constexpr int size      = static_cast<int>(sizeof(Element));
  static constexpr bool backward = core::is_backward<Array>;
  static constexpr int step      = backward ? -1 : 1;  // in memory, from element to element

 private:
  static constexpr int margin = static_cast<int>(core::round_up(std::size_t{previous * sizeof(Element)}, 128));
  static constexpr int room   = static_cast<int>(core::round_up(std::size_t{S::slice * sizeof(Element)} + 127, 128));

 public:
  static constexpr int bytes = margin + room;

  KOKKOSSCAN_FUNCTION static CopyPlan plan(Array const& array) {
    if constexpr (backward)
      return plan(reinterpret_cast<std::uintptr_t>(array.data) - std::uintptr_t{(S::slice - 1) * sizeof(Element)});
    else if constexpr (core::is_side_by_side<Array>)
      return plan(reinterpret_cast<std::uintptr_t>(array.data));
    else
      return {};
  }

  __device__ explicit StagedArray(CopyPlan plan) : plan_(plan) {}

  __device__ bool is_copied() const { return plan_.copied; }
  /// Whether the units of pieces are aligned.
  template <class Unit>
  __device__ bool has_units() const {
    return behind_units<Unit>() == 0;
  }
  /// How many bytes they begin behind those that are.
  template <class Unit>
  __device__ int behind_units() const {
    return plan_.shift % static_cast<int>(alignof(Unit));
  }

  /// The byte of element i of a slice in its region.
  __device__ int byte(int i) const {
    return backward ? plan_.shift + (S::slice - 1 - i) * size : margin + plan_.shift + i * size;
  }

  /// The elements of a slice of n, and those before it, in the order of memory.
  struct Extent {
    std::size_t begin;  // the slice's
    int before;         // how many elements come with it
    int n;              // all of them
    int byte;           // of the first

    /// The index in the array of one of them.
    __device__ std::size_t index(int i) const {
      if constexpr (backward)
        return begin + static_cast<std::size_t>(n - before - 1 - i);
      else
        return begin + static_cast<std::size_t>(i - before);
    }
    __device__ bool is_first() const { return begin == 0; }
  };
  __device__ Extent extent(std::size_t begin, int n) const {
    // A slice without elements may begin far behind the end of the array.
    int const before = begin > 0 && n > 0 ? previous : 0;
    return {begin, before, n + before, byte(backward ? n - 1 : -before)};
  }
  /// What copies move of it. `goes_on`: whether behind it there are enough elements to fill the 16 bytes that they may
  /// share; before each slice but the first there are. Results are copied without their neighbours.
  __device__ Copied copied_in(Extent const& extent, bool goes_on) const {
    bool const comes_on = !extent.is_first();
    return copied_of<size>(plan_, extent.byte, extent.n, backward ? goes_on : comes_on, backward ? comes_on : goes_on);
  }
  __device__ Copied copied_out(Extent const& extent) const {
    return copied_of<size>(plan_, extent.byte, extent.n, false, false);
  }
  /// Where that begins in memory.
  template <class Byte>
  __device__ static Byte* address(Array const& array, Extent const& extent, Copied copied) {
    return reinterpret_cast<Byte*>(&array[extent.index(0)]) + (copied.begin - extent.byte);
  }

 private:
  KOKKOSSCAN_FUNCTION static CopyPlan plan(std::uintptr_t address) { return {true, static_cast<int>(address % 128)}; }

  CopyPlan plan_;
};

}  // namespace KokkosScan::cuda::pipelined
