// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

#include "arrays.hpp"
#include "lines.hpp"
#include "macros.hpp"

// Tridiagonal systems, by segments of neighbouring rows: what all rows of a segment say together is one row for its
// last unknown, and one equation for its first; that is made of the rows from left to right, two segments side by side
// become one (Wang 1981; in the plane of scans: the values of an up-sweep). When the unknowns at the ends of segments
// are known, each segment is solved by itself, which is the down-sweep. Whatever the segments are, this is elimination
// without pivoting in some order of the unknowns, each pivot being eliminated from rows that are as dominant as the
// given ones: so it is as stable for diagonally dominant systems as elimination from the first row to the last.
// Products of the 2 x 2 matrices of recursive doubling (Stone 1973) are not; docs/decisions/tridiagonal.md has what
// they leave.
namespace KokkosScan::core::tridiagonal {

/// lower x(before) + diagonal x(here) + upper x(behind) = right.
template <class T>
struct Row {
  T lower, diagonal, upper, right;
};
/// A row of no system: its unknown is 0.
template <class T>
KOKKOSSCAN_FUNCTION Row<T> no_row() {
  return {T(0), T(1), T(0), T(0)};
}

/// Their product, and 0 where the coefficient is: also beside a system that has no solution, whose unknowns may be NaN.
template <class T>
KOKKOSSCAN_FUNCTION T times(T const& coefficient, T const& value) {
  return coefficient * (coefficient == T(0) ? T(0) : value);
}

/// x(here) + upper x(behind) = right.
template <class T>
struct Eliminated {
  T upper, right;
};
template <class T>
KOKKOSSCAN_FUNCTION Eliminated<T> eliminate(Row<T> const& row) {
  T const inverse = T(1) / row.diagonal;
  return {row.upper * inverse, row.right * inverse};
}
/// What a row says when the unknown before it is expressed by its own; its `lower` says nothing more.
template <class T>
KOKKOSSCAN_FUNCTION Row<T> without_lower(Row<T> row, Eliminated<T> const& before) {
  row.diagonal = row.diagonal - times(row.lower, before.upper);
  row.right    = row.right - times(row.lower, before.right);
  return row;
}
/// The same where it is known.
template <class T>
KOKKOSSCAN_FUNCTION Row<T> behind_known(Row<T> row, T const& before) {
  row.right = row.right - times(row.lower, before);
  return row;
}
template <class T>
KOKKOSSCAN_FUNCTION T solved(Eliminated<T> const& row, T const& behind) {
  return row.right - times(row.upper, behind);
}

/// Neighbouring rows. `last` is a row for the last unknown, the one before the segment and the one behind it; and the
/// first unknown is right - before x(before the segment) - end x(last).
template <class T>
struct Segment {
  Row<T> last;
  T before, end, right;
};
template <class T>
KOKKOSSCAN_FUNCTION Segment<T> segment_of(Row<T> const& row) {
  return {row, T(0), T(-1), T(0)};
}

/// The last row of a segment when it is known what stands behind.
template <class T>
KOKKOSSCAN_FUNCTION Row<T> row_before(Row<T> const& last, Segment<T> const& behind) {
  return {last.lower, last.diagonal - times(last.upper, behind.before), -times(last.upper, behind.end),
          last.right - times(last.upper, behind.right)};
}

/// One row more.
template <class T>
KOKKOSSCAN_FUNCTION void append(Segment<T>& segment, Row<T> const& row) {
  T const inverse = T(1) / segment.last.diagonal;
  T const lower = segment.last.lower * inverse, upper = segment.last.upper * inverse;
  T const right  = segment.last.right * inverse;
  segment.before = segment.before - times(segment.end, lower);
  segment.right  = segment.right - times(segment.end, right);
  segment.end    = -times(segment.end, upper);
  segment.last   = {-times(row.lower, lower), row.diagonal - times(row.lower, upper), row.upper,
                    row.right - times(row.lower, right)};
}
/// The segment behind.
template <class T>
KOKKOSSCAN_FUNCTION void append(Segment<T>& segment, Segment<T> const& behind) {
  segment.last = row_before(segment.last, behind);
  append(segment, behind.last);
}

/// How many parts of that size there are.
constexpr std::size_t parts(std::size_t count, std::size_t size) { return count / size + (count % size != 0); }

/// Which of all lines: one of a row of neighbours.
struct LinePlace {
  std::ptrdiff_t row, neighbour;
};

/// A system along each line, of as many rows as a line has elements.
template <class T_>
struct Systems {
  using T = T_;

  LineShape shape;  // extents[0] is 1
  Lines<T const> lower, diagonal, upper, right;
  Lines<T> x;

  KOKKOSSCAN_FUNCTION std::size_t rows() const { return shape.length * shape.count(); }

  KOKKOSSCAN_FUNCTION LinePlace place(std::size_t line) const {
    if (shape.extents[1] == 1) return {0, static_cast<std::ptrdiff_t>(line)};
    std::size_t const row = line / shape.extents[2];
    return {static_cast<std::ptrdiff_t>(row), static_cast<std::ptrdiff_t>(line - row * shape.extents[2])};
  }
  template <class Element>
  KOKKOSSCAN_FUNCTION static Element& element(Lines<Element> const& lines, LinePlace const& line, std::size_t i) {
    return lines.data[line.row * lines.strides[1] + line.neighbour * lines.strides[2] +
                      static_cast<std::ptrdiff_t>(i) * lines.step];
  }

  /// What lies outside of a system is not read.
  KOKKOSSCAN_FUNCTION Row<T> row(LinePlace const& line, std::size_t i) const {
    return {i > 0 ? element(lower, line, i) : T(0), element(diagonal, line, i),
            i + 1 < shape.length ? element(upper, line, i) : T(0), element(right, line, i)};
  }
  KOKKOSSCAN_FUNCTION void store(LinePlace const& line, std::size_t i, T const& value) const {
    element(x, line, i) = value;
  }
};

/// The rows of one line as an array of rows, and where its unknowns go.
template <class T_>
struct OneSystem {
  using T = T_;

  Strided<T const> lower, diagonal, upper, right;
  Strided<T> x;
  std::size_t size;

  KOKKOSSCAN_FUNCTION OneSystem(Systems<T> const& systems, std::size_t line)
      : lower(array(systems.lower, systems.place(line))),
        diagonal(array(systems.diagonal, systems.place(line))),
        upper(array(systems.upper, systems.place(line))),
        right(array(systems.right, systems.place(line))),
        x(array(systems.x, systems.place(line))),
        size(systems.shape.length) {}

  KOKKOSSCAN_FUNCTION std::size_t count() const { return size; }
  KOKKOSSCAN_FUNCTION Row<T> row(std::size_t i) const {
    return {i > 0 ? lower[i] : T(0), diagonal[i], i + 1 < size ? upper[i] : T(0), right[i]};
  }
  KOKKOSSCAN_FUNCTION void store(std::size_t i, T const& value) const { x[i] = value; }

 private:
  template <class Element>
  KOKKOSSCAN_FUNCTION static Strided<Element> array(Lines<Element> const& lines, LinePlace const& line) {
    return {&Systems<T>::element(lines, line, 0), lines.step};
  }
};

/// The rows of the last unknowns of segments that lie side by side, which are a system again.
template <class T_>
struct SystemOfSegments {
  using T = T_;

  Segment<T> const* segments;
  T* ends;  // the unknowns
  std::size_t size;

  KOKKOSSCAN_FUNCTION std::size_t count() const { return size; }
  KOKKOSSCAN_FUNCTION Row<T> row(std::size_t k) const {
    return k + 1 < size ? row_before(segments[k].last, segments[k + 1]) : segments[k].last;
  }
  KOKKOSSCAN_FUNCTION void store(std::size_t k, T const& value) const { ends[k] = value; }
};

}  // namespace KokkosScan::core::tridiagonal
