// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cstddef>

// All tuning numbers of the CUDA backend; docs/log.md has the measurements. Tile lengths are part of the bits of a
// float result.
namespace KokkosScan::cuda {

/// The shape of a block: how many threads, and how many values of a tile belong to each.
struct BlockShape {
  int threads;
  int items;
};

/// What a block gets without asking for more is 48 KiB on every device: two tiles, of the largest values too.
inline constexpr int shared_bytes_at_most = 48 * 1024;

/// Networks: one or two values to a thread as in the literature, and as many threads as CUDA allows where they fit.
template <class Value>
constexpr BlockShape network_shape(int items) {
  int const fitting = shared_bytes_at_most / 9 * 4 / static_cast<int>(sizeof(Value)) / items;
  return {fitting < 1024 ? static_cast<int>(std::bit_floor(static_cast<unsigned>(fitting))) : 1024, items};
}

/// A network on global memory; with more threads the values of 1 byte, moved 16 at a time, would not fit in registers.
inline constexpr int global_network_threads = 256;

/// Three phases: 128 bytes to a thread, as far as registers go, and small blocks, so that many share a multiprocessor
/// and some load while others wait.
template <class Value>
constexpr BlockShape three_phase_shape() {
  unsigned const room = std::bit_ceil(static_cast<unsigned>(sizeof(Value)));
  return {128, room < 4 ? 32 : static_cast<int>(128 / room)};
}

/// The pipeline: a ring of four tiles of 52 KiB fills the shared memory of a multiprocessor. Larger tiles look back
/// less often, and a tile has the time of two others to look back.
inline constexpr int pipeline_warps  = 8;  // that compute
inline constexpr int pipeline_stages = 4;
inline constexpr int pipeline_delay  = 2;  // tiles between the fold of one and its scan

/// From so many bytes on the pipeline is ahead of plain look-back; below, it has not enough tiles.
inline constexpr std::size_t pipeline_pays_bytes = 8 * 1024 * 1024;

/// About 208 bytes to a thread, in units of that size. An odd number: then 16-byte units of neighbouring lanes meet
/// different banks.
constexpr int pipeline_units(std::size_t unit_bytes) { return static_cast<int>(208 / unit_bytes - 1) | 1; }

}  // namespace KokkosScan::cuda
