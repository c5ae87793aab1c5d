// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/options.hpp>
#include <bit>
#include <cstddef>

// All tuning numbers of the host backend. The tile lengths are part of the result's bits: a float scan changes its
// last digits with them.
namespace KokkosScan::host {

/// A tile and its result stay in a core's second-level cache between the scan and the joining of the prefix.
inline constexpr std::size_t tile_bytes = 128 * 1024;

/// Sections of the length that the literature uses for these networks.
inline constexpr std::size_t network_tile_length = 2048;

constexpr std::size_t tile_length(BlockScan block, std::size_t value_bytes) {
  bool const one_sweep = block == BlockScan::automatic || block == BlockScan::serial;
  return one_sweep ? std::bit_floor(tile_bytes / value_bytes) : network_tile_length;
}

/// Spins before a waiting worker offers its core to another: workers may outnumber the cores.
inline constexpr int spins_before_yield = 1024;

/// No two workers write to one line of this size (two 64-byte lines: the adjacent-line prefetcher pairs them).
inline constexpr std::size_t line_bytes = 128;

}  // namespace KokkosScan::host
