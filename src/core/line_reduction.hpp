// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <new>

#include "lines.hpp"

// What the elements of each line combine to, without their scan: read once, and a value for each line written. A
// LineScan says what is reduced; its dest has one place for each line, and its start is none. Lines are cut into parts
// of a length that follows from their shape alone, so that a result has the same bits however many threads there are.
namespace KokkosScan::core {

/// The parts of lines, and where what each combines to goes.
template <class Value>
struct LineParts {
  std::size_t count;   // of each line
  std::size_t length;  // of each but the last
  Value* values;       // part p of line k at p * lines + k; unused where lines are of one part
};

/// The parts of lines of which `wanted` would be good, none shorter than `least`.
inline std::size_t length_of_line_parts(LineShape const& shape, std::size_t wanted, std::size_t least) {
  std::size_t const parts = std::max<std::size_t>(1, std::min(wanted, shape.length / least));
  return (shape.length + parts - 1) / parts;
}

/// One part of one line, by one thread: where neighbours in memory are other lines, or a thread has a cache.
template <class LineScan>
struct ReducePartOfLine {
  using Value = typename LineScan::Value;
  using From  = typename LineScan::From;

  LineScan scan;
  LineParts<Value> parts;

  KOKKOSSCAN_FUNCTION void operator()(std::size_t i) const {
    std::size_t const lines = scan.shape.count(), k = i % lines, begin = i / lines * parts.length;
    std::size_t const rest = scan.shape.length - begin, length = rest < parts.length ? rest : parts.length;
    From* const first = scan.from.line(scan.shape, k) + static_cast<std::ptrdiff_t>(begin) * scan.from.step;
    Value* const to   = parts.count > 1 ? parts.values + i : scan.dest.line(scan.shape, k);
    ::new (static_cast<void*>(to)) Value(reduced(first, length));
  }

 private:
  /// In quarters, which do not wait for each other.
  KOKKOSSCAN_MAY_CALL_HOST_FUNCTIONS
  KOKKOSSCAN_FUNCTION Value reduced(From* first, std::size_t length) const {
    auto const element = [&](std::size_t i) -> From& { return first[static_cast<std::ptrdiff_t>(i) * scan.from.step]; };
    std::size_t const quarter = length / 4;
    if (quarter < 2) {
      Value sum = scan.make(element(0));
      for (std::size_t i = 1; i < length; ++i) core::put(sum, scan.combine(sum, scan.make(element(i))));
      return sum;
    }
    Value a = scan.make(element(0)), b = scan.make(element(quarter)), c = scan.make(element(2 * quarter)),
          d = scan.make(element(3 * quarter));
    for (std::size_t i = 1; i < quarter; ++i) {
      core::put(a, scan.combine(a, scan.make(element(i))));
      core::put(b, scan.combine(b, scan.make(element(quarter + i))));
      core::put(c, scan.combine(c, scan.make(element(2 * quarter + i))));
      core::put(d, scan.combine(d, scan.make(element(3 * quarter + i))));
    }
    for (std::size_t i = 4 * quarter; i < length; ++i) core::put(d, scan.combine(d, scan.make(element(i))));
    return scan.combine(scan.combine(a, b), scan.combine(c, d));
  }
};

/// One part of several lines that are neighbours, row by row: for a host, whose caches have them side by side.
template <class LineScan>
struct ReducePartOfRows {
  using Value = typename LineScan::Value;
  using From  = typename LineScan::From;

  static constexpr std::size_t width = 64;

  LineScan scan;
  LineParts<Value> parts;

  KOKKOSSCAN_FUNCTION std::size_t blocks_of_row() const { return (scan.shape.extents[2] + width - 1) / width; }
  KOKKOSSCAN_FUNCTION std::size_t blocks() const { return scan.shape.rows() * blocks_of_row(); }

  KOKKOSSCAN_FUNCTION void operator()(std::size_t i) const {
    std::size_t const part = i / blocks(), block = i % blocks(), row = block / blocks_of_row();
    std::size_t const from_line = block % blocks_of_row() * width, others = scan.shape.extents[2] - from_line;
    std::size_t const lines = others < width ? others : width, begin = part * parts.length;
    std::size_t const rest = scan.shape.length - begin, length = rest < parts.length ? rest : parts.length;
    From* const first = scan.from.row(scan.shape, row) + static_cast<std::ptrdiff_t>(from_line) * scan.from.strides[2] +
                        static_cast<std::ptrdiff_t>(begin) * scan.from.step;
    alignas(Value) unsigned char bytes[width * sizeof(Value)];
    Value* const sums = reinterpret_cast<Value*>(bytes);
    if (scan.from.strides[2] == 1)
      reduce(first, length, lines, sums, [](std::size_t k) { return k; });
    else
      reduce(first, length, lines, sums,
             [stride = scan.from.strides[2]](std::size_t k) { return static_cast<std::ptrdiff_t>(k) * stride; });
    std::size_t const line = row * scan.shape.extents[2] + from_line;
    for (std::size_t k = 0; k < lines; ++k) {
      Value* const to =
          parts.count > 1 ? parts.values + part * scan.shape.count() + line + k : scan.dest.line(scan.shape, line + k);
      ::new (static_cast<void*>(to)) Value(sums[k]);
    }
  }

 private:
  KOKKOSSCAN_MAY_CALL_HOST_FUNCTIONS
  template <class Place>
  KOKKOSSCAN_FUNCTION void reduce(From* first, std::size_t length, std::size_t lines, Value* sums,
                                  Place const& place) const {
    for (std::size_t k = 0; k < lines; ++k) ::new (static_cast<void*>(sums + k)) Value(scan.make(first[place(k)]));
    for (std::size_t i = 1; i < length; ++i) {
      From* const row = first + static_cast<std::ptrdiff_t>(i) * scan.from.step;
      for (std::size_t k = 0; k < lines; ++k) core::put(sums[k], scan.combine(sums[k], scan.make(row[place(k)])));
    }
  }
};

/// The parts of a line, one after the other.
template <class LineScan>
struct ReduceParts {
  using Value = typename LineScan::Value;

  LineScan scan;
  LineParts<Value> parts;

  KOKKOSSCAN_MAY_CALL_HOST_FUNCTIONS
  KOKKOSSCAN_FUNCTION void operator()(std::size_t k) const {
    std::size_t const lines = scan.shape.count();
    Value sum               = parts.values[k];
    for (std::size_t p = 1; p < parts.count; ++p) core::put(sum, scan.combine(sum, parts.values[p * lines + k]));
    ::new (static_cast<void*>(scan.dest.line(scan.shape, k))) Value(sum);
  }
};

/// Of a scan of all lines as runs, what stands at the end of each.
template <class LineScan, bool from_last_line>
struct ToEndsOfLines {
  using T = typename LineScan::Value;

  static constexpr Uses uses = {.before = false, .own = false, .through = true};

  LineScan scan;

  KOKKOSSCAN_FUNCTION void store(std::size_t i, Keyed<T> const&, Keyed<T> const&, Keyed<T> const& through) const {
    std::size_t const k = i / scan.shape.length;
    if (i - k * scan.shape.length + 1 < scan.shape.length) return;
    std::size_t const line = from_last_line ? scan.shape.count() - 1 - k : k;
    ::new (static_cast<void*>(scan.dest.line(scan.shape, line))) T(through.value());
  }
};

/// The reduction as a scan of all lines, one after the other as they lie in memory or by index.
template <class LineScan>
auto as_reduced_array_of_runs(LineScan const& scan) {
  auto const runs = core::as_array_of_runs(scan);
  using Runs      = std::remove_cvref_t<decltype(runs)>;
  return Problem<typename Runs::Value, typename Runs::Source, typename Runs::Operator,
                 ToEndsOfLines<LineScan, LineScan::reversed>>{runs.source, {scan}, runs.n, runs.op, {}, nullptr};
}
template <class LineScan>
auto as_reduced_runs(LineScan const& scan) {
  auto const runs = core::as_runs(scan);
  using Runs      = std::remove_cvref_t<decltype(runs)>;
  return Problem<typename Runs::Value, typename Runs::Source, typename Runs::Operator, ToEndsOfLines<LineScan, false>>{
      runs.source, {scan}, runs.n, runs.op, {}, nullptr};
}

}  // namespace KokkosScan::core
