// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <string>

#include "../core/line_reduction.hpp"
#include "../exec/regions.hpp"
#include "boundaries.hpp"
#include "run_scan.hpp"

//  The aggregates of lines: what a scan along an axis has at the end of each, without the scan
//  launches    one, or two where lines are cut into parts; lines that lie along memory on a device: those of a scan
//  bytes       n, and those of the aggregates
//  memory      a value for each part; of those there are at most as many as threads are wanted, or lines
namespace KokkosScan::driver {

/// How many parts of all lines are worth it, and how long one is at least. Unmeasured: enough for the threads of any
/// device at present, and of any host.
template <bool on_host>
struct LinePartsWanted {
  static constexpr std::size_t in_all = on_host ? 1024 : std::size_t{1} << 18;
  static constexpr std::size_t least  = on_host ? 1024 : 32;
};

/// Leaves at the place of each line in scan.dest what its elements combine to. The lines are not empty.
template <class ExecOrHandle, class LineScan>
void reduce_lines(std::string const& label, ExecOrHandle const& exec_or_handle, LineScan const& scan) {
  using Value             = typename LineScan::Value;
  constexpr bool on_host  = exec::is_on_host<InstanceOf<ExecOrHandle>>;
  using Wanted            = LinePartsWanted<on_host>;
  bool const along_memory = scan.from.step == 1 || scan.from.step == -1;
  std::size_t const lines = scan.shape.count();
  auto const in_parts_by  = [&]<class Functor>(std::size_t groups, Functor functor) {
    auto& parts  = functor.parts;
    parts.length = core::length_of_line_parts(scan.shape, Wanted::in_all / groups, Wanted::least);
    parts.count  = (scan.shape.length + parts.length - 1) / parts.length;
    parts.values = nullptr;
    core::Needs needs;
    if (parts.count > 1) needs.scratch = core::bytes_of(parts.count * lines, sizeof(Value));
    auto const leases = driver::lease(exec_or_handle, needs);
    parts.values      = static_cast<Value*>(leases.memory().scratch);
    driver::for_each_index(label, exec_or_handle, groups * parts.count, lines * scan.shape.length, functor);
    if (parts.count > 1)
      driver::for_each_index(label, exec_or_handle, lines, lines * parts.count,
                              core::ReduceParts<LineScan>{scan, parts});
  };
  if constexpr (!on_host)
    if (along_memory && scan.shape.length > 1) {
      if (core::are_side_by_side(scan.from, scan.shape, LineScan::reversed))
        return driver::run_scan(label, exec_or_handle, core::as_reduced_array_of_runs(scan));
      return driver::run_scan(label, exec_or_handle, core::as_reduced_runs(scan));
    }
  if constexpr (on_host)
    if (!along_memory) {
      core::ReducePartOfRows<LineScan> const by_rows{scan, {}};
      return in_parts_by(by_rows.blocks(), by_rows);
    }
  in_parts_by(lines, core::ReducePartOfLine<LineScan>{scan, {}});
}

}  // namespace KokkosScan::driver
