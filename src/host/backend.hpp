// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "../driver/kernel_event.hpp"
#include "chain_tile.hpp"
#include "plan.hpp"

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
    return Plan<Value>::needs_of(exec, choice, n);
  }

  template <class Exec, class Choice, class Scan>
  static Plan<typename Scan::Value> plan(Exec const& exec, Choice const& choice, Scan const& scan) {
    return Plan<typename Scan::Value>::of(exec, choice, scan);
  }

  template <class Exec, class Choice, class Scan>
  static void run(Exec const& exec, std::string const& label, Choice const& choice,
                  Plan<typename Scan::Value> const& plan, Scan const& scan, driver::Memory const& memory) {
    using Grid = typename Plan<typename Scan::Value>::Grid;
    if (plan.grid == Grid::one_tile)
      return with_scanner<true>(choice, plan, scan, memory.scratch, [&](auto const& scanner) {
        driver::KernelEvent const event(label, exec);
        auto const through = scanner.scan_tile(0, {0, scan.n}, scan.start());
        if (scan.total) block::put(*scan.total, through);
      });
    KokkosWorkers<Exec> const workers(exec, label, plan.workers);
    if constexpr (!std::is_same_v<Choice, driver::Automatic>)
      if (plan.grid == Grid::hillis_steele) return hillis_steele::run(scan, workers, memory.scratch);
    with_scanner<false>(choice, plan, scan, memory.scratch, [&](auto const& scanner) {
      run_tiles<Choice>(plan, TiledScanBy(scan, plan.tiles, scanner), workers, memory.scratch);
    });
  }

  template <class Exec, class Scan>
  static void run_empty(Exec const& exec, std::string const& label, Scan const& scan) {
    driver::KernelEvent const event(label, exec);
    block::put(*scan.total, driver::empty_total(scan));
  }

 private:
  /// Calls f with the tile scanner of the plan.
  template <bool in_one_tile, class Choice, class Scan, class F>
  static void with_scanner(Choice const& choice, Plan<typename Scan::Value> const& plan, Scan const& scan,
                           void* scratch, F const& f) {
    constexpr bool is_open = std::is_same_v<Choice, driver::Automatic>;
    if constexpr (is_reachable<Scan>(Scanner::simd, in_one_tile))
      if (plan.scanner == Scanner::simd) return f(SimdTile<Scan>{scan, plan.store});
    if constexpr (is_reachable<Scan>(Scanner::chain, in_one_tile))
      if (plan.scanner == Scanner::chain) return f(ChainTile<Scan>{scan, plan.store});
    if constexpr (!is_open)
      if (plan.scanner == Scanner::network)
        return block::with_network(choice.block, [&](auto network) {
          f(NetworkTile<decltype(network), Scan>{scan, plan.buffers(scratch), network_tile_length});
        });
    if constexpr (!is_open || is_reachable<Scan>(Scanner::serial, in_one_tile)) return f(SerialTile<Scan>{scan});
    throw std::logic_error("KokkosScan: the plan names a tile scanner that is not compiled for this type");
  }

  template <class Choice, class Value, class Exec>
  static void run_tiles(Plan<Value> const& plan, TiledScan<Value> const& scan, KokkosWorkers<Exec> const& workers,
                        void* scratch) {
    using Grid = typename Plan<Value>::Grid;
    if (plan.grid == Grid::one_wave) return one_wave::run(scan, workers, scratch);
    if constexpr (!std::is_same_v<Choice, driver::Automatic>) {
      if (plan.grid == Grid::hierarchical) return hierarchical::run(scan, workers, scratch);
      if (plan.grid == Grid::lookback) return lookback::run(scan, workers, scratch);
    }
    chained::run(scan, workers, scratch);
  }
};

}  // namespace KokkosScan::host
