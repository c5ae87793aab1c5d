// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <string>
#include <type_traits>

#include "../driver/choice.hpp"
#include "../driver/kernel_event.hpp"
#include "crew.hpp"
#include "grid/chained.hpp"
#include "grid/hierarchical.hpp"
#include "grid/hillis_steele.hpp"
#include "grid/lookback.hpp"
#include "tile.hpp"
#include "tuning.hpp"

namespace KokkosScan::host {

/// The execution spaces whose threads are the machine's own and whose kernels are done when the dispatch returns.
struct Backend {
  static constexpr char const* name  = "host";
  static constexpr GridScan grids[]  = {GridScan::automatic, GridScan::hillis_steele, GridScan::hierarchical,
                                        GridScan::chained, GridScan::lookback};
  static constexpr BlockScan blocks[] = {BlockScan::automatic,   BlockScan::serial,
                                         BlockScan::kogge_stone, BlockScan::kogge_stone_double_buffered,
                                         BlockScan::brent_kung,  BlockScan::blelloch,
                                         BlockScan::three_phase};

  /// Scratch is free again when a call returns, so all instances draw on one workspace.
  template <class Exec>
  static std::uint32_t workspace_key(Exec const&) {
    return 0;
  }

  template <class Value, class Exec, class Choice>
  static std::size_t scratch_bytes(Exec const& exec, Choice const& choice, std::size_t n) {
    Tiles const tiles{n, tile_length(choice.block, sizeof(Value))};
    return grid_bytes<Value>(choice, tiles) + buffer_bytes<Value>(choice, workers(exec, choice, tiles));
  }

  template <class Exec, class Choice, class Scan>
  static void run(Exec const& exec, std::string const& label, Choice const& choice, Scan const& scan, void* scratch) {
    using Value = typename Scan::Value;
    Tiles const tiles{scan.n, tile_length(choice.block, sizeof(Value))};
    KokkosCrew<Exec> const crew(exec, label, workers(exec, choice, tiles));

    if constexpr (std::is_same_v<Choice, driver::Automatic>) {
      run_tiles(exec, label, choice, scan, tiles, SerialTile{}, crew, scratch);
    } else if (choice.grid == GridScan::hillis_steele) {
      hillis_steele::run(scan, crew, scratch);
    } else if (block::is_network(choice.block)) {
      void* buffers    = static_cast<std::byte*>(scratch) + grid_bytes<Value>(choice, tiles);
      std::size_t room = buffer_bytes<Value>(choice, crew.size());
      std::align(alignof(Value), 1, buffers, room);
      block::with_network(choice.block, [&](auto network) {
        NetworkTile<decltype(network), Value> const scan_one{static_cast<Value*>(buffers), network_tile_length};
        run_tiles(exec, label, choice, scan, tiles, scan_one, crew, scratch);
      });
    } else {
      run_tiles(exec, label, choice, scan, tiles, SerialTile{}, crew, scratch);
    }
  }

  template <class Exec, class Scan>
  static void run_empty(Exec const& exec, std::string const& label, Scan const& scan) {
    driver::KernelEvent const event(label, exec);
    block::put(*scan.total, driver::empty_total(scan));
  }

 private:
  template <class Exec, class Choice>
  static int workers(Exec const& exec, Choice const& choice, Tiles tiles) {
    std::size_t const threads = static_cast<std::size_t>(exec.concurrency());
    return static_cast<int>(choice.grid == GridScan::hillis_steele ? threads : std::min(threads, tiles.count()));
  }

  template <class Value, class Choice>
  static std::size_t grid_bytes(Choice const& choice, Tiles tiles) {
    if (choice.grid == GridScan::hillis_steele) return hillis_steele::scratch_bytes<Value>(tiles);
    if (tiles.count() <= 1) return 0;
    if (choice.grid == GridScan::hierarchical) return hierarchical::scratch_bytes<Value>(tiles);
    return choice.grid == GridScan::lookback ? lookback::scratch_bytes<Value>(tiles)
                                             : chained::scratch_bytes<Value>(tiles);
  }

  template <class Value, class Choice>
  static std::size_t buffer_bytes(Choice const& choice, int workers) {
    if (!block::is_network(choice.block)) return 0;
    return alignof(Value) + 2 * network_tile_length * sizeof(Value) * static_cast<std::size_t>(workers);
  }

  template <class Exec, class Choice, class Scan, class ScanTile>
  static void run_tiles(Exec const& exec, std::string const& label, Choice const& choice, Scan const& scan, Tiles tiles,
                        ScanTile const& scan_one, KokkosCrew<Exec> const& crew, void* scratch) {
    if (tiles.count() == 1) {
      // Waking the threads would take longer than the scan.
      driver::KernelEvent const event(label, exec);
      auto const total = scan_one(scan, 0, tiles[0], scan.init);
      if (scan.total) block::put(*scan.total, scan.join(scan.init, total));
      return;
    }
    if constexpr (std::is_same_v<Choice, driver::Automatic>) {
      chained::run(scan, tiles, scan_one, crew, scratch);
    } else {
      switch (choice.grid) {
        case GridScan::hierarchical: return hierarchical::run(scan, tiles, scan_one, crew, scratch);
        case GridScan::lookback: return lookback::run(scan, tiles, scan_one, crew, scratch);
        default: return chained::run(scan, tiles, scan_one, crew, scratch);
      }
    }
  }
};

}  // namespace KokkosScan::host
