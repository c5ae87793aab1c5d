// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>

#include "../core/tridiagonal_blocks.hpp"
#include "../exec/kernel_event.hpp"
#include "boundaries.hpp"
#include "function.hpp"
#include "sort_arrays.hpp"
#include "tridiagonal_by_thread.hpp"
#include "tridiagonal_systems.hpp"
#include "tridiagonal_tiles.hpp"

// Tridiagonal systems: from checked Views to what solves them, which is decided by their shape alone.
namespace KokkosScan::driver::tridiagonal {

/// The segments of all levels and their last unknowns, in scratch.
template <class T>
class LevelParts {
 public:
  LevelParts(Levels const& levels, Parts& parts)
      : segments_(parts.add<Segment<T>>(levels.all())), ends_(parts.add<T>(levels.all())) {}

  Segment<T>* segments(core::Memory const& memory) const { return Parts::at<Segment<T>>(memory, segments_); }
  T* ends(core::Memory const& memory) const { return Parts::at<T>(memory, ends_); }

 private:
  std::size_t segments_, ends_;
};

template <class Rows>
struct FoldGroup {
  Blocks<Rows> blocks;
  void operator()(std::size_t group) const { blocks.fold(group); }
};
template <class Rows>
struct SolveGroup {
  Blocks<Rows> blocks;
  void operator()(std::size_t group) const { blocks.solve(group); }
};

/// On hosts.
template <class T, class ExecOrHandle>
class ByBlocks {
 public:
  ByBlocks(std::string const& label, ExecOrHandle const& exec) : label_(label), exec_(exec) {}

  /// Few long lines are solved one after the other by all threads, others in step.
  static bool goes_in_step(core::LineShape const& shape) {
    constexpr std::size_t many_lines = 512, few_rows = 4096;
    return shape.count() > 1 && (shape.length <= few_rows || shape.count() >= many_lines);
  }

  void solve(Systems<T> const& systems) const {
    std::size_t const n = systems.shape.length, lines = systems.shape.count();
    if (goes_in_step(systems.shape)) {
      Parts parts{core::Needs{}};
      std::size_t const uppers = parts.add<T>(LinesInStep<T>::kept(n, lines));
      auto const leases        = driver::lease(exec_, parts.needs());
      LinesInStep<T> const in_step{systems, Parts::at<T>(leases.memory(), uppers)};
      driver::for_each_index(label_, exec_, in_step.groups(), systems.rows(), in_step);
    } else {
      Levels const levels = Levels::of(n, block_rows, rows_of_one);
      Parts parts{core::Needs{}};
      LevelParts<T> const of_levels(levels, parts);
      auto const leases = driver::lease(exec_, parts.needs());
      auto const memory = leases.memory();
      for (std::size_t line = 0; line < lines; ++line)
        solve_level(OneSystem<T>(systems, line), levels, 0, of_levels.segments(memory), of_levels.ends(memory));
    }
  }

 private:
  template <class Rows>
  struct Alone {
    Rows rows;
    void operator()(std::size_t) const { solve_alone(rows); }
  };

  template <class Rows>
  void solve_level(Rows const& rows, Levels const& levels, std::size_t level, Segment<T>* segments, T* ends) const {
    if (level == levels.size) return driver::for_each_index(label_, exec_, 1, rows.count(), Alone<Rows>{rows});
    Blocks<Rows> const blocks{rows, segments, ends};
    std::size_t const count = levels.counts[level];
    driver::for_each_index(label_, exec_, blocks.groups(), rows.count(), FoldGroup<Rows>{blocks});
    solve_level(SystemOfSegments<T>{segments, ends, count}, levels, level + 1, segments + count, ends + count);
    driver::for_each_index(label_, exec_, blocks.groups(), rows.count(), SolveGroup<Rows>{blocks});
  }

  std::string const& label_;
  ExecOrHandle const& exec_;
};

/// On devices. Nothing here asks where it runs.
template <class T, class ExecOrHandle>
class ByTiles {
  using Exec  = InstanceOf<ExecOrHandle>;
  using Shape = TileShape<T>;

  // Hosts, on which tests run this, lend less of the first level.
  static constexpr bool on_host      = exec::is_on_host<Exec>;
  static constexpr int scratch_level = on_host ? 1 : 0;

 public:
  ByTiles(std::string const& label, ExecOrHandle const& exec) : label_(label), exec_(exec) {}

  /// Whole lines that fit into a tile are solved there. Columns whose rows are read across want some neighbours in a
  /// tile, or they are solved one a thread, if there are enough of them; all others as one system, which falls apart.
  void solve(Systems<T> const& systems) const {
    constexpr std::size_t least_neighbours = 4, many_lines = 8192;
    std::size_t const lines = systems.shape.count();
    bool const across       = lines > 1 && distance(systems.diagonal.strides[2]) < distance(systems.diagonal.step);
    if (TilesOfLines<T>::serves(systems, across)) {
      TilesOfLines<T> const whole(systems, across);
      if (!across || lines < many_lines || whole.lines() >= least_neighbours) return solve_tiles(whole, nullptr);
    }
    if (across && lines >= many_lines)
      solve_by_threads(systems);
    else
      solve_as_one(systems);
  }

 private:
  static std::ptrdiff_t distance(std::ptrdiff_t stride) { return stride < 0 ? -stride : stride; }

  void solve_by_threads(Systems<T> const& systems) const {
    std::size_t const lines = systems.shape.count();
    Parts parts{core::Needs{}};
    std::size_t const uppers = parts.add<T>(systems.rows());
    auto const leases        = driver::lease(exec_, parts.needs());
    driver::for_each_index(label_, exec_, lines, systems.rows(),
                           LineByThread<T>{systems, Parts::at<T>(leases.memory(), uppers)});
  }

  void solve_as_one(Systems<T> const& systems) const {
    Levels const levels = Levels::of(systems.rows(), Shape::rows, 1);
    Parts parts{core::Needs{}};
    LevelParts<T> const of_levels(levels, parts);
    auto const leases = driver::lease(exec_, parts.needs());
    auto const memory = leases.memory();
    solve_level(TilesOfSystems<T>{systems}, levels, 0, of_levels.segments(memory), of_levels.ends(memory));
  }
  template <class Tiles>
  void solve_level(Tiles const& tiles, Levels const& levels, std::size_t level, Segment<T>* segments, T* ends) const {
    std::size_t const count = levels.counts[level];
    if (count == 1) return solve_tiles(tiles, nullptr);
    launch(count, FoldTiles<Tiles>{tiles, segments, scratch_level});
    solve_level(TilesOfSegments<T>{{segments, ends, count}}, levels, level + 1, segments + count, ends + count);
    solve_tiles(tiles, ends);
  }

  template <class Tiles>
  void solve_tiles(Tiles const& tiles, T const* ends) const {
    launch(tiles.tiles(), SolveTiles<Tiles>{tiles, ends, scratch_level});
  }
  template <class Functor>
  void launch(std::size_t tiles, Functor const& functor) const {
    driver::with_shown_label(label_, exec_, [&](std::string const& shown) {
      auto const& exec = driver::instance(exec_);
      Kokkos::TeamPolicy<Exec> policy(exec, static_cast<int>(tiles), on_host ? 1 : static_cast<int>(Shape::threads));
      policy.set_scratch_size(scratch_level, Kokkos::PerTeam(static_cast<int>(Shape::lent)));
      exec::dispatch(shown, exec, policy, functor);
    });
  }

  std::string const& label_;
  ExecOrHandle const& exec_;
};

/// Solves checked systems.
template <class T, class ExecOrHandle>
void solve(std::string const& label, ExecOrHandle const& exec, Systems<T> const& systems) {
  constexpr bool on_host = exec::is_on_host<InstanceOf<ExecOrHandle>>;
  using Way              = std::conditional_t<on_host, ByBlocks<T, ExecOrHandle>, ByTiles<T, ExecOrHandle>>;
  if (systems.rows() > 0) Way(label, exec).solve(systems);
}

/// The call: of one system, or along an axis.
struct Solve {
  template <class ExecOrHandle, class Lower, class Diagonal, class Upper, class Right, class X, class... Rest>
  static void call(std::string const& label, ExecOrHandle const& exec, Lower const& lower, Diagonal const& diagonal,
                   Upper const& upper, Right const& right, X const& x, Rest const&... rest) {
    using Exec               = InstanceOf<ExecOrHandle>;
    constexpr bool has_axis  = (is_axis<Rest> || ...);
    constexpr bool is_known  = sizeof...(Rest) == 0 || (sizeof...(Rest) == 1 && has_axis);
    constexpr bool backwards = (std::is_same_v<Rest, ReversedAxis> || ...);
    static_assert(is_known, "KokkosScan: behind x there may be an Axis, and nothing else");
    static_assert(!backwards, "KokkosScan: a system has no direction; write Axis{d}");
    if constexpr (is_known && !backwards)
      if constexpr (check_views<Exec, has_axis ? 2 : 1, has_axis ? 3 : 1, X, Lower, Diagonal, Upper, Right>()) {
        std::size_t axis = 0;
        if constexpr (has_axis) {
          int const d = std::get<0>(std::tie(rest...)).dimension;
          if (d < 0 || d >= static_cast<int>(X::rank())) throw_no_such_axis(label, d, "x", X::rank());
          axis = static_cast<std::size_t>(d);
        }
        tridiagonal::solve(label, exec, tridiagonal::systems_of(label, lower, diagonal, upper, right, x, axis));
      }
  }
};

}  // namespace KokkosScan::driver::tridiagonal
