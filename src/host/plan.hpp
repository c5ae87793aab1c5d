// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <type_traits>

#include "../block/networks.hpp"
#include "../core/memory.hpp"
#include "../core/options.hpp"
#include "grid/chained.hpp"
#include "grid/hierarchical.hpp"
#include "grid/hillis_steele.hpp"
#include "grid/lookback.hpp"
#include "grid/reduction.hpp"
#include "grid/shares.hpp"
#include "machine.hpp"
#include "marked_tile.hpp"
#include "recurrence_tile.hpp"
#include "run_tile.hpp"
#include "simd_tile.hpp"
#include "tuning.hpp"
#include "workers.hpp"

namespace KokkosScan::host {

/// Whether the vector kernels serve a scan, and the tile scanner that it then has.
template <class Problem>
inline constexpr bool has_kernels = is_simd<Problem> || is_by_runs<Problem>;
template <class Problem>
using KernelTile = std::conditional_t<is_simd<Problem>, SimdTile<Problem>, RunTile<Problem>>;

/// How long the tiles of a scan are, which is part of the bits of a float result.
template <class Problem>
std::size_t length_of_tiles(BlockScan block, std::size_t n) {
  constexpr std::size_t bytes = bytes_in_tile<typename Problem::Value>;
  return has_kernels<Problem> || has_marks<Problem> || core::is_recurrence<Problem>
             ? tile_length(block, bytes)
             : short_tile_length(block, bytes, n);
}

/// The tile scanners (tile.hpp, chain_tile.hpp, marked_tile.hpp, recurrence_tile.hpp; simd_tile.hpp and run_tile.hpp by
/// the kernels).
enum class Scanner { serial, chain, simd, network, marked, recurrence };

/// Integers that a sink advances, code of the user's that writes nothing past the caches: each worker reads its share
/// of memory twice, which takes no more time than to wait for prefixes, and less than to scan in chains. 2^26 of 32
/// bits, two threads of a machine that others used, best ms of two runs: shares 72, 84, a chain of tiles 70, 75, in
/// chains 89, 93, Kokkos::parallel_scan 101, 106; of 64 bits 102, 119, then 108, 119, then 119, 121, then 109, 115.
template <class Problem>
inline constexpr bool is_read_twice =
    std::is_integral_v<typename Problem::Value> && core::advances<typename Problem::Sink>;

/// Whether a scan that leaves everything open, of one tile or of several, may come to that tile scanner; what it may
/// not is not compiled.
template <class Problem>
consteval bool is_reachable(Scanner scanner, bool in_one_tile) {
  if (has_marks<Problem>) return scanner == Scanner::marked;
  if (core::is_recurrence<Problem>) return scanner == Scanner::recurrence;
  bool const floats    = std::is_floating_point_v<typename Problem::Value>;
  bool const in_chains = floats || (!in_one_tile && !is_read_twice<Problem>);
  switch (scanner) {
    case Scanner::simd: return has_kernels<Problem>;
    case Scanner::chain: return !has_kernels<Problem> && in_chains;
    case Scanner::serial: return has_kernels<Problem> ? in_one_tile : !floats;
    default: return false;
  }
}

/// How a scan is run, decided once: what memory it needs and what is launched both read it.
template <class Value>
struct Plan {
  enum class Grid { one_tile, shares, chained, lookback, hierarchical, hillis_steele, reduction };

  Grid grid              = Grid::one_tile;
  Scanner scanner        = Scanner::serial;
  simd::Store store      = simd::Store::cached;
  Tiles tiles            = {};
  int workers            = 1;
  std::size_t buffers_at = 0;
  std::size_t marks      = 0;   // bytes to a worker, in the place of a buffer
  core::Needs needs      = {};  // the grid algorithm's, and behind it the buffers of the workers

  template <class Problem, class Exec, class Choice>
  static Plan of(Exec const& exec, Choice const& choice, Problem const& problem) {
    Plan plan;
    plan.tiles = {problem.n, length_of_tiles<Problem>(choice.block, problem.n)};
    // The calling thread does one tile at once: to wake the others would take longer than the scan.
    bool const one_sweep = is_one_sweep(choice.block);
    bool const is_tiled  = choice.grid != GridScan::hillis_steele;
    bool const by_marks  = has_marks<Problem> && choice.block == BlockScan::automatic && is_tiled;
    if (by_marks) plan.marks = TileMarks::bytes(std::min(plan.tiles.length, problem.n));
    if (one_sweep && is_tiled && problem.n <= plan.tiles.length) {
      plan.scanner       = by_marks ? Scanner::marked : scanner_for<Problem>(choice.block, problem.n, true);
      plan.needs.scratch = plan.marks > 0 ? plan.marks + line_bytes : 0;
      return plan;
    }
    std::size_t const most = streaming_from(exec.concurrency()) / sizeof(Value);
    plan.store             = problem.n > most ? simd::Store::streaming : simd::Store::cached;
    plan.scanner           = by_marks ? Scanner::marked : scanner_for<Problem>(choice.block, problem.n, false);
    // What is marked is best finished by whoever has the marks.
    bool const shared = !by_marks && (problem.n <= most || is_read_twice<Problem>);
    plan.grid         = !is_tiled || plan.tiles.count() > 1 ? grid_for(choice.grid, shared) : Grid::one_tile;
    plan.workers      = plan.workers_of(exec, choice);
    plan.buffers_at   = grid_bytes(exec, choice, plan.tiles, is_read_twice<Problem>);
    plan.needs        = needs_of(exec, choice, problem.n, is_read_twice<Problem>);
    plan.needs.scratch += plan.marks * static_cast<std::size_t>(most_workers(exec, choice, plan.tiles));
    if constexpr (core::stores_nothing<typename Problem::Sink>) {
      // Whichever grid was chosen: nothing is joined to the tiles afterwards.
      std::size_t const values =
          buffer_length(choice) * static_cast<std::size_t>(most_workers(exec, choice, plan.tiles));
      plan.grid          = Grid::reduction;
      plan.buffers_at    = reduction::scratch_bytes<Value>(plan.tiles);
      plan.needs.scratch = plan.buffers_at + line_bytes + values * sizeof(Value);
    }
    return plan;
  }

  /// What scans of n values or less need at most; some of integers are read twice, which in shares takes a record for
  /// each tile, however many there are.
  template <class Exec, class Choice>
  static core::Needs needs_of(Exec const& exec, Choice const& choice, std::size_t n,
                              bool read_twice = std::is_integral_v<Value>) {
    constexpr std::size_t bytes = bytes_in_tile<Value>;
    std::size_t const few       = std::min(n, most_in_short_tiles(bytes));
    return {.scratch =
                std::max(scratch_for(exec, choice, {n, tile_length(choice.block, bytes)}, read_twice),
                         scratch_for(exec, choice, {few, short_tile_length(choice.block, bytes, few)}, read_twice))};
  }

  /// Behind the grid algorithm's part, which ends where `buffers_at` says.
  Value* buffers(void* scratch) const { return static_cast<Value*>(behind_grid(scratch)); }
  void* behind_grid(void* scratch) const {
    void* behind      = static_cast<std::byte*>(scratch) + buffers_at;
    std::size_t space = needs.scratch - buffers_at;
    return std::align(line_bytes, space - line_bytes, behind, space);
  }

 private:
  static Grid grid_for(GridScan grid, bool shared) {
    switch (grid) {
      case GridScan::automatic: return shared ? Grid::shares : Grid::chained;
      case GridScan::hierarchical: return Grid::hierarchical;
      case GridScan::lookback: return Grid::lookback;
      case GridScan::shares: return Grid::shares;
      case GridScan::hillis_steele: return Grid::hillis_steele;
      default: return Grid::chained;
    }
  }

  /// It depends on types, n and the block algorithm alone, as the bits do. Floating-point values under an unknown
  /// operator keep each other waiting, integers mostly do not: there the second reading of chains is lost time, unless
  /// memory is what takes the time.
  template <class Problem>
  static Scanner scanner_for(BlockScan block, std::size_t n, bool in_one_tile) {
    if (block::is_network(block)) return Scanner::network;
    if (block == BlockScan::serial) return Scanner::serial;
    if (core::is_recurrence<Problem>) return Scanner::recurrence;
    if (has_kernels<Problem>)
      return in_one_tile && n < least_for_vectors(sizeof(Value)) ? Scanner::serial : Scanner::simd;
    bool const has_chains = std::is_floating_point_v<Value> || core::bytes_of(n, sizeof(Value)) >= streaming_bytes;
    return has_chains && !is_read_twice<Problem> ? Scanner::chain : Scanner::serial;
  }

  template <class Exec, class Choice>
  static int most_workers(Exec const& exec, Choice const& choice, Tiles tiles) {
    std::size_t const threads = static_cast<std::size_t>(threads_for(exec));
    bool const is_tiled       = choice.grid != GridScan::hillis_steele;
    return static_cast<int>(is_tiled ? std::min(threads, tiles.count()) : threads);
  }

  /// Where a launch takes longer than it saves, the calling thread scans all tiles, as one worker of several would.
  template <class Exec, class Choice>
  int workers_of(Exec const& exec, Choice const& choice) const {
    if (choice.grid == GridScan::hillis_steele) return most_workers(exec, choice, tiles);
    constexpr std::size_t bytes = bytes_in_tile<Value>;
    double const seconds        = scanner == Scanner::simd ? static_cast<double>(tiles.n) * bytes * seconds_by_kernels
                                                           : seconds_alone(tiles.n, bytes);
    return host::workers_for(exec, {.seconds = seconds, .parts = tiles.count(), .read_again = share_of_reduction});
  }

  template <class Exec, class Choice>
  static std::size_t scratch_for(Exec const& exec, Choice const& choice, Tiles tiles, bool read_twice) {
    std::size_t const values = buffer_length(choice) * static_cast<std::size_t>(most_workers(exec, choice, tiles));
    return grid_bytes(exec, choice, tiles, read_twice) + line_bytes + values * sizeof(Value);
  }

  template <class Exec, class Choice>
  static std::size_t grid_bytes(Exec const& exec, Choice const& choice, Tiles tiles, bool read_twice) {
    switch (choice.grid) {
      case GridScan::hillis_steele: return hillis_steele::scratch_bytes<Value>(tiles);
      case GridScan::hierarchical: return hierarchical::scratch_bytes<Value>(tiles);
      case GridScan::lookback: return lookback::scratch_bytes<Value>(tiles);
      case GridScan::shares: return shares::scratch_bytes<Value>(tiles);
      case GridScan::automatic: {
        std::size_t const most      = streaming_from(exec.concurrency()) / sizeof(Value);
        std::size_t const in_shares = read_twice ? tiles.n : std::min(tiles.n, most);
        return std::max(chained::scratch_bytes<Value>(tiles), shares::scratch_bytes<Value>({in_shares, tiles.length}));
      }
      default: return chained::scratch_bytes<Value>(tiles);
    }
  }

  /// Values, of one worker.
  template <class Choice>
  static std::size_t buffer_length(Choice const& choice) {
    bool const has_buffers = choice.grid != GridScan::hillis_steele && block::is_network(choice.block);
    return has_buffers ? 2 * network_tile_length : 0;
  }
};

}  // namespace KokkosScan::host
