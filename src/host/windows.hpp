// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include "../core/memory.hpp"
#include "../core/tiles.hpp"
#include "launch.hpp"
#include "window_runs.hpp"
#include "workers.hpp"

//  Windows on hosts: each worker has a share of the runs
//  paper       van Herk 1992; Gil, Werman 1993
//  launches    1; of windows that are wider than a run may be 3, or 5 of some 2^28 elements
//  bytes       2 n; of wide windows 4 n, of which n are in the caches
//  operations  3 n; of wide windows 4 n; of narrow ones 2 log width n, by vectors
//  progress    none: no worker waits for another
namespace KokkosScan::host::windows {

/// How the windows of a line are made, decided once.
template <class Scan>
struct Plan {
  using Value = typename Scan::Value;

  std::size_t lanes;   // neighbouring lines that are taken together
  bool doubles;        // windows are narrow
  std::size_t groups;  // of lines, in all rows
  core::WindowRuns runs;

  static Plan of(Scan const& scan) {
    std::size_t const lanes = lanes_of(scan), width = scan.windows.width;
    bool const doubles = width < least_for_runs;
    return {lanes, doubles, scan.shape.rows() * groups_in_row(scan, lanes),
            core::WindowRuns(scan.windows, doubles ? std::max<std::size_t>(1, doubled_results / lanes)
                                                   : length_of_runs(width, lanes))};
  }
  static std::size_t groups_in_row(Scan const& scan, std::size_t lanes) {
    return (scan.shape.extents[2] + lanes - 1) / lanes;
  }

  bool has_middle() const { return !doubles && runs.whole > 1; }
  std::size_t items() const { return groups * runs.count; }
  std::size_t values_of_worker(Scan const& scan) const {
    return lanes * (doubles ? 2 * runs.length + scan.windows.width : runs.length);
  }

 private:
  static std::size_t lanes_of(Scan const& scan) {
    return scan.are_rows() ? std::min(scan.shape.extents[2], most_lanes<Value>) : 1;
  }
  /// As long as the windows, or such that not much is left of those.
  static std::size_t length_of_runs(std::size_t width, std::size_t lanes) {
    std::size_t const most = std::max<std::size_t>(least_for_runs, bytes_of_run / sizeof(Value) / lanes);
    return width / ((width + most - 1) / most);
  }
};

template <class Exec>
class Runner {
 public:
  Runner(Exec const& exec, std::string const& label) : exec_(exec), label_(label), threads_(threads_for(exec)) {}

  template <class Scan>
  std::size_t scratch_bytes(Scan const& scan) const {
    auto const plan   = Plan<Scan>::of(scan);
    std::size_t bytes = bytes_of_workers(scan, plan);
    if (plan.has_middle())
      bytes += bytes_of_lines(scan, plan.runs.aggregates) + bytes_of_lines(scan, plan.runs.count) +
               scratch_bytes(middle(scan, plan, nullptr));
    return bytes;
  }

  template <class Scan>
  void run(Scan const& scan, std::byte* scratch) const {
    using Value          = typename Scan::Value;
    auto const plan      = Plan<Scan>::of(scan);
    std::byte* const own = scratch;
    Value const* results = nullptr;
    if (plan.has_middle()) {
      std::byte* const aggregates = scratch + bytes_of_workers(scan, plan);
      std::byte* const made       = aggregates + bytes_of_lines(scan, plan.runs.aggregates);
      auto const inner            = middle(scan, plan, aggregates);
      results                     = inner.dest.data;
      for_items(scan, plan, plan.groups * plan.runs.aggregates, plan.runs.aggregates, own,
                [&](auto& group, std::size_t k) {
                  group.aggregate(plan.runs.first + k, const_cast<Value*>(inner.from.data));
                });
      run(inner, made + bytes_of_lines(scan, plan.runs.count));
    }
    for_items(scan, plan, plan.items(), plan.runs.count, own, [&](auto& group, std::size_t k) {
      std::size_t const begin = k * plan.runs.length, end = std::min(scan.windows.results, begin + plan.runs.length);
      if (plan.doubles)
        group.by_doubling(begin, end);
      else
        group.by_runs(begin, end, results);
    });
  }

 private:
  template <class Scan>
  static std::size_t bytes_of_lines(Scan const& scan, std::size_t length) {
    return core::round_up(core::bytes_of(length * scan.shape.count(), sizeof(typename Scan::Value)), line_bytes);
  }
  template <class Scan>
  static std::size_t bytes_of_worker(Scan const& scan, Plan<Scan> const& plan) {
    return core::round_up(plan.values_of_worker(scan) * sizeof(typename Scan::Value), line_bytes);
  }
  template <class Scan>
  std::size_t bytes_of_workers(Scan const& scan, Plan<Scan> const& plan) const {
    return static_cast<std::size_t>(threads_) * bytes_of_worker(scan, plan);
  }
  template <class Scan>
  static auto middle(Scan const& scan, Plan<Scan> const& plan, std::byte* aggregates) {
    using Value = typename Scan::Value;
    auto* const results =
        aggregates ? reinterpret_cast<Value*>(aggregates + bytes_of_lines(scan, plan.runs.aggregates)) : nullptr;
    return core::scan_of_middle(scan, plan.runs, reinterpret_cast<Value const*>(aggregates), results);
  }

  /// f(group, k) for each of so many k of each group of lines.
  template <class Scan, class F>
  void for_items(Scan const& scan, Plan<Scan> const& plan, std::size_t items, std::size_t of_group, std::byte* own,
                 F const& f) const {
    std::size_t const bytes = core::bytes_of(scan.windows.elements * scan.shape.count(), sizeof(typename Scan::Value));
    std::size_t const size  = sizeof(typename Scan::Value);
    Shared const all{.seconds = seconds_alone(bytes / size, size), .parts = items};
    KokkosWorkers<Exec> const workers(exec_, label_, bytes > tile_bytes ? workers_for(exec_, all) : 1);
    auto const work = [&](int worker, Failure const&) {
      core::Tile const share = core::chunk_of(items, worker, workers.size());
      auto* const buffer =
          reinterpret_cast<typename Scan::Value*>(own + static_cast<std::size_t>(worker) * bytes_of_worker(scan, plan));
      for (std::size_t item = share.begin; item < share.end;) {
        std::size_t const g = item / of_group, begin = item - g * of_group;
        std::size_t const end = std::min(of_group, begin + (share.end - item));
        with_group(scan, plan, g, buffer, [&](auto group) {
          for (std::size_t k = begin; k < end; ++k) f(group, k);
        });
        item += end - begin;
      }
    };
    host::launch(workers, work);
  }

  template <class Scan, class F>
  static void with_group(Scan const& scan, Plan<Scan> const& plan, std::size_t g, typename Scan::Value* buffer,
                         F const& f) {
    std::size_t const in_row = Plan<Scan>::groups_in_row(scan, plan.lanes);
    std::size_t const first  = g % in_row * plan.lanes;
    std::size_t const line   = g / in_row * scan.shape.extents[2] + first;
    if constexpr (Scan::side_by_side) {
      f(GroupOfLines<Scan, Lie::side_by_side>(scan, plan.runs, line, 1, buffer));
    } else {
      if (scan.are_rows())
        f(GroupOfLines<Scan, Lie::in_rows>(scan, plan.runs, line, std::min(plan.lanes, scan.shape.extents[2] - first),
                                           buffer));
      else if (scan.from.step == 1 && scan.dest.step == 1)
        f(GroupOfLines<Scan, Lie::side_by_side>(scan, plan.runs, line, 1, buffer));
      else
        f(GroupOfLines<Scan, Lie::apart>(scan, plan.runs, line, 1, buffer));
    }
  }

  Exec const& exec_;
  std::string const& label_;
  int threads_;
};

}  // namespace KokkosScan::host::windows
