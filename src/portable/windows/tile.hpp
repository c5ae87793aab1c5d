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
    return between(windows.before, windows.end(), place, count);
  }
  KOKKOS_FUNCTION static Range between(std::size_t from, std::size_t to, std::size_t place, int count) {
    return {clamped(from, place, count), clamped(to, place, count)};
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

/// How many lines a team has: one, where that is known before, for which nothing need be divided.
template <class Scan>
KOKKOS_FUNCTION int lanes_of(Tiling const& tiling) {
  return Scan::side_by_side ? 1 : tiling.lanes;
}

/// Where the lines of a team begin.
template <class Element, bool side_by_side>
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
  /// Elements from one on, which may be before the first.
  struct From {
    Element** lines;
    std::ptrdiff_t step, first;
    KOKKOS_FUNCTION Element& operator()(int lane, int e) const { return lines[lane][(first + e) * step]; }
  };
  KOKKOS_FUNCTION From from(std::ptrdiff_t first) const { return {lines, step, first}; }
};
template <class Element>
struct LinesOfTeam<Element, true> {
  Element* line;

  template <class Member>
  KOKKOS_FUNCTION LinesOfTeam(Member const&, core::Lines<Element> const& all, core::LineShape const& shape,
                              Place const& place, int)
      : line(all.line(shape, place.line)) {}

  struct From {
    Element* first;
    KOKKOS_FUNCTION Element& operator()(int, int e) const { return first[e]; }
  };
  KOKKOS_FUNCTION From from(std::ptrdiff_t first) const { return {line + first}; }
};

/// keep(lane, e, load(lane, e)) for so many elements of each line, of those that there are. Each thread makes several
/// loads before it keeps what it has loaded: what is under way at once decides how fast memory is. What is not there is
/// loaded from the nearest place that is, and not kept.
template <bool has_all, class Value, class Scan, class Member, class Load, class Keep>
KOKKOS_FUNCTION void transfer(Member const& team, Tiling const& tiling, int count, Range const& there, int lines,
                              Load const& load, Keep const& keep) {
  constexpr int at_once = sizeof(Value) <= 8 ? 8 : 2;
  int const lanes = lanes_of<Scan>(tiling), threads = team.team_size(), all = count * lanes;
  auto const lane_of    = [&](int x) { return lanes == 1 ? 0 : tiling.rows ? x % lanes : x / count; };
  auto const element_of = [&](int x) { return lanes == 1 ? x : tiling.rows ? x / lanes : x % count; };
  auto const nearest    = [&](int e) { return e < there.begin ? there.begin : e < there.end ? e : there.end - 1; };
  auto const load_at    = [&](int x) -> Value {
    int const at = x < all ? x : all - 1, lane = lane_of(at), e = element_of(at);
    return has_all ? load(lane, e) : load(lane < lines ? lane : lines - 1, nearest(e));
  };
  auto const keep_at = [&](int x, Value const& value) {
    int const lane = lane_of(x), e = element_of(x);
    if (x < all && (has_all || (there.has(e) && lane < lines))) keep(lane, e, value);
  };
  Kokkos::parallel_for(Kokkos::TeamThreadRange(team, threads), [&](int thread) {
    using All = std::make_integer_sequence<int, at_once>;
    for (int first = thread; first < all; first += threads * at_once) {
      Slot<Value> loaded[static_cast<std::size_t>(at_once)];
      unrolled(All(), [&](int k) { put(loaded[k].value, load_at(first + k * threads)); });
      unrolled(All(), [&](int k) { keep_at(first + k * threads, loaded[k].value); });
    }
  });
}
template <class Value, class Scan, class Member, class Load, class Keep>
KOKKOS_FUNCTION void transfer(Member const& team, Tiling const& tiling, int count, Range const& there, int lines,
                              Load const& load, Keep const& keep) {
  if (there.begin == 0 && there.end == count && lines == lanes_of<Scan>(tiling))
    transfer<true, Value, Scan>(team, tiling, count, there, lines, load, keep);
  else if (there.begin < there.end)
    transfer<false, Value, Scan>(team, tiling, count, there, lines, load, keep);
}

/// Brings elements into scratch, as values: those that there are.
template <class Scan, class Member, class Lines, class Value = typename Scan::Value>
KOKKOS_FUNCTION void bring(Member const& team, Tiling const& tiling, Place const& place, Lines const& lines,
                           core::Windows const& windows, std::size_t first, int count, Value* values) {
  int const lanes = lanes_of<Scan>(tiling);
  auto const from = lines.from(static_cast<std::ptrdiff_t>(first) - static_cast<std::ptrdiff_t>(windows.before));
  auto const load = [&](int lane, int e) { return static_cast<Value>(from(lane, e)); };
  auto const keep = [&](int lane, int e, Value const& value) { put(values[e * lanes + lane], value); };
  transfer<Value, Scan>(team, tiling, count, Range::of(windows, first, count), place.lines, load, keep);
}

/// The elements of a run combined, if it has any.
template <int length, class Scan, class Value = typename Scan::Value>
KOKKOS_FUNCTION Maybe<Value> aggregate(Scan const& scan, Value const* values, int lanes, Range const& there,
                                       int begin) {
  int const first = begin > there.begin ? begin : there.begin;
  int const end   = begin + length < there.end ? begin + length : there.end;
  if (first >= end) return {};
  Value all(values[first * lanes]);
  if (end - first == length)
    unrolled(std::make_integer_sequence<int, length - 1>(),
             [&](int k) { put(all, scan.combine(all, values[(begin + k + 1) * lanes])); });
  else
    for (int k = first + 1; k < end; ++k) put(all, scan.combine(all, values[k * lanes]));
  return all;
}

}  // namespace KokkosScan::portable::windows
