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

/// A result of at least so many bytes is written past the caches. Such stores gain where the result leaves the last
/// level anyway, and cost where it would have stayed.
inline constexpr std::size_t streaming_bytes = 64 * 1024 * 1024;

/// Spins before a waiting worker offers its core to another: workers may outnumber the cores.
inline constexpr int spins_before_yield = 1024;

/// No two workers write to one line of this size.
inline constexpr std::size_t line_bytes = 64;

}  // namespace KokkosScan::host
