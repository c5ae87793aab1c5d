// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <bit>
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
//  launches    1; of windows that are too wide for a tile 3, and 2 more for each further level of runs
//  bytes       2 n, and the end of each tile twice; of wide windows 4 n, and what scratch has twice
//  operations  4 n
//  progress    none: no team waits for another
namespace KokkosScan::portable::windows {

/// The elements of a run, which a thread keeps in registers: what is under way at once decides how fast memory is. Odd,
/// so that the threads of a warp, each at its own run, meet no bank of shared memory twice.
template <class Value>
inline constexpr int run_length = sizeof(Value) <= 4    ? 31
                                  : sizeof(Value) <= 8  ? 15
                                  : sizeof(Value) <= 16 ? 7
                                                        : 3;
/// That of windows which are narrower, of which a thread has several.
template <class Value>
inline constexpr int short_run_length = sizeof(Value) <= 8 ? 7 : 3;

/// A team has no more threads; so many teams are to be on a processor.
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
    constexpr int of_warp = 32 * Kernel::runs_of_thread;
    int const runs = tiling.lanes * (tiling.runs + tiling.whole), threads = (runs + of_warp - 1) / of_warp * 32;
    int const most = any.team_size_max(kernel, Kokkos::ParallelForTag());
    if (threads > most)
      throw std::runtime_error(label + ": Kokkos launches teams of no more than " + std::to_string(most) +
                               " threads, and " + std::to_string(threads) + " are needed");
    exec::dispatch(label, exec, policy(threads), kernel);
  }
}

/// The kernels of an execution space.
template <class Exec, class Scan>
struct Kernels {
  using Value = typename Scan::Value;

  static constexpr int long_run = run_length<Value>, short_run = short_run_length<Value>;
  static constexpr bool on_host = exec::is_on_host<Exec>;

  template <int length>
  static constexpr int runs_of_thread = long_run / length;
  template <Way way, int length>
  static constexpr How how = {way, on_host ? 0 : runs_of_thread<length>};
  template <Way way, int length>
  using Narrow = ScanWindows<Scan, length, how<way, length>, false>;
  template <Way way>
  using Wide = ScanWindows<Scan, long_run, how<way, long_run>, true>;
  template <Way way>
  using Aggregates = AggregateRuns<Scan, long_run, how<way, long_run>>;

  /// call(std::integral_constant<Way, way>)
  template <class Call>
  static auto with_way([[maybe_unused]] Way way, Call const& call) {
    if constexpr (Scan::side_by_side) {
      return call(std::integral_constant<Way, Way::one_line>());
    } else {
      if constexpr (!on_host)
        if (way == Way::rows) return call(std::integral_constant<Way, Way::rows>());
      return call(std::integral_constant<Way, Way::any>());
    }
  }
};

/// How the windows of lines are made, decided once.
template <class Exec, class Scan>
struct Plan {
  using Value   = typename Scan::Value;
  using Kernels = windows::Kernels<Exec, Scan>;

  static constexpr int long_run = Kernels::long_run, short_run = Kernels::short_run;

  bool by_long_runs;
  bool wide;
  Way way;
  core::WindowRuns runs;
  Tiling tiling;

  static Plan of(Exec const& exec, Scan const& scan) {
    std::size_t const width = scan.windows.width, bytes = scratch_of_team(exec);
    bool const by_long = width >= static_cast<std::size_t>(long_run);
    Plan plan{by_long, false, Way::any, core::WindowRuns(scan.windows, by_long ? long_run : short_run), {}};
    // A tile of which a quarter is the next one's, or else half; and rather that than lines one by one.
    auto const any_of = [&](auto const& shares, auto const& threads, auto const& lanes) {
      for (int const share : shares)
        for (int const some : lanes)
          for (int const of_team : threads)
            if (plan.serves(scan, bytes, of_team, some, share)) return true;
      return false;
    };
    constexpr int shares[] = {4, 2}, threads[] = {256, 512, 128, 64, 32}, side_by_side[] = {32, 16, 8}, one[] = {1};
    if (any_of(shares, threads, side_by_side) || any_of(shares, threads, one)) return plan;
    constexpr int no_share[] = {1}, of_wide[] = {256, 128, 64, 32, 16, 8}, all[] = {32, 16, 8, 1};
    plan.wide = true;
    any_of(no_share, of_wide, all);
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
  /// Whether there is room for tiles of so many runs.
  bool serves(Scan const& scan, std::size_t bytes, int threads, int most_lanes, int share) {
    int const most  = threads * (by_long_runs ? 1 : Kernels::template runs_of_thread<short_run>);
    int const lanes = lanes_of(scan, runs, most, most_lanes);
    if (lanes == 0) return false;
    way    = scan.are_rows() && lanes > 1 ? Way::rows : Way::any;
    tiling = tiling_of(scan, most / lanes, lanes);
    if (tiling.runs < 1 || (!wide && tiling.whole > most / lanes / share)) return false;
    return Kernels::with_way(way, [&](auto chosen) {
             constexpr Way as = decltype(chosen)::value;
             if (wide) return Kernels::template Wide<as>::scratch_bytes(tiling);
             return by_long_runs ? Kernels::template Narrow<as, long_run>::scratch_bytes(tiling)
                                 : Kernels::template Narrow<as, short_run>::scratch_bytes(tiling);
           }) <= bytes;
  }
  static std::size_t tiles_of(std::size_t runs, int in_tile) {
    auto const some = static_cast<std::size_t>(std::max(1, in_tile));
    return (runs + some - 1) / some;
  }

  /// Neighbouring lines that are neighbours in memory are taken so many at once, if there are as many; of others as
  /// many short ones as there is room for, or one. 0: not so.
  static int lanes_of(Scan const& scan, core::WindowRuns const& runs, int most, int lanes) {
    std::size_t const lines = scan.shape.count();
    if (scan.are_rows()) return lanes == 1 || scan.shape.extents[2] >= static_cast<std::size_t>(lanes) ? lanes : 0;
    if (lanes != 1) return 0;
    if (Scan::side_by_side) return 1;
    std::size_t const needed = runs.count + runs.whole;
    return static_cast<int>(std::clamp<std::size_t>(static_cast<std::size_t>(most) / needed, 1, lines));
  }
  /// A line has tiles of one length, and no more than it needs.
  Tiling tiling_of(Scan const& scan, int in_line, int lanes) const {
    auto const all       = static_cast<std::size_t>(in_line);
    std::size_t const of = wide ? 0 : runs.whole;  // that are the next tile's
    Tiling tiles{
        lanes, 0, 0, static_cast<int>(runs.rest), scan.are_rows(), std::countr_zero(static_cast<unsigned>(lanes)), 0};
    if (of < all) {
      std::size_t const most = std::min(all - of, runs.count), parts = (runs.count + most - 1) / most;
      tiles.runs = static_cast<int>((runs.count + parts - 1) / parts);
    }
    tiles.whole   = static_cast<int>(std::min<std::size_t>(of, 1 << 20));
    tiles.of_line = tiles_of(runs.count, tiles.runs);
    return tiles;
  }
};

/// Calls with the scan, or with that of lines of which each has a tile or more and elements side by side: these need no
/// more to be known of them than of one.
template <class Exec, class Scan, class Call>
auto with_lines(Scan const& scan, Call const& call) {
  if constexpr (!Scan::side_by_side && !exec::is_on_host<Exec>) {
    constexpr std::size_t runs_of_line = 16;
    using Value                        = typename Scan::Value;
    using Single = core::WindowScan<Value, typename Scan::From, typename Scan::Dest, typename Scan::Operator, true>;
    bool const is_long = scan.windows.results >= runs_of_line * run_length<Value>;
    if (scan.from.step == 1 && scan.dest.step == 1 && (is_long || scan.shape.count() == 1))
      return call(Single{scan.windows, scan.shape, scan.from, scan.dest, scan.op});
  }
  return call(scan);
}

template <class Scan>
std::size_t bytes_of_lines(Scan const& scan, std::size_t length) {
  return core::round_up(core::bytes_of(length * scan.shape.count(), sizeof(typename Scan::Value)), 128);
}

template <class Exec, class Scan>
std::size_t scratch_bytes(Exec const& exec, Scan const& given) {
  return windows::with_lines<Exec>(given, [&](auto const& scan) -> std::size_t {
    using Value     = typename Scan::Value;
    auto const plan = Plan<Exec, std::remove_cvref_t<decltype(scan)>>::of(exec, scan);
    if (!plan.wide || plan.runs.whole < 2) return 0;
    return windows::bytes_of_lines(scan, plan.runs.aggregates) + windows::bytes_of_lines(scan, plan.runs.count) +
           windows::scratch_bytes(
               exec, core::scan_of_middle(scan, plan.runs, static_cast<Value*>(nullptr), static_cast<Value*>(nullptr)));
  });
}

template <class Exec, class Scan>
void run(Exec const& exec, std::string const& label, Scan const& given, std::byte* scratch);

/// The aggregates of runs, and what they are in the middle of windows.
template <class Exec, class Scan>
typename Scan::Value const* make_middle(Exec const& exec, std::string const& label, Scan const& scan,
                                        Plan<Exec, Scan> const& plan, std::byte* scratch) {
  using Value   = typename Scan::Value;
  using Kernels = windows::Kernels<Exec, Scan>;
  if (plan.runs.whole < 2 || plan.runs.aggregates == 0) return nullptr;
  auto* const aggregates = reinterpret_cast<Value*>(scratch);
  scratch += windows::bytes_of_lines(scan, plan.runs.aggregates);
  auto* const middle = reinterpret_cast<Value*>(scratch);
  scratch += windows::bytes_of_lines(scan, plan.runs.count);
  Tiling const tiling = plan.of_aggregates();
  Kernels::with_way(plan.way, [&](auto way) {
    windows::launch(exec, label, tiling, scan.shape.count(),
                    typename Kernels::template Aggregates<decltype(way)::value>{scan, tiling, plan.runs, aggregates});
  });
  windows::run(exec, label, core::scan_of_middle(scan, plan.runs, aggregates, middle), scratch);
  return middle;
}

template <class Exec, class Scan>
void run(Exec const& exec, std::string const& label, Scan const& given, std::byte* scratch) {
  windows::with_lines<Exec>(given, [&](auto const& scan) {
    using Lines              = std::remove_cvref_t<decltype(scan)>;
    using Kernels            = windows::Kernels<Exec, Lines>;
    auto const plan          = Plan<Exec, Lines>::of(exec, scan);
    std::size_t const lines  = scan.shape.count();
    auto const* const middle = plan.wide ? windows::make_middle(exec, label, scan, plan, scratch) : nullptr;
    Kernels::with_way(plan.way, [&](auto chosen) {
      constexpr Way way = decltype(chosen)::value;
      using Long        = typename Kernels::template Narrow<way, Kernels::long_run>;
      using Short       = typename Kernels::template Narrow<way, Kernels::short_run>;
      if (plan.wide)
        windows::launch(exec, label, plan.tiling, lines,
                        typename Kernels::template Wide<way>{scan, plan.tiling, plan.runs, middle});
      else if (plan.by_long_runs || Kernels::long_run == Kernels::short_run)
        windows::launch(exec, label, plan.tiling, lines, Long{scan, plan.tiling, plan.runs, nullptr});
      else
        windows::launch(exec, label, plan.tiling, lines, Short{scan, plan.tiling, plan.runs, nullptr});
    });
  });
}

}  // namespace KokkosScan::portable::windows
