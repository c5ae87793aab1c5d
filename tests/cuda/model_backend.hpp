// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan.hpp>
#include <cstring>
#include <new>
#include <string>

#include "cuda/streams.hpp"
#include "cuda_native/boundaries.hpp"
#include "cuda_native/columns/scan.hpp"
#include "cuda_native/histogram/histogram.hpp"
#include "cuda_native/rows/owners.hpp"
#include "cuda_native/rows/reduce.hpp"
#include "cuda_native/scan.hpp"
#include "cuda_native/sort/merge_sort.hpp"
#include "cuda_native/sort/radix_sort.hpp"
#include "cuda_native/sort/segmented_sort.hpp"

namespace test {

/// The CUDA kernels on the arrays of a host space, run by the execution model, those of a call as each other's
/// dependents. Handle<Exec, ModelBackend> takes them through the same driver and the same tests as any other backend.
struct ModelBackend {
  static constexpr char const* name   = "cuda, in the execution model";
  static constexpr auto const& grids  = KokkosScan::cuda::grid_algorithms;
  static constexpr auto const& blocks = KokkosScan::cuda::block_algorithms;

  template <class Value, class Choice>
  static std::size_t tile_length(Choice const& choice) {
    return KokkosScan::cuda::tile_length<Value>(choice);
  }
  template <class Value>
  static constexpr std::size_t most_values(KokkosScan::GridScan grid) {
    return KokkosScan::cuda::most_values<Value>(grid);
  }
  template <class Value, class Exec, class Choice>
  static KokkosScan::core::Needs needs(Exec const&, Choice const& choice, std::size_t n) {
    return n == 0 ? KokkosScan::core::Needs{} : KokkosScan::cuda::needs<Value>(choice, n);
  }
  template <class Exec, class Choice, class Scan>
  static KokkosScan::cuda::Plan plan(Exec const&, Choice const& choice, Scan const& scan) {
    if (scan.n == 0) return {};
    return KokkosScan::cuda::plan(choice, scan, KokkosScan::cuda::current_device);
  }
  template <class Exec, class Choice, class Scan>
  static void run(Exec const&, std::string const&, Choice const& choice, KokkosScan::cuda::Plan const& plan,
                  Scan const& scan, KokkosScan::core::Memory const& memory) {
    on_a_stream([&] { KokkosScan::cuda::run(nullptr, choice, plan, scan, memory); });
  }
  template <class Exec, class Integer>
  static void make_boundaries(Exec const&, std::string const&, KokkosScan::core::MakeBoundaries<Integer> const& make) {
    on_a_stream([&] { KokkosScan::cuda::boundaries::run(nullptr, make); });
  }
  template <class Exec, class Offsets, class Array>
  static void put_owners(Exec const&, std::string const&, KokkosScan::core::Rows<Offsets> const& rows,
                         KokkosScan::core::PutOwner<Array> const& put) {
    on_a_stream(
        [&] { KokkosScan::cuda::rows::put_owners(nullptr, rows, put.owner, KokkosScan::cuda::current_device()); });
  }
  template <class Value, class Choice>
  static KokkosScan::core::Needs needs_of_row_reductions(Choice const& choice, std::size_t n) {
    return KokkosScan::cuda::rows::needs_of_reductions<Value>(choice, n);
  }
  template <class Exec, class Choice, class Reduction>
  static void reduce_rows(Exec const&, std::string const&, Choice const& choice, Reduction const& reduction,
                          KokkosScan::core::Memory const& memory) {
    on_a_stream([&] { KokkosScan::cuda::rows::reduce(nullptr, choice, reduction, memory); });
  }
  template <class Value>
  static KokkosScan::core::Needs needs_of_lines(std::size_t n) {
    return KokkosScan::cuda::columns::most_needs<Value>(n);
  }
  template <class LineScan>
  static KokkosScan::cuda::columns::Plan plan_lines(LineScan const& scan) {
    return KokkosScan::cuda::columns::plan(scan);
  }
  template <class Exec, class LineScan>
  static void run_lines(Exec const&, std::string const&, KokkosScan::cuda::columns::Plan const& plan,
                        LineScan const& scan, KokkosScan::core::Memory const& memory) {
    on_a_stream([&] { KokkosScan::cuda::columns::run(nullptr, plan, scan, memory, KokkosScan::cuda::current_device); });
  }
  template <class Exec, class Sort>
  static KokkosScan::core::Needs needs_of_sort(Exec const&, Sort const& sort) {
    return KokkosScan::cuda::radix::needs(sort);
  }
  template <class Exec, class Sort>
  static void sort(Exec const&, std::string const&, Sort const& sort, KokkosScan::core::Memory const& memory) {
    on_a_stream([&] { KokkosScan::cuda::radix::run(nullptr, sort, memory, KokkosScan::cuda::current_device()); });
  }
  static constexpr std::size_t merged_value_bytes_most = KokkosScan::cuda::merged_value_bytes_most;
  template <class Exec, class Sort>
  static void merge_sort(Exec const&, std::string const&, Sort const& sort) {
    on_a_stream([&] { KokkosScan::cuda::merge::run(nullptr, sort); });
  }
  template <class Key>
  static KokkosScan::core::Needs needs_of_marked_segments(std::size_t n) {
    return KokkosScan::cuda::merge::needs_of_segments<Key>(n);
  }
  template <class Exec, class Sort>
  static void merge_sort_marked_segments(Exec const&, std::string const&, Sort const& sort, std::uint32_t const* words,
                                         KokkosScan::core::Memory const& memory) {
    on_a_stream([&] { KokkosScan::cuda::merge::run_segments(nullptr, sort, words, memory); });
  }

  template <class Exec, class Histogram>
  static KokkosScan::core::Needs needs_of_histogram(Exec const&, Histogram const&) {
    return {};
  }
  template <class Exec, class Histogram>
  static void count(Exec const&, std::string const&, Histogram const& histogram, KokkosScan::core::Memory const&) {
    on_a_stream([&] { KokkosScan::cuda::histogram::run(nullptr, histogram, KokkosScan::cuda::current_device()); });
  }
  template <class Exec, class Scan>
  static void run_empty(Exec const&, std::string const&, Scan const& scan) {
    KokkosScan::core::put_empty_total(scan);
  }
};

}  // namespace test
