// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <memory>
#include <string>
#include <type_traits>

#include "../driver/choice.hpp"
#include "../driver/kernel_event.hpp"
#include "crew.hpp"
#include "grid/chained.hpp"
#include "grid/hierarchical.hpp"
#include "grid/hillis_steele.hpp"
#include "grid/lookback.hpp"
#include "grid/one_wave.hpp"
#include "machine.hpp"
#include "simd_tile.hpp"
#include "strand_tile.hpp"
#include "tile.hpp"
#include "tuning.hpp"

namespace KokkosScan::host {

/// The execution spaces whose threads are the machine's own and whose kernels are done when the dispatch returns.
struct Backend {
  static constexpr char const* name   = "host";
  static constexpr bool runs_at_once  = true;  // what was asked for before has been done, and this when run() returns
  static constexpr GridScan grids[]   = {GridScan::automatic, GridScan::hillis_steele, GridScan::hierarchical,
                                         GridScan::chained, GridScan::lookback};
  static constexpr BlockScan blocks[] = {
      BlockScan::automatic,  BlockScan::serial,   BlockScan::kogge_stone, BlockScan::kogge_stone_double_buffered,
      BlockScan::brent_kung, BlockScan::blelloch, BlockScan::three_phase};

  /// The length of the tiles that a scan of that type is divided into.
  template <class Value, class Choice>
  static std::size_t tile_length(Choice const& choice) {
    return host::tile_length(choice.block, sizeof(Value));
  }

  /// What a scan of n values needs at most.
  template <class Value, class Exec, class Choice>
  static driver::Needs needs(Exec const& exec, Choice const& choice, std::size_t n) {
    // Found out now, so that behind Handle::reserve scans allocate nothing.
    machine();
    simd::all_functions();
    return {.scratch = Plan<Value>(exec, choice, n).scratch_bytes()};
  }

  /// What this scan needs.
  template <class Scan, class Exec, class Choice>
  static driver::Needs needs_of(Exec const& exec, Choice const& choice, Scan const& scan) {
    return is_inline(choice, scan) ? driver::Needs{} : needs<typename Scan::Value>(exec, choice, scan.n);
  }

  template <class Exec, class Choice, class Scan>
  static void run(Exec const& exec, std::string const& label, Choice const& choice, Scan const& scan,
                  driver::Memory const& memory) {
    using Value         = typename Scan::Value;
    void* const scratch = memory.scratch;
    if (is_inline(choice, scan)) return run_inline(exec, label, choice, scan);
    Plan<Value> const plan(exec, choice, scan.n);
    KokkosCrew<Exec> const crew(exec, label, plan.workers);
    auto* const buffers = static_cast<Value*>(plan.buffers(scratch));
    auto const run_by   = [&](auto const& way) { run_tiles(exec, label, choice, scan, plan, way, crew, scratch); };

    if (choice.block == BlockScan::automatic && choice.grid != GridScan::hillis_steele) {
      auto const store = store_for<Value>(exec, scan.n);
      if constexpr (is_simd<Scan>)
        return run_by(SimdTile<Scan>{scan, store});
      else if (has_strands<Value>(scan.n))
        return run_by(StrandTile<Scan>{scan, store});
    }
    if constexpr (std::is_same_v<Choice, driver::Automatic>)
      run_by(SerialTile<Scan>{scan});
    else if (choice.grid == GridScan::hillis_steele)
      hillis_steele::run(scan, crew, scratch);
    else if (!block::is_network(choice.block))
      run_by(SerialTile<Scan>{scan});
    else
      block::with_network(choice.block, [&](auto network) {
        run_by(NetworkTile<decltype(network), Scan>{scan, buffers, network_tile_length});
      });
  }

  template <class Exec, class Scan>
  static void run_empty(Exec const& exec, std::string const& label, Scan const& scan) {
    driver::KernelEvent const event(label, exec);
    block::put(*scan.total, driver::empty_total(scan));
  }

 private:
  /// Whether there is but one tile: the calling thread then does it at once. Waking the others
  /// would take longer than the scan.
  template <class Choice, class Scan>
  static bool is_inline(Choice const& choice, Scan const& scan) {
    bool const one_sweep = choice.block == BlockScan::automatic || choice.block == BlockScan::serial;
    if (!one_sweep || choice.grid == GridScan::hillis_steele) return false;
    return scan.n <= tile_length<typename Scan::Value>(choice);
  }

  template <class Value, class Exec>
  static simd::Store store_for(Exec const& exec, std::size_t n) {
    bool const streams = driver::bytes_of(n, sizeof(Value)) > streaming_from(exec.concurrency());
    return streams ? simd::Store::streaming : simd::Store::cached;
  }

  /// Whether a scan by an unknown operator goes by strands. It depends on the type and on n alone, as the bits do.
  /// Floating-point joins keep each other waiting, integer ones mostly do not: there the second reading is lost time,
  /// unless memory is what takes the time.
  template <class Value>
  static bool has_strands(std::size_t n) {
    return std::is_floating_point_v<Value> || driver::bytes_of(n, sizeof(Value)) >= streaming_bytes;
  }

  template <class Exec, class Choice, class Scan>
  static void run_inline(Exec const& exec, std::string const& label, Choice const& choice, Scan const& scan) {
    if (choice.block == BlockScan::automatic) {
      if constexpr (is_simd<Scan>) {
        if (scan.n >= least_for_vectors(sizeof(typename Scan::Value)))
          return run_one_tile(exec, label, scan, SimdTile<Scan>{scan, simd::Store::cached});
      } else if (has_strands<typename Scan::Value>(scan.n))
        return run_one_tile(exec, label, scan, StrandTile<Scan>{scan, simd::Store::cached});
    }
    run_one_tile(exec, label, scan, SerialTile<Scan>{scan});
  }

  template <class Exec, class Scan, class Way>
  static void run_one_tile(Exec const& exec, std::string const& label, Scan const& scan, Way const& way) {
    driver::KernelEvent const event(label, exec);
    auto const through = way.whole(0, {0, scan.n}, scan.start());
    if (scan.total) block::put(*scan.total, through);
  }

  /// What a call needs of workers and scratch: the states of the grid algorithm, then the buffers of the workers.
  template <class Value>
  struct Plan {
    Tiles tiles;
    int workers;
    bool in_one_wave;
    std::size_t grid_bytes;
    std::size_t buffer_length;  // of one worker

    template <class Exec, class Choice>
    Plan(Exec const& exec, Choice const& choice, std::size_t n) : tiles{n, tile_length<Value>(choice)} {
      std::size_t const threads = static_cast<std::size_t>(threads_for(exec));
      bool const tiled          = choice.grid != GridScan::hillis_steele;
      workers                   = static_cast<int>(tiled ? std::min(threads, tiles.count()) : threads);
      grid_bytes                = bytes_of_grid(choice.grid);
      in_one_wave               = false;
      if (choice.grid == GridScan::automatic) {
        std::size_t const most = streaming_from(exec.concurrency()) / sizeof(Value);
        in_one_wave            = n <= most;
        grid_bytes =
            std::max(grid_bytes, one_wave::scratch_bytes<Value>({std::min(n, most), tile_length<Value>(choice)}));
      }
      buffer_length = tiled && block::is_network(choice.block) ? 2 * network_tile_length : 0;
    }

    std::size_t scratch_bytes() const {
      return grid_bytes + line_bytes + buffer_length * static_cast<std::size_t>(workers) * sizeof(Value);
    }
    void* buffers(void* scratch) const {
      void* place      = static_cast<std::byte*>(scratch) + grid_bytes;
      std::size_t room = scratch_bytes() - grid_bytes;
      return std::align(line_bytes, room - line_bytes, place, room);
    }

   private:
    std::size_t bytes_of_grid(GridScan grid) const {
      switch (grid) {
        case GridScan::hillis_steele: return hillis_steele::scratch_bytes<Value>(tiles);
        case GridScan::hierarchical: return hierarchical::scratch_bytes<Value>(tiles);
        case GridScan::lookback: return lookback::scratch_bytes<Value>(tiles);
        default: return chained::scratch_bytes<Value>(tiles);
      }
    }
  };

  template <class Exec, class Choice, class Scan, class Way>
  static void run_tiles(Exec const& exec, std::string const& label, Choice const& choice, Scan const& scan,
                        Plan<typename Scan::Value> const& plan, Way const& way, KokkosCrew<Exec> const& crew,
                        void* scratch) {
    Tiles const tiles = plan.tiles;
    if (tiles.count() == 1) return run_one_tile(exec, label, scan, way);
    if (plan.in_one_wave) return one_wave::run(scan, tiles, way, crew, scratch);
    if constexpr (std::is_same_v<Choice, driver::Automatic>) {
      chained::run(scan, tiles, way, crew, scratch);
    } else {
      switch (choice.grid) {
        case GridScan::hierarchical: return hierarchical::run(scan, tiles, way, crew, scratch);
        case GridScan::lookback: return lookback::run(scan, tiles, way, crew, scratch);
        default: return chained::run(scan, tiles, way, crew, scratch);
      }
    }
  }
};

}  // namespace KokkosScan::host
