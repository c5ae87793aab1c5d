// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../machine.hpp"
#include "shape.hpp"

// Rows of a tile in shared memory, brought there and back by copies, which move multiples of 16 bytes between such
// multiples. So each row is as many bytes behind one as in global memory.
namespace KokkosScan::cuda::columns {

/// The bytes from the first to the last element of lines: nothing else is read.
struct Readable {
  unsigned char const *first, *last;

  template <class Element>
  static Readable of(core::Lines<Element> const& lines, core::LineShape const& shape) {
    std::ptrdiff_t lowest = 0, highest = 0;
    auto const along = [&](std::ptrdiff_t stride, std::size_t extent) {
      std::ptrdiff_t const last = stride * (static_cast<std::ptrdiff_t>(extent) - 1);
      lowest += std::min<std::ptrdiff_t>(last, 0);
      highest += std::max<std::ptrdiff_t>(last, 0);
    };
    along(lines.step, shape.length);
    for (int d = 0; d < core::dimensions_of_lines; ++d) along(lines.strides[d], shape.extents[d]);
    return {reinterpret_cast<unsigned char const*>(lines.data + lowest),
            reinterpret_cast<unsigned char const*>(lines.data + highest + 1)};
  }
};

/// What copies move of a row of n elements that begins `shift` bytes behind a multiple of 16: in bytes from that on.
/// The first `head` elements, and those from `tail` on, they do not move, or not wholly.
struct CopiedPart {
  int begin, end, head, tail;

  template <int size>
  __device__ static CopiedPart of(int shift, int n, int begin, int end) {
    auto const at_most = [&](int count) { return count < n ? count : n; };
    int const head     = at_most(begin > shift ? (begin - shift + size - 1) / size : 0);
    int const tail     = at_most(end > shift ? (end - shift) / size : 0);
    return {begin, end, head, tail > head ? tail : head};
  }
  __device__ unsigned bytes() const { return end > begin ? static_cast<unsigned>(end - begin) : 0; }

  /// How many elements there may be of which copies move nothing outside the row, and not all.
  template <int size>
  static constexpr int rest_most = 2 * ((15 + size - 1) / size);
  /// Element k of the rest.
  __device__ int of_rest(int k) const { return k < head ? k : tail + (k - head); }
};

template <class Element>
class CopiedRows {
  static constexpr int size = static_cast<int>(sizeof(Element));

 public:
  KOKKOSSCAN_FUNCTION static int bytes(Tiling const& tiling) { return tiling.rows() * pitch(tiling); }

  /// Those of a tile, from that byte of the shared memory on.
  __device__ CopiedRows(Tiling const& tiling, int byte, Element* first, std::ptrdiff_t step)
      : byte_(byte), pitch_(pitch(tiling)), first_(first), step_(step) {}

  __device__ Element* in_global_memory(int row) const { return first_ + row * step_; }
  __device__ Shared<std::remove_const_t<Element>> operator[](int row) const {
    return shared_memory<std::remove_const_t<Element>>(byte_ + row * pitch_ + shift(row));
  }

  /// What copies bring of n elements: all that share 16 bytes with one of them, but nothing that is not readable.
  __device__ CopiedPart part_in(int row, int n, Readable const& readable) const {
    auto const* const aligned = reinterpret_cast<unsigned char const*>(in_global_memory(row)) - shift(row);
    int const end             = (shift(row) + n * size + 15) / 16 * 16;
    return CopiedPart::of<size>(shift(row), n, aligned < readable.first ? 16 : 0,
                                aligned + end > readable.last ? end - 16 : end);
  }
  /// What they take: nothing of others.
  __device__ CopiedPart part_out(int row, int n) const {
    return CopiedPart::of<size>(shift(row), n, (shift(row) + 15) / 16 * 16, (shift(row) + n * size) / 16 * 16);
  }
  __device__ void copy_in(int row, CopiedPart const& part, Barrier done) const {
    if (part.bytes() > 0) cuda::copy_in(memory(row, part), address(row, part), part.bytes(), done);
  }
  __device__ void copy_out(int row, CopiedPart const& part) const {
    if (part.bytes() > 0) cuda::copy_out(address(row, part), memory(row, part), part.bytes());
  }

 private:
  using Byte = std::conditional_t<std::is_const_v<Element>, unsigned char const, unsigned char>;

  KOKKOSSCAN_FUNCTION static int pitch(Tiling const& tiling) { return (tiling.strip * size + 15 + 15) / 16 * 16; }

  __device__ int shift(int row) const {
    // Of an address no more than that is needed.
    auto const low = static_cast<unsigned>(reinterpret_cast<std::uintptr_t>(first_));
    return static_cast<int>((low + static_cast<unsigned>(row) * static_cast<unsigned>(step_) * size) % 16);
  }
  __device__ Shared<unsigned char> memory(int row, CopiedPart const& part) const {
    return shared_memory<unsigned char>(byte_ + row * pitch_ + part.begin);
  }
  __device__ Byte* address(int row, CopiedPart const& part) const {
    return reinterpret_cast<Byte*>(in_global_memory(row)) - shift(row) + part.begin;
  }

  int byte_, pitch_;
  Element* first_;
  std::ptrdiff_t step_;
};

}  // namespace KokkosScan::cuda::columns
