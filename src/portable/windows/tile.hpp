// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <utility>

#include "../../core/maybe.hpp"
#include "../../core/windows.hpp"

// What a team has of some lines in its scratch: as many elements of each, those at one place side by side. And what
// all kernels of windows do with it.
namespace KokkosScan::portable::windows {

using core::Maybe;
using core::put;

/// f(0) ... f(count - 1), none of them in a loop: so what they keep in arrays stays in registers.
template <int... k, class F>
KOKKOS_FUNCTION void unrolled(std::integer_sequence<int, k...>, F const& f) {
  (f(k), ...);
}

/// A value that may not be there, as a loop makes it.
template <class Value>
union Slot {
  char nothing;
  Value value;
  KOKKOS_FUNCTION Slot() : nothing(0) {}
};

/// Those of the elements of a tile that there are.
struct Range {
  int begin, end;

  /// Of the elements from a place on, so many.
  KOKKOS_FUNCTION static Range of(core::Windows const& windows, std::size_t place, int count) {
    return {clamped(windows.before, place, count), clamped(windows.end(), place, count)};
  }
  KOKKOS_FUNCTION bool has(int e) const { return e >= begin && e < end; }
  KOKKOS_FUNCTION bool has_any(int from, int to) const { return (from > begin ? from : begin) < (to < end ? to : end); }

 private:
  KOKKOS_FUNCTION static int clamped(std::size_t at, std::size_t place, int count) {
    if (at <= place) return 0;
    return at - place < static_cast<std::size_t>(count) ? static_cast<int>(at - place) : count;
  }
};

/// How teams share the windows of lines.
struct Tiling {
  int lanes;            // lines of a team
  int runs;             // in each of them, in which windows begin
  int whole, rest;      // of a window that a team sees as one: runs, and elements
  bool rows;            // whether neighbouring lines are neighbours in memory
  std::size_t of_line;  // tiles
};

/// The lines that a team has.
struct Place {
  std::size_t line;    // the first
  int lines;           // how many
  std::size_t result;  // the first of each, which is the place of its window, too

  KOKKOS_FUNCTION Place(Tiling const& tiling, core::LineShape const& shape, int team, int results)
      : line(static_cast<std::size_t>(team) / tiling.of_line * static_cast<std::size_t>(tiling.lanes)),
        lines(shape.count() - line < static_cast<std::size_t>(tiling.lanes) ? static_cast<int>(shape.count() - line)
                                                                            : tiling.lanes),
        result(static_cast<std::size_t>(team) % tiling.of_line * static_cast<std::size_t>(results)) {}
};

/// f(lane, e) for so many elements of each line, of those that lie side by side one behind the other. Each thread makes
/// several loads before it keeps what it has loaded: what is under way at once decides how fast memory is.
template <class Member, class Load, class Keep>
KOKKOS_FUNCTION void transfer(Member const& team, Tiling const& tiling, int count, Load const& load, Keep const& keep) {
  constexpr int at_once = 8;
  int const lanes = tiling.lanes, threads = team.team_size(), all = count * lanes;
  auto const lane_of    = [&](int x) { return lanes == 1 ? 0 : tiling.rows ? x % lanes : x / count; };
  auto const element_of = [&](int x) { return lanes == 1 ? x : tiling.rows ? x / lanes : x % count; };
  Kokkos::parallel_for(Kokkos::TeamThreadRange(team, threads), [&](int thread) {
    using All = std::make_integer_sequence<int, at_once>;
    for (int first = thread; first < all; first += threads * at_once) {
      decltype(load(0, 0)) loaded[at_once];
      unrolled(All(), [&](int k) {
        int const x = first + k * threads;
        if (x < all) loaded[k] = load(lane_of(x), element_of(x));
      });
      unrolled(All(), [&](int k) {
        int const x = first + k * threads;
        if (x < all) keep(lane_of(x), element_of(x), loaded[k]);
      });
    }
  });
}

/// Where the lines of a team begin.
template <class Element>
struct LinesOfTeam {
  Element** lines;
  std::ptrdiff_t step;

  template <class Member>
  KOKKOS_FUNCTION LinesOfTeam(Member const& team, core::Lines<Element> const& all, core::LineShape const& shape,
                              Place const& place, int lanes)
      : lines(static_cast<Element**>(
            team.team_scratch(0).get_shmem_aligned(static_cast<std::size_t>(lanes) * sizeof(Element*), 64))),
        step(all.step) {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, place.lines),
                         [&](int g) { lines[g] = all.line(shape, place.line + static_cast<std::size_t>(g)); });
  }
  KOKKOS_FUNCTION Element& at(int lane, std::size_t i) const {
    return lines[lane][static_cast<std::ptrdiff_t>(i) * step];
  }
};

/// Brings elements into scratch, as values.
template <class Value, class Member, class Element>
KOKKOS_FUNCTION void bring(Member const& team, Tiling const& tiling, Place const& place,
                           LinesOfTeam<Element> const& lines, core::Windows const& windows, std::size_t first,
                           int count, Value* values) {
  Range const there = Range::of(windows, first, count);
  transfer(
      team, tiling, count,
      [&](int lane, int e) {
        Maybe<Value> value;
        if (there.has(e) && lane < place.lines)
          value.put(static_cast<Value>(lines.at(lane, first + static_cast<std::size_t>(e) - windows.before)));
        return value;
      },
      [&](int lane, int e, Maybe<Value> const& value) {
        if (value) put(values[e * tiling.lanes + lane], *value);
      });
}

/// The elements of a run combined, of which there are some.
template <int length, class Scan, class Value = typename Scan::Value>
KOKKOS_FUNCTION Maybe<Value> aggregate(Scan const& scan, Value const* values, int lanes, Range const& there,
                                       int begin) {
  Maybe<Value> all;
  unrolled(std::make_integer_sequence<int, length>(), [&](int k) {
    if (there.has(begin + k)) {
      Value const& value = values[(begin + k) * lanes];
      all.put(all ? scan.combine(*all, value) : value);
    }
  });
  return all;
}

}  // namespace KokkosScan::portable::windows
