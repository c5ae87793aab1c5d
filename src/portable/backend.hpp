// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "../core/memory.hpp"
#include "../core/merge_pieces.hpp"
#include "../core/options.hpp"
#include "../exec/kernel_event.hpp"
#include "../exec/regions.hpp"
#include "grid/hierarchical.hpp"
#include "grid/hillis_steele.hpp"
#include "histogram/histogram.hpp"
#include "sort/radix.hpp"
#include "windows/run.hpp"

namespace KokkosScan::portable {

template <class Problem>
struct WriteEmptyTotal {
  Problem problem;
  KOKKOS_FUNCTION void operator()(int) const { core::put_empty_total(problem); }
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
  static core::Needs needs(Exec const&, Choice const& choice, std::size_t n) {
    return {.scratch = choice.grid == GridScan::hillis_steele ? hillis_steele::scratch_bytes<Value>(n)
                                                              : hierarchical::scratch_bytes<Value>(n)};
  }

  template <class Exec, class Choice, class Problem>
  static core::NeedsAlone plan(Exec const& exec, Choice const& choice, Problem const& problem) {
    return {needs<typename Problem::Value>(exec, choice, problem.n)};
  }

  template <class Exec, class Choice, class Problem>
  static void run(Exec const& exec, std::string const& label, Choice const& choice, core::NeedsAlone const&,
                  Problem const& problem, core::Memory const& memory) {
    exec::refuse_in_region(exec, label);
    if constexpr (std::is_same_v<Choice, core::Automatic>)
      hierarchical::run<block::ThreePhase>(exec, label, problem, memory.scratch);
    else if (choice.grid == GridScan::hillis_steele)
      hillis_steele::run(exec, label, problem, memory.scratch);
    else
      block::with_network(choice.block, [&](auto network) {
        hierarchical::run<decltype(network)>(exec, label, problem, memory.scratch);
      });
  }

  template <class Exec, class F>
  static void for_each_index(Exec const& exec, std::string const& label, std::size_t count, std::size_t, F const& f) {
    exec::refuse_in_region(exec, label);
    exec::dispatch(label, exec, Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, count), f);
  }

  /// What a radix sort needs besides its other arrays, at most for so many elements and fewer.
  template <class Sort, class Exec>
  static core::Needs needs_of_sort(Exec const&, Sort const& sort) {
    return {.scratch = sort::scratch_bytes(sort.n)};
  }
  template <class Sort, class Exec>
  static void sort(Exec const& exec, std::string const& label, Sort const& sort, core::Memory const& memory) {
    exec::refuse_in_region(exec, label);
    if (sort.n > 1) sort::run(exec, label, sort, memory.scratch);
  }

  /// Sorts by a comparison; values of any size are moved with their keys.
  static constexpr std::size_t merged_value_bytes_most = 64;
  template <class Exec, class Sort>
  static void merge_sort(Exec const& exec, std::string const& label, Sort const& sort) {
    core::merge_by_pieces(sort, merged_piece(exec::is_on_host<Exec>),
                          [&](std::size_t count, auto const& f) { for_each_index(exec, label, count, sort.n, f); });
  }

  template <class Exec, class Histogram>
  static core::Needs needs_of_histogram(Exec const&, Histogram const&) {
    return {};
  }
  template <class Exec, class Histogram>
  static void count(Exec const& exec, std::string const& label, Histogram const& histogram, core::Memory const&) {
    exec::refuse_in_region(exec, label);
    histogram::run(exec, label, histogram);
  }

  /// Windows of lines, which are not empty.
  template <class Exec, class Scan>
  static core::Needs needs_of_windows(Exec const& exec, Scan const& scan) {
    return {.scratch = windows::scratch_bytes(exec, scan)};
  }
  template <class Exec, class Scan>
  static void scan_windows(Exec const& exec, std::string const& label, Scan const& scan, core::Memory const& memory) {
    exec::refuse_in_region(exec, label);
    windows::run(exec, label, scan, static_cast<std::byte*>(memory.scratch));
  }

  template <class Exec, class Problem>
  static void run_empty(Exec const& exec, std::string const& label, Problem const& problem) {
    exec::refuse_in_region(exec, label);
    using Once = Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>;
    exec::dispatch(label, exec, Once(exec, 0, 1), WriteEmptyTotal<Problem>{problem});
  }
};

}  // namespace KokkosScan::portable
