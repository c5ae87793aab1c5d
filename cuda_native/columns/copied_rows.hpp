// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "copied_part.hpp"
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
  __device__ CopiedPart part_out(int row, int n) const { return CopiedPart::within<size>(shift(row), n); }
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
