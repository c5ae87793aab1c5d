// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

#include "macros.hpp"

namespace KokkosScan::core {

/// The range of elements that one worker, team or block handles at a time.
struct Tile {
  std::size_t begin = 0;
  std::size_t end   = 0;
  KOKKOSSCAN_FUNCTION std::size_t size() const { return end - begin; }
};

/// The fixed partition of n elements. It depends on types and choices alone, never on the number of threads: this is
/// what makes the bits of a result repeat.
struct Tiles {
  std::size_t n;
  std::size_t length;
  KOKKOSSCAN_FUNCTION std::size_t count() const { return n / length + (n % length != 0); }
  KOKKOSSCAN_FUNCTION Tile operator[](std::size_t k) const {
    return {k * length, (k + 1) * length < n ? (k + 1) * length : n};
  }
};

/// The elements of one of so many workers. They depend on nothing but n and the number of workers.
inline Tile chunk_of(std::size_t n, int worker, int workers) {
  auto const count = static_cast<std::size_t>(workers), k = static_cast<std::size_t>(worker);
  auto const begin = [=](std::size_t chunk) { return n / count * chunk + n % count * chunk / count; };
  return {begin(k), begin(k + 1)};
}

}  // namespace KokkosScan::core
