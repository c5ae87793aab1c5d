// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <new>

#include "by_key.hpp"
#include "problem.hpp"

// Scans along an axis of an array of several dimensions: one for each of its lines along that axis. All lines one after
// the other are scanned as runs of one length; where there is a better way, line by line.
namespace KokkosScan::core {

inline constexpr int dimensions_of_lines = 3;  // most, beside the axis

/// How many elements a line has, and how many lines there are in each of the other dimensions, the last of which goes
/// fastest: along it lines are neighbours in memory.
struct LineShape {
  std::size_t length                       = 0;
  std::size_t extents[dimensions_of_lines] = {1, 1, 1};

  KOKKOSSCAN_FUNCTION std::size_t count() const { return extents[0] * extents[1] * extents[2]; }
  /// How many rows of neighbours there are.
  KOKKOSSCAN_FUNCTION std::size_t rows() const { return extents[0] * extents[1]; }
};

/// Where lines are in memory.
template <class Element_>
struct Lines {
  using Element = Element_;

  Element* data;
  std::ptrdiff_t step;                          // from one element of a line to the next
  std::ptrdiff_t strides[dimensions_of_lines];  // from one line to the next in each of the other dimensions

  /// The first element of the first line of a row.
  KOKKOSSCAN_FUNCTION Element* row(LineShape const& shape, std::size_t r) const {
    return data + static_cast<std::ptrdiff_t>(r / shape.extents[1]) * strides[0] +
           static_cast<std::ptrdiff_t>(r % shape.extents[1]) * strides[1];
  }
  KOKKOSSCAN_FUNCTION Element* line(LineShape const& shape, std::size_t k) const {
    return row(shape, k / shape.extents[2]) + static_cast<std::ptrdiff_t>(k % shape.extents[2]) * strides[2];
  }
};

/// What stands before the first elements of neighbouring lines, those of a row from one on: nothing (NoInit), one start
/// for all, or an element of each.
template <class Value, class Start>
struct Starts {
  Start const& start;

  KOKKOSSCAN_FUNCTION Starts(Start const& all, LineShape const&, std::size_t, std::size_t) : start(all) {}
  KOKKOSSCAN_FUNCTION Maybe<Value> operator[](std::size_t) const { return value_of_start<Value>(start); }
};
template <class Value, class Element>
struct Starts<Value, Lines<Element>> {
  Element* first;
  std::ptrdiff_t stride;

  KOKKOSSCAN_FUNCTION Starts(Lines<Element> const& all, LineShape const& shape, std::size_t row, std::size_t begin)
      : first(all.row(shape, row) + static_cast<std::ptrdiff_t>(begin) * all.strides[2]), stride(all.strides[2]) {}
  KOKKOSSCAN_FUNCTION Maybe<Value> operator[](std::size_t k) const {
    return static_cast<Value>(first[static_cast<std::ptrdiff_t>(k) * stride]);
  }
};

/// A scan of each line.
template <Kind kind_, bool reversed_, class Value_, class From_, class Dest_, class Op_, class Unary_, class Start_>
struct LineScan {
  using Value    = Value_;
  using From     = From_;
  using Dest     = Dest_;
  using Operator = Op_;
  using Unary    = Unary_;
  using Start    = Start_;

  static constexpr Kind kind     = kind_;
  static constexpr bool reversed = reversed_;  // steps are negative

  LineShape shape;
  Lines<From> from;
  Lines<Dest> dest;
  Operator op;
  Unary unary;
  Start start;

  KOKKOSSCAN_FUNCTION auto starts_of(std::size_t row, std::size_t begin) const {
    return Starts<Value, Start>(start, shape, row, begin);
  }
  KOKKOSSCAN_FUNCTION Maybe<Value> start_of(std::size_t line) const {
    return starts_of(line / shape.extents[2], line % shape.extents[2])[0];
  }
  KOKKOSSCAN_FUNCTION Value make(From const& element) const { return static_cast<Value>(unary(element)); }
  KOKKOSSCAN_FUNCTION Value combine(Value const& left, Value const& right) const {
    return static_cast<Value>(op(left, right));
  }
};

/// The elements of all lines, of which the first of each begins a run.
template <class LineScan>
struct FromLines {
  using T = typename LineScan::Value;

  LineScan scan;

  KOKKOSSCAN_FUNCTION Keyed<T> load(std::size_t i) const {
    std::size_t const k     = i / scan.shape.length;
    std::size_t const along = i - k * scan.shape.length;
    T const value = scan.make(scan.from.line(scan.shape, k)[static_cast<std::ptrdiff_t>(along) * scan.from.step]);
    if constexpr (!std::is_same_v<typename LineScan::Start, NoInit>)
      if (along == 0)
        if (auto const start = scan.start_of(k)) return {scan.combine(*start, value), true};
    return {value, along == 0};
  }
};

template <class LineScan>
struct ToLines {
  using T      = typename LineScan::Value;
  using Stored = typename LineScan::Dest;

  static constexpr bool is_exclusive = LineScan::kind == Kind::exclusive;
  static constexpr Uses uses         = {.before = is_exclusive, .own = is_exclusive, .through = !is_exclusive};

  LineScan scan;

  KOKKOSSCAN_FUNCTION void store(std::size_t i, Keyed<T> const& before, Keyed<T> const& own,
                                 Keyed<T> const& through) const {
    std::size_t const k     = i / scan.shape.length;
    std::size_t const along = i - k * scan.shape.length;
    Stored* const to        = scan.dest.line(scan.shape, k) + static_cast<std::ptrdiff_t>(along) * scan.dest.step;
    if constexpr (!is_exclusive)
      ::new (static_cast<void*>(to)) Stored(static_cast<Stored>(through.value()));
    else
      ::new (static_cast<void*>(to)) Stored(static_cast<Stored>(own.begins_run() ? *scan.start_of(k) : before.value()));
  }
};

/// Whether all lines lie side by side, one behind the other.
template <class Element>
bool are_side_by_side(Lines<Element> const& lines, LineShape const& shape, bool reversed) {
  if (lines.step != (reversed ? -1 : 1)) return false;
  auto distance = static_cast<std::ptrdiff_t>(shape.length);
  for (int d = dimensions_of_lines - 1; d >= 0; --d) {
    if (shape.extents[d] > 1 && lines.strides[d] != distance) return false;
    distance *= static_cast<std::ptrdiff_t>(shape.extents[d]);
  }
  return true;
}

/// The elements of lines that lie so. Those that are scanned from their far ends are taken from the last line to the
/// first.
template <class LineScan, class Array>
struct FromArrayOfLines {
  using T = typename LineScan::Value;

  static constexpr int arrays         = 1;
  static constexpr bool sees_previous = false;
  static constexpr bool sees_marks    = true;

  Array array;
  LineShape shape;
  typename LineScan::Operator op;
  typename LineScan::Unary unary;
  typename LineScan::Start start;

  template <int>
  KOKKOSSCAN_FUNCTION Array const& array_at() const {
    return array;
  }
  /// Where lines begin.
  KOKKOSSCAN_FUNCTION std::uint64_t marks(std::size_t i, std::size_t count) const {
    std::size_t const along = i % shape.length;
    std::uint64_t bits      = 0;
    for (std::size_t k = along > 0 ? shape.length - along : 0; k < count; k += shape.length)
      bits |= std::uint64_t{1} << k;
    return bits;
  }
  template <class Element>
  KOKKOSSCAN_FUNCTION Keyed<T> make(std::size_t i, bool begins, Element const& element) const {
    return begin_or_go_on<T>(begins, unary(element), op, start_of(i));
  }
  template <class Element>
  KOKKOSSCAN_FUNCTION Keyed<T> advance(Keyed<T> const& before, std::size_t i, bool begins,
                                       Element const& element) const {
    return behind_element<T>(before, begins, unary(element), op, start_of(i));
  }
  KOKKOSSCAN_FUNCTION Keyed<T> load(std::size_t i) const { return make(i, i % shape.length == 0, array[i]); }

 private:
  /// That of the line of an element; looked for once a line begins there.
  struct StartOfLine {
    FromArrayOfLines const& lines;
    std::size_t i;
  };
  KOKKOSSCAN_FUNCTION decltype(auto) start_of([[maybe_unused]] std::size_t i) const {
    if constexpr (requires { start.strides; })
      return StartOfLine{*this, i};
    else
      return (start);
  }
  template <class Value>
  friend KOKKOSSCAN_FUNCTION Maybe<Value> value_of_start(StartOfLine const& of) {
    LineShape const& all   = of.lines.shape;
    std::size_t const k    = of.i / all.length;
    std::size_t const line = LineScan::reversed ? all.count() - 1 - k : k;
    return Starts<Value, typename LineScan::Start>(of.lines.start, all, line / all.extents[2],
                                                   line % all.extents[2])[0];
  }
};

/// Whether the results of lines that lie so are a matter of what stands before them alone: each line has a start of its
/// own where it begins.
template <class LineScan>
inline constexpr bool fills_array_of_lines =
    LineScan::kind == Kind::inclusive || !requires(LineScan const& scan) { scan.start.strides; };

/// All of them as runs in an array.
template <class LineScan>
auto as_array_of_runs(LineScan const& scan) {
  auto const array = [&](auto const& lines) {
    using Element = typename std::remove_cvref_t<decltype(lines)>::Element;
    if constexpr (LineScan::reversed)
      return Backward<Element>{lines.line(scan.shape, scan.shape.count() - 1)};
    else
      return Contiguous<Element>{lines.data};
  };
  using T      = typename LineScan::Value;
  using Start  = typename LineScan::Start;
  using From   = decltype(array(scan.from));
  using Dest   = decltype(array(scan.dest));
  using Source = FromArrayOfLines<LineScan, From>;
  using Op     = WithinRuns<T, typename LineScan::Operator>;
  Source const source{array(scan.from), scan.shape, scan.op, scan.unary, scan.start};
  std::size_t const n = scan.shape.length * scan.shape.count();
  if constexpr (LineScan::kind == Kind::inclusive)
    return Problem<Keyed<T>, Source, Op, ToArrayByKey<T, Dest>>{source, {array(scan.dest)}, n, {scan.op}, {}, nullptr};
  else
    return Problem<Keyed<T>, Source, Op, ToArrayByKeyBehindInit<T, Dest, Start>>{
        source, {array(scan.dest), scan.start}, n, {scan.op}, {}, nullptr};
}

/// One of the lines, whose elements lie side by side.
template <class LineScan>
auto line_of(LineScan const& scan, std::size_t k) {
  auto const array = [&](auto const& lines) {
    using Element = typename std::remove_cvref_t<decltype(lines)>::Element;
    if constexpr (LineScan::reversed)
      return Backward<Element>{lines.line(scan.shape, k)};
    else
      return Contiguous<Element>{lines.line(scan.shape, k)};
  };
  using Value = typename LineScan::Value;
  using From  = decltype(array(scan.from));
  using Dest  = decltype(array(scan.dest));
  return ArrayScan<LineScan::kind, Value, From, Dest, typename LineScan::Operator, typename LineScan::Unary>{
      {array(scan.from), scan.unary}, {array(scan.dest)}, scan.shape.length, scan.op, scan.start_of(k), nullptr};
}

/// All lines one after the other.
template <class LineScan>
auto as_runs(LineScan const& scan) {
  using T  = typename LineScan::Value;
  using Op = WithinRuns<T, typename LineScan::Operator>;
  return Problem<Keyed<T>, FromLines<LineScan>, Op, ToLines<LineScan>>{
      {scan}, {scan}, scan.shape.length * scan.shape.count(), {scan.op}, {}, nullptr};
}

}  // namespace KokkosScan::core
