// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cstddef>

#include "../block/network.hpp"

namespace KokkosScan::portable {

/// Two buffers of this many bytes, and alignment, fit into the 32 KiB of scratch that the OpenMP backend gives a team;
/// the devices give more.
inline constexpr std::size_t tile_bytes = 8 * 1024;

/// Part of the result's bits: it depends on nothing but the size of a value.
constexpr std::size_t tile_length(std::size_t value_bytes) {
  std::size_t const fitting  = std::bit_floor(tile_bytes / value_bytes);
  constexpr std::size_t most = 2048;
  return fitting < block::smallest_capacity ? block::smallest_capacity : fitting < most ? fitting : most;
}

/// Merges are made piece by piece, each of so many elements at most: few, where there are many threads.
constexpr std::size_t merged_piece(bool on_host) { return on_host ? 1024 : 16; }

}  // namespace KokkosScan::portable
