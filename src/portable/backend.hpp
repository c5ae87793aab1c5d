// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "../driver/choice.hpp"
#include "../driver/kernel_event.hpp"
#include "../driver/regions.hpp"
#include "grid/hierarchical.hpp"
#include "grid/hillis_steele.hpp"

namespace KokkosScan::portable {

template <class Scan>
struct WriteEmptyTotal {
  Scan scan;
  KOKKOS_FUNCTION void operator()(int) const { block::put(*scan.total, driver::empty_total(scan)); }
};

/// Any Kokkos execution space, through Kokkos alone. Kokkos promises no progress between teams, so the single-pass
/// algorithms, in which one waits for another, are not served.
struct Backend {
  static constexpr char const* name   = "portable";
  static constexpr GridScan grids[]   = {GridScan::automatic, GridScan::hillis_steele, GridScan::hierarchical};
  static constexpr BlockScan blocks[] = {
      BlockScan::automatic,  BlockScan::kogge_stone, BlockScan::kogge_stone_double_buffered,
      BlockScan::brent_kung, BlockScan::blelloch,    BlockScan::three_phase};

  /// The length of the tiles that a scan of that type is divided into.
  template <class Value, class Choice>
  static std::size_t tile_length(Choice const&) {
    return portable::tile_length(sizeof(Value));
  }

  template <class Value, class Exec, class Choice>
  static driver::Needs needs(Exec const&, Choice const& choice, std::size_t n) {
    return {.scratch = choice.grid == GridScan::hillis_steele ? hillis_steele::scratch_bytes<Value>(n)
                                                              : hierarchical::scratch_bytes<Value>(n)};
  }

  template <class Exec, class Choice, class Scan>
  static driver::NeedsAlone plan(Exec const& exec, Choice const& choice, Scan const& scan) {
    return {needs<typename Scan::Value>(exec, choice, scan.n)};
  }

  template <class Exec, class Choice, class Scan>
  static void run(Exec const& exec, std::string const& label, Choice const& choice, driver::NeedsAlone const&,
                  Scan const& scan, driver::Memory const& memory) {
    refuse_in_region(exec, label);
    if constexpr (std::is_same_v<Choice, driver::Automatic>)
      hierarchical::run<block::ThreePhase>(exec, label, scan, memory.scratch);
    else if (choice.grid == GridScan::hillis_steele)
      hillis_steele::run(exec, label, scan, memory.scratch);
    else
      block::with_network(
          choice.block, [&](auto network) { hierarchical::run<decltype(network)>(exec, label, scan, memory.scratch); });
  }

  template <class Exec, class Scan>
  static void run_empty(Exec const& exec, std::string const& label, Scan const& scan) {
    refuse_in_region(exec, label);
    using Once = Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>;
    driver::dispatch(label, exec, Once(exec, 0, 1), WriteEmptyTotal<Scan>{scan});
  }

 private:
  /// Kokkos would wait there for the kernel that calls.
  template <class Exec>
  static void refuse_in_region(Exec const& exec, std::string const& label) {
    if (driver::is_in_region(exec) || driver::is_taken(exec))
      throw std::runtime_error(
          label +
          ": the portable backend cannot scan within a kernel or an OpenMP region; call it outside, "
          "or take an instance of the execution space, whose own backend can");
  }
};

}  // namespace KokkosScan::portable
