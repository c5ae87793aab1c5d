// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "../../cuda_native/boundaries.hpp"
#include "../../cuda_native/columns/scan.hpp"
#include "../../cuda_native/histogram/histogram.hpp"
#include "../../cuda_native/rows/owners.hpp"
#include "../../cuda_native/rows/reduce.hpp"
#include "../../cuda_native/scan.hpp"
#include "../../cuda_native/sort/merge_sort.hpp"
#include "../../cuda_native/sort/radix_sort.hpp"
#include "../../cuda_native/sort/segmented_sort.hpp"
#include "../core/memory.hpp"
#include "../core/options.hpp"
#include "../exec/kernel_event.hpp"
#include "scratch_memory.hpp"

// Kokkos::Cuda: hands its stream to the kernels of cuda_native.
namespace KokkosScan::cuda {

template <class Problem>
__global__ void empty_total_kernel(Problem const problem) {
  begin_behind_previous_grid();
  core::put_empty_total(problem);
}

/// Each launch is a kernel of its own to Kokkos Tools.
class ShownLaunches final : public Launches {
 public:
  ShownLaunches(std::string const& label, Kokkos::Cuda const& exec) : label_(label), exec_(exec) {}
  void begin() override { event_.emplace(label_, exec_); }
  void end() override { event_.reset(); }

 private:
  std::string const& label_;
  Kokkos::Cuda const& exec_;
  std::optional<exec::KernelEvent> event_;
};

struct Backend {
  static constexpr char const* name   = "cuda";
  static constexpr auto const& grids  = grid_algorithms;
  static constexpr auto const& blocks = block_algorithms;

  /// What the device of an instance would need for a grid algorithm and has not, in words; null if it has all.
  static char const* lacks(Kokkos::Cuda const& exec, GridScan grid) {
    if (grid != GridScan::pipelined) return nullptr;
    OnDevice const device(exec);
    return pipelined::is_served(current_device())
               ? nullptr
               : "compute capability 9.0 or later and 227 KiB of shared memory to a block";
  }
  static bool serves(Kokkos::Cuda const& exec, GridScan grid) { return !lacks(exec, grid); }

  /// The length of the tiles that a scan of that type is divided into.
  template <class Value, class Choice>
  static std::size_t tile_length(Choice const& choice) {
    return cuda::tile_length<Value>(choice);
  }

  template <class Value>
  static constexpr std::size_t most_values(GridScan grid) {
    return cuda::most_values<Value>(grid);
  }

  template <class Value, class Choice>
  static core::Needs needs(Kokkos::Cuda const&, Choice const& choice, std::size_t n) {
    return n == 0 ? core::Needs{} : cuda::needs<Value>(choice, n);
  }

  template <class Choice, class Problem>
  static Plan plan(Kokkos::Cuda const& exec, Choice const& choice, Problem const& problem) {
    if (problem.n == 0) return {};
    OnDevice const device(exec);
    return cuda::plan(choice, problem, current_device);
  }

  template <class Choice, class Problem>
  static void run(Kokkos::Cuda const& exec, std::string const& label, Choice const& choice, Plan const& plan,
                  Problem const& problem, core::Memory const& memory) {
    OnDevice const device(exec);
    ShownLaunches shown(label, exec);
    cuda::run(Stream(exec.cuda_stream(), &shown), choice, plan, problem, memory);
  }

  /// Where segments begin, before they are scanned.
  template <class Integer>
  static void make_boundaries(Kokkos::Cuda const& exec, std::string const& label,
                              core::MakeBoundaries<Integer> const& make) {
    OnDevice const device(exec);
    ShownLaunches shown(label, exec);
    boundaries::run(Stream(exec.cuda_stream(), &shown), make);
  }
  /// The row of each item.
  template <class Offsets, class Array>
  static void put_owners(Kokkos::Cuda const& exec, std::string const& label, core::Rows<Offsets> const& rows,
                         core::PutOwner<Array> const& put) {
    OnDevice const device(exec);
    ShownLaunches shown(label, exec);
    rows::put_owners(Stream(exec.cuda_stream(), &shown), rows, put.owner, current_device());
  }
  /// What the items of each row combine to: of n items, whatever the number of rows.
  template <class Value, class Choice>
  static core::Needs needs_of_row_reductions(Choice const& choice, std::size_t n) {
    return rows::needs_of_reductions<Value>(choice, n);
  }
  template <class Choice, class Reduction>
  static void reduce_rows(Kokkos::Cuda const& exec, std::string const& label, Choice const& choice,
                          Reduction const& reduction, core::Memory const& memory) {
    OnDevice const device(exec);
    ShownLaunches shown(label, exec);
    rows::reduce(Stream(exec.cuda_stream(), &shown), choice, reduction, memory);
  }
  /// At most, of n elements.
  template <class Value>
  static core::Needs needs_of_lines(std::size_t n) {
    return columns::most_needs<Value>(n);
  }
  /// Lines whose neighbours are neighbours in memory.
  template <class LineScan>
  static columns::Plan plan_lines(LineScan const& scan) {
    return columns::plan(scan);
  }
  template <class LineScan>
  static void run_lines(Kokkos::Cuda const& exec, std::string const& label, columns::Plan const& plan,
                        LineScan const& scan, core::Memory const& memory) {
    OnDevice const device(exec);
    ShownLaunches shown(label, exec);
    columns::run(Stream(exec.cuda_stream(), &shown), plan, scan, memory, current_device);
  }

  /// Besides the other arrays.
  template <class Sort>
  static core::Needs needs_of_sort(Kokkos::Cuda const&, Sort const& sort) {
    return radix::needs(sort);
  }
  template <class Sort>
  static void sort(Kokkos::Cuda const& exec, std::string const& label, Sort const& sort, core::Memory const& memory) {
    OnDevice const device(exec);
    ShownLaunches shown(label, exec);
    radix::run(Stream(exec.cuda_stream(), &shown), sort, memory, current_device());
  }

  /// Sorts by a comparison.
  static constexpr std::size_t merged_value_bytes_most = cuda::merged_value_bytes_most;
  template <class Sort>
  static void merge_sort(Kokkos::Cuda const& exec, std::string const& label, Sort const& sort) {
    OnDevice const device(exec);
    ShownLaunches shown(label, exec);
    merge::run(Stream(exec.cuda_stream(), &shown), sort);
  }
  /// The same of segments, each by itself. What is needed depends on the size of keys alone.
  template <class Key>
  static core::Needs needs_of_marked_segments(std::size_t n) {
    return merge::needs_of_segments<Key>(n);
  }
  template <class Sort>
  static void merge_sort_marked_segments(Kokkos::Cuda const& exec, std::string const& label, Sort const& sort,
                                         std::uint32_t const* words, core::Memory const& memory) {
    OnDevice const device(exec);
    ShownLaunches shown(label, exec);
    merge::run_segments(Stream(exec.cuda_stream(), &shown), sort, words, memory);
  }

  template <class Histogram>
  static core::Needs needs_of_histogram(Kokkos::Cuda const&, Histogram const&) {
    return {};
  }
  template <class Histogram>
  static void count(Kokkos::Cuda const& exec, std::string const& label, Histogram const& histogram,
                    core::Memory const&) {
    OnDevice const device(exec);
    ShownLaunches shown(label, exec);
    histogram::run(Stream(exec.cuda_stream(), &shown), histogram, current_device());
  }

  template <class Problem>
  static void run_empty(Kokkos::Cuda const& exec, std::string const& label, Problem const& problem) {
    exec::KernelEvent const event(label, exec);
    OnDevice const device(exec);
    launch(exec.cuda_stream(), Grid{1, 1}, empty_total_kernel<Problem>, problem);
  }
};

}  // namespace KokkosScan::cuda
