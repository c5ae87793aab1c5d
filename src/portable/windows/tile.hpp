// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
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

/// How the elements of a team's lines lie: side by side, of one line; in rows, of which each has one of each line; or
/// as they are.
enum class Way { one_line, rows, any };

/// How teams share the windows of lines.
struct Tiling {
  int lanes;            // lines of a team
  int runs;             // in each of them, in which windows begin
  int whole, rest;      // of a window that a team sees as one: runs, and elements
  bool rows;            // whether neighbouring lines are neighbours in memory
  int log_lanes;        // of rows, whose lanes are a power of two
  std::size_t of_line;  // tiles
};

/// The lines that a team has.
struct Place {
  std::size_t line;    // the first
  int lines;           // how many
  std::size_t result;  // the first of each, which is the place of its window, too

  /// No more teams than an int counts are launched.
  KOKKOS_FUNCTION Place(Tiling const& tiling, core::LineShape const& shape, int team, int results) {
    auto const tile = static_cast<unsigned>(team), of_line = static_cast<unsigned>(tiling.of_line);
    unsigned const some      = tile / of_line;
    line                     = static_cast<std::size_t>(some) * static_cast<std::size_t>(tiling.lanes);
    result                   = static_cast<std::size_t>(tile - some * of_line) * static_cast<std::size_t>(results);
    std::size_t const behind = shape.count() - line;
    lines = behind < static_cast<std::size_t>(tiling.lanes) ? static_cast<int>(behind) : tiling.lanes;
  }
};

/// How many lines a team has: one, where that is known before, for which nothing need be divided.
template <Way way>
KOKKOS_FUNCTION int lanes_of(Tiling const& tiling) {
  return way == Way::one_line ? 1 : tiling.lanes;
}

/// One of the lines, and where in it.
struct At {
  int lane, place;
};
/// Of places in scratch, where those of all lines are side by side.
template <Way way>
KOKKOS_FUNCTION At at_of(Tiling const& tiling, int v) {
  if constexpr (way == Way::one_line) {
    return {0, v};
  } else if constexpr (way == Way::rows) {
    return {v & (tiling.lanes - 1), v >> tiling.log_lanes};
  } else {
    int const place = v / tiling.lanes;
    return {v - place * tiling.lanes, place};
  }
}

/// Where a line begins; by divisions of 32 bits, if these will do: of 64 bits they take longer than a thread's run.
template <class Element>
KOKKOS_FUNCTION Element* line_of(core::Lines<Element> const& lines, core::LineShape const& shape, std::size_t k) {
  auto const fits = [](std::size_t x) { return x <= 0xffffffffU; };
  if (!fits(k) || !fits(shape.extents[1]) || !fits(shape.extents[2])) return lines.line(shape, k);
  auto const line = static_cast<std::uint32_t>(k), beside = static_cast<std::uint32_t>(shape.extents[2]),
             rows         = static_cast<std::uint32_t>(shape.extents[1]);
  std::uint32_t const row = line / beside, slice = row / rows;
  return lines.data + static_cast<std::ptrdiff_t>(slice) * lines.strides[0] +
         static_cast<std::ptrdiff_t>(row - slice * rows) * lines.strides[1] +
         static_cast<std::ptrdiff_t>(line - row * beside) * lines.strides[2];
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
