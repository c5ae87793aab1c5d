// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <type_traits>

#include "../core/lines.hpp"
#include "run_scan.hpp"

namespace KokkosScan::driver {

/// Scans each line: one after the other where that is good, or by the backend's own way with lines; and as runs of one
/// scan where there is none, or a Handle names an algorithm. What else its options ask for changes no bit. A way that
/// needs memory has a plan, which says whether it serves the lines.
template <class ExecOrHandle, class LineScan>
void run_lines(std::string const& label, ExecOrHandle const& exec_or_handle, LineScan const& scan) {
  using Chosen             = typename BackendFor<ExecOrHandle>::type;
  auto const& exec         = instance(exec_or_handle);
  auto const& choice       = driver::choice(exec_or_handle);
  constexpr bool has_lines = requires { Chosen::run_lines(exec, label, scan); };
  if (choice.grid == GridScan::automatic && choice.block == BlockScan::automatic) {
    constexpr std::ptrdiff_t next = LineScan::reversed ? -1 : 1;
    if constexpr (requires { Chosen::pays_line_by_line(scan); })
      if (scan.from.step == next && scan.dest.step == next && Chosen::pays_line_by_line(scan)) {
        for (std::size_t k = 0; k < scan.shape.count(); ++k)
          driver::run_scan(label, exec_or_handle, core::line_of(scan, k));
        return;
      }
    if constexpr (has_lines)
      return driver::with_shown_label(label, exec_or_handle,
                                      [&](std::string const& shown) { Chosen::run_lines(exec, shown, scan); });
    if constexpr (requires { Chosen::plan_lines(scan); })
      if (auto const plan = Chosen::plan_lines(scan); plan.is_served()) {
        auto const run_in = [&](core::Memory const& memory) {
          driver::with_shown_label(label, exec_or_handle, [&](std::string const& shown) {
            Chosen::run_lines(exec, shown, plan, scan, memory);
          });
        };
        if (plan.needs.states == 0) return run_in({});
        auto const leases = driver::lease(exec_or_handle, plan.needs);
        return run_in(leases.memory());
      }
  }
  if constexpr (!has_lines || !std::is_same_v<std::remove_cvref_t<decltype(choice)>, core::Automatic>) {
    if constexpr (!has_lines && core::fills_array_of_lines<LineScan>)
      if (core::are_side_by_side(scan.from, scan.shape, LineScan::reversed) &&
          core::are_side_by_side(scan.dest, scan.shape, LineScan::reversed))
        return driver::run_scan(label, exec_or_handle, core::as_array_of_runs(scan));
    driver::run_scan(label, exec_or_handle, core::as_runs(scan));
  }
}

}  // namespace KokkosScan::driver
