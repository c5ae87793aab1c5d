// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "../../core/memory.hpp"
#include "../../exec/kernel_event.hpp"
#include "../../exec/regions.hpp"
#include "kernels.hpp"

//  Windows on devices: a tile of each line to a team, and what windows reach of the next one
//  paper       van Herk 1992; Gil, Werman 1993
//  launches    1; of windows that are too wide for a tile 3, or 5, or 7 of more than some 2^20 elements
//  bytes       2 n, and the end of each tile twice; of wide windows 4 n, and a tenth
//  operations  4 n
//  progress    none: no team waits for another
namespace KokkosScan::portable::windows {

/// The elements of a run, which a thread keeps in registers. Odd, so that the threads of a warp, each at its own run,
/// meet no bank of shared memory twice.
template <class Value>
inline constexpr int run_length = sizeof(Value) <= 8    ? 15
                                  : sizeof(Value) <= 16 ? 7
                                                        : 3;
/// That of windows which are narrower.
template <class Value>
inline constexpr int short_run_length = sizeof(Value) <= 8    ? 7
                                        : sizeof(Value) <= 16 ? 5
                                                              : 3;

/// A team has a run for each thread, more than this many threads two or more; so many teams are to be on a processor.
inline constexpr int most_threads = 512, teams_at_once = 2;

/// What devices and hosts give a team of scratch, at most.
inline constexpr std::size_t scratch_of_device = 100 * 1024, scratch_of_host = 28 * 1024;

template <class Exec>
using Policy = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<most_threads, teams_at_once>>;

template <class Exec>
std::size_t scratch_of_team(Exec const& exec) {
  auto const given = static_cast<std::size_t>(Policy<Exec>(exec, 1, Kokkos::AUTO).scratch_size_max(0));
  return std::min(given, exec::is_on_host<Exec> ? scratch_of_host : scratch_of_device);
}

/// Kokkos 4 takes bytes as an int, Kokkos 5.2 as a std::size_t.
struct Bytes {
  std::size_t count;
  operator int() const { return static_cast<int>(count); }
  operator std::size_t() const { return count; }
};

template <class Exec, class Kernel>
void launch(Exec const& exec, std::string const& label, Tiling const& tiling, std::size_t lines, Kernel const& kernel) {
  std::size_t const all =
      (lines + static_cast<std::size_t>(tiling.lanes) - 1) / static_cast<std::size_t>(tiling.lanes) * tiling.of_line;
  constexpr auto most_teams = static_cast<std::size_t>(std::numeric_limits<int>::max());
  if (all > most_teams)
    throw std::runtime_error(label + ": " + std::to_string(all) + " tiles of so many short lines are more than the " +
                             std::to_string(most_teams) + " teams that Kokkos can launch; call it for parts");
  auto const teams  = static_cast<int>(all);
  auto const policy = [&](auto size) {
    Policy<Exec> of_teams(exec, teams, size);
    of_teams.set_scratch_size(0, Kokkos::PerTeam(Bytes{Kernel::scratch_bytes(tiling)}));
    return of_teams;
  };
  auto const any = policy(Kokkos::AUTO);
  if constexpr (exec::is_on_host<Exec>) {
    exec::dispatch(label, exec, any, kernel);
  } else {
    int const runs = tiling.lanes * (tiling.runs + tiling.whole), warps = (runs + 31) / 32 * 32;
    int const most = std::min(most_threads, any.team_size_max(kernel, Kokkos::ParallelForTag()));
    exec::dispatch(label, exec, policy(std::min(warps, most)), kernel);
  }
}

/// How the windows of lines are made, decided once.
template <class Scan>
struct Plan {
  using Value = typename Scan::Value;

  static constexpr int long_run = run_length<Value>, short_run = short_run_length<Value>;

  template <int length>
  using Narrow = ScanWindows<Scan, length, false>;
  using Wide   = ScanWindows<Scan, long_run, true>;

  bool by_long_runs;
  bool wide;
  core::WindowRuns runs;
  Tiling tiling;

  template <class Exec>
  static Plan of(Exec const& exec, Scan const& scan) {
    std::size_t const width = scan.windows.width, bytes = scratch_of_team(exec);
    bool const by_long = width >= static_cast<std::size_t>(long_run);
    Plan plan{by_long, false, core::WindowRuns(scan.windows, by_long ? long_run : short_run), {}};
    auto const serves = [&](int threads, int lanes, int share) {
      plan.tiling = plan.tiling_of(scan, threads, lanes, false);
      if (plan.tiling.runs < 1 || plan.tiling.whole > threads / lanes / share) return false;
      return (by_long ? Narrow<long_run>::scratch_bytes(plan.tiling) : Narrow<short_run>::scratch_bytes(plan.tiling)) <=
             bytes;
    };
    // A tile of which a quarter is the next one's, or else half.
    for (int const share : {4, 2})
      for (int const threads : {256, 512, 1024, 128, 64, 32})
        for (int const lanes : {32, 16, 8, 1})
          if (int const some = lanes_of(scan, plan.runs, threads, lanes))
            if (serves(threads, some, share)) return plan;
    plan.wide = true;
    for (int const threads : {256, 128, 64, 32, 16, 8})
      for (int const lanes : {32, 16, 8, 1})
        if (int const some = lanes_of(scan, plan.runs, threads, lanes)) {
          plan.tiling = plan.tiling_of(scan, threads, some, true);
          if (plan.tiling.runs >= 1 && Wide::scratch_bytes(plan.tiling) <= bytes) return plan;
        }
    return plan;
  }

  /// The tiles of the aggregates of runs.
  Tiling of_aggregates() const {
    Tiling tiles  = tiling;
    tiles.whole   = 0;
    tiles.of_line = tiles_of(runs.aggregates, tiles.runs);
    return tiles;
  }

 private:
  static std::size_t tiles_of(std::size_t runs, int in_tile) {
    auto const some = static_cast<std::size_t>(std::max(1, in_tile));
    return (runs + some - 1) / some;
  }

  /// Neighbouring lines that are neighbours in memory are taken so many at once, if there are as many; of others as
  /// many short ones as there is room for, or one. 0: not so.
  static int lanes_of(Scan const& scan, core::WindowRuns const& runs, int threads, int lanes) {
    std::size_t const lines = scan.shape.count();
    if (scan.are_rows()) return lanes == 1 || scan.shape.extents[2] >= static_cast<std::size_t>(lanes) ? lanes : 0;
    if (lanes != 1) return 0;
    if (Scan::side_by_side) return 1;
    std::size_t const needed = runs.count + runs.whole;
    return static_cast<int>(std::clamp<std::size_t>(static_cast<std::size_t>(threads) / needed, 1, lines));
  }
  Tiling tiling_of(Scan const& scan, int threads, int lanes, bool of_wide) const {
    auto const all       = static_cast<std::size_t>(threads / lanes);
    std::size_t const of = of_wide ? 0 : runs.whole;  // that are the next tile's
    Tiling tiles{lanes, 0, 0, static_cast<int>(runs.rest), scan.are_rows(), 0};
    if (of < all) tiles.runs = static_cast<int>(std::min(all - of, runs.count));
    tiles.whole   = static_cast<int>(std::min<std::size_t>(of, 1 << 20));
    tiles.of_line = tiles_of(runs.count, tiles.runs);
    return tiles;
  }
};

template <class Scan>
std::size_t bytes_of_lines(Scan const& scan, std::size_t length) {
  return core::round_up(core::bytes_of(length * scan.shape.count(), sizeof(typename Scan::Value)), 128);
}

template <class Exec, class Scan>
std::size_t scratch_bytes(Exec const& exec, Scan const& scan) {
  auto const plan = Plan<Scan>::of(exec, scan);
  if (!plan.wide || plan.runs.whole < 2) return 0;
  return windows::bytes_of_lines(scan, plan.runs.aggregates) + windows::bytes_of_lines(scan, plan.runs.count) +
         windows::scratch_bytes(exec, core::scan_of_middle(scan, plan.runs, static_cast<typename Scan::Value*>(nullptr),
                                                           static_cast<typename Scan::Value*>(nullptr)));
}

template <class Exec, class Scan>
void run(Exec const& exec, std::string const& label, Scan const& scan, std::byte* scratch) {
  using Value             = typename Scan::Value;
  using Plan              = windows::Plan<Scan>;
  auto const plan         = Plan::of(exec, scan);
  std::size_t const lines = scan.shape.count();
  if (plan.wide) {
    Value* middle = nullptr;
    if (plan.runs.whole > 1 && plan.runs.aggregates > 0) {
      auto* const aggregates = reinterpret_cast<Value*>(scratch);
      scratch += windows::bytes_of_lines(scan, plan.runs.aggregates);
      middle = reinterpret_cast<Value*>(scratch);
      scratch += windows::bytes_of_lines(scan, plan.runs.count);
      Tiling const tiling = plan.of_aggregates();
      windows::launch(exec, label, tiling, lines,
                      AggregateRuns<Scan, Plan::long_run>{scan, tiling, plan.runs, aggregates});
      windows::run(exec, label, core::scan_of_middle(scan, plan.runs, aggregates, middle), scratch);
    }
    windows::launch(exec, label, plan.tiling, lines, typename Plan::Wide{scan, plan.tiling, plan.runs, middle});
  } else if (plan.by_long_runs || Plan::long_run == Plan::short_run) {
    windows::launch(exec, label, plan.tiling, lines,
                    typename Plan::template Narrow<Plan::long_run>{scan, plan.tiling, plan.runs, nullptr});
  } else {
    windows::launch(exec, label, plan.tiling, lines,
                    typename Plan::template Narrow<Plan::short_run>{scan, plan.tiling, plan.runs, nullptr});
  }
}

}  // namespace KokkosScan::portable::windows
