// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <type_traits>

#include "lines.hpp"

//  Windows of fixed width, combined for every element
//  paper       van Herk 1992; Gil, Werman 1993
//  operations  about 3 an element, of any width
//
// Results are divided into runs of one length. A window begins within a run, reaches over whole runs and ends within
// another one: it is the rest of the run that it begins in, the aggregates of those in the middle, and the first
// elements behind them. Within a run the rests are made from its end to its beginning, and what is behind the middle as
// windows move on, so nothing is ever taken away again, and no operator needs an inverse. The aggregates in the middle
// are windows of runs, and made in the same way. Of runs as long as the windows there is no middle: that is what the
// papers have.
namespace KokkosScan::core {

/// The windows of a line. Places count from the first one of the first window, in which the line begins `before` places
/// later: window i are those from place i on, `width` of them, and of these the elements that there are.
struct Windows {
  std::size_t elements;
  std::size_t results;  // as many windows
  std::size_t before;   // the place of the first element
  std::size_t width;

  /// The place behind the last element.
  KOKKOSSCAN_FUNCTION std::size_t end() const { return before + elements; }
  /// Whether there are elements at the places from one on up to another.
  KOKKOSSCAN_FUNCTION bool has_any(std::size_t from, std::size_t to) const {
    return (from > before ? from : before) < (to < end() ? to : end());
  }
  /// The first window that has an element, and one behind the last.
  KOKKOSSCAN_FUNCTION std::size_t first_result() const { return before + 1 > width ? before + 1 - width : 0; }
  KOKKOSSCAN_FUNCTION std::size_t end_of_results() const { return results < end() ? results : end(); }
};

/// How windows are made of runs.
struct WindowRuns {
  std::size_t length;
  std::size_t whole;  // a window is as long as so many runs
  std::size_t rest;   // and so many elements
  std::size_t count;  // of the runs in which windows begin
  std::size_t first;  // the first run that an aggregate is made of, and how many are made: of those that have elements
  std::size_t aggregates;

  WindowRuns(Windows const& windows, std::size_t length_of_runs)
      : length(length_of_runs),
        whole(windows.width / length),
        rest(windows.width % length),
        count((windows.results + length - 1) / length),
        first(windows.before / length > 1 ? windows.before / length : 1),
        aggregates(0) {
    std::size_t const end = (windows.end() + length - 1) / length;
    if (end > first) aggregates = end - first;
  }

  /// Those in the middle, as windows of a line of aggregates.
  KOKKOSSCAN_FUNCTION Windows middle() const { return {aggregates, count, first - 1, whole - 1}; }
};

/// The windows of each line of an array.
template <class Value_, class From_, class Dest_, class Op_, bool side_by_side_>
struct WindowScan {
  using Value    = Value_;
  using From     = From_;
  using Dest     = Dest_;
  using Operator = Op_;

  static constexpr bool side_by_side = side_by_side_;  // the elements of lines

  Windows windows;
  LineShape shape;
  Lines<From const> from;
  Lines<Dest> dest;
  Operator op;

  KOKKOSSCAN_FUNCTION Value combine(Value const& left, Value const& right) const {
    return static_cast<Value>(op(left, right));
  }
  /// Whether neighbouring lines are neighbours in memory, and elements of one line are not.
  bool are_rows() const { return !side_by_side && from.step != 1 && from.strides[2] == 1 && dest.strides[2] == 1; }
};

/// The same lines, for reading.
template <class Element>
Lines<Element const> const_lines(Lines<Element> const& lines) {
  return {lines.data, lines.step, {lines.strides[0], lines.strides[1], lines.strides[2]}};
}
template <class Element>
  requires std::is_const_v<Element>
Lines<Element> const_lines(Lines<Element> const& lines) {
  return lines;
}

/// The lines of an array in scratch.
template <class Element>
Lines<Element> lines_in_scratch(Element* data, std::size_t length) {
  return {data, 1, {0, 0, static_cast<std::ptrdiff_t>(length)}};
}

/// The scan of the runs in the middle of windows, from their aggregates into scratch.
template <class Scan, class Value = typename Scan::Value>
auto scan_of_middle(Scan const& scan, WindowRuns const& runs, Value const* aggregates, Value* results) {
  return WindowScan<Value, Value, Value, typename Scan::Operator, true>{runs.middle(),
                                                                        {runs.count, {1, 1, scan.shape.count()}},
                                                                        lines_in_scratch(aggregates, runs.aggregates),
                                                                        lines_in_scratch(results, runs.count),
                                                                        scan.op};
}

}  // namespace KokkosScan::core
