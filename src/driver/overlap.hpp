// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>

// Where the elements of Views lie, and whether two of them share a byte.
namespace KokkosScan::driver {

/// In bytes.
struct Footprint {
  std::uintptr_t first;
  std::size_t count;
  std::uintptr_t stride;
  std::size_t size;  // of an element

  std::uintptr_t end() const { return count == 0 ? first : first + (count - 1) * stride + size; }
  bool operator==(Footprint const&) const = default;
};

/// Whether two ranges of elements that reach into each other share a byte.
[[gnu::cold]] bool ranges_share_a_byte(Footprint const& a, Footprint const& b);

/// Whether two footprints share a byte. Rows and columns that interleave without touching do not.
inline bool overlap(Footprint const& a, Footprint const& b) {
  if (a.count == 0 || b.count == 0 || a.end() <= b.first || b.end() <= a.first) return false;
  return ranges_share_a_byte(a, b);
}

}  // namespace KokkosScan::driver
