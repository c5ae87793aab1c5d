// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "../core/memory.hpp"
#include "line_steps.hpp"
#include "simd/functions.hpp"
#include "simd/instruction_set.hpp"
#include "tuning.hpp"
#include "wide_registers.hpp"

namespace KokkosScan::host::lines {

/// A value to a column.
struct Row {
  alignas(line_bytes) std::byte bytes[bytes_of_columns];

  template <class Value>
  Value* values() {
    return reinterpret_cast<Value*>(bytes);
  }
};

/// Neighbouring lines that lie side by side in memory, row by row: what stands before the next element of each is in
/// the first-level cache. The bits are those of a loop along the line, whatever stands beside it.
template <class LineScan>
class Columns {
  using Of    = Steps<LineScan>;
  using Value = typename Of::Value;
  using From  = typename Of::From;
  using Dest  = typename Of::Dest;

  static constexpr bool can_stream             = std::is_same_v<Dest, Value>;
  static constexpr std::size_t columns_at_once = std::max<std::size_t>(4, line_bytes / sizeof(Value));
  static constexpr std::size_t most_columns    = bytes_of_columns / sizeof(Value) / columns_at_once * columns_at_once;

 public:
  Columns(LineScan const& scan, simd::Store store)
      : scan_(scan), streams_(can_stream && store == simd::Store::streaming) {}

  static bool serves(LineScan const& scan) {
    return scan.from.strides[2] == 1 && scan.dest.strides[2] == 1 && scan.shape.extents[2] >= columns_at_once;
  }

  /// How many a worker takes at once: no less than it must, since each of their rows is a piece of memory of its own.
  std::size_t width(std::size_t workers) const {
    std::size_t const all = scan_.shape.extents[2], rows = scan_.shape.rows();
    constexpr std::size_t least = std::max<std::size_t>(1, least_bytes_of_columns / sizeof(Value));
    std::size_t const parts     = std::max<std::size_t>(1, std::min(all / least, workers / std::min(workers, rows)));
    return core::round_up(std::min(most_columns, (all + parts - 1) / parts), columns_at_once);
  }

  void run(std::size_t row, std::size_t begin, std::size_t end) const {
    Row running;
    if constexpr (Of::has_starts) {
      auto const starts = scan_.starts_of(row, begin);
      for (std::size_t c = 0; c < end - begin; ++c) core::put(running.values<Value>()[c], *starts[c]);
    }
    scan({row, begin, end}, {0, scan_.shape.length}, running.values<Value>(), Of::has_starts);
  }

  /// Some elements of all lines of a row, of which `before` is what stands before each, if anything does; what stands
  /// behind each is there afterwards.
  void scan(std::size_t row, core::Tile along, Value* before, bool has_before) const {
    scan({row, 0, scan_.shape.extents[2]}, along, before, has_before);
  }
  /// What they combine to.
  void reduce(std::size_t row, core::Tile along, Value* aggregates) const {
    in_registers([&] {
      Part const part{row, 0, scan_.shape.extents[2]};
      walk<false>(part, along, aggregates, false, [&](std::size_t l) { return dest_row(part, l); });
    });
  }

 private:
  struct Part {
    std::size_t row, begin, end;
    std::size_t size() const { return end - begin; }
  };

  Dest* dest_row(Part const& part, std::size_t l) const {
    return scan_.dest.row(scan_.shape, part.row) + part.begin + static_cast<std::ptrdiff_t>(l) * scan_.dest.step;
  }

  template <class F>
  static void in_registers(F const& f) {
    if constexpr (std::is_arithmetic_v<Value> && std::is_arithmetic_v<From> && std::is_arithmetic_v<Dest>)
      if (has_wide_registers()) return in_wide_registers(f);
    as_written<typename Of::OneLine>(f);
  }

  void scan(Part const& part, core::Tile along, Value* running, bool has_running) const {
    in_registers([&] {
      auto const row = [&](std::size_t l) { return dest_row(part, l); };
      // What goes past the caches should be whole lines of them, and some: rows that lie one behind the other do so
      // many at once.
      std::size_t const n     = part.size();
      bool const are_together = scan_.dest.step == Of::next * static_cast<std::ptrdiff_t>(n);
      std::size_t const most  = are_together ? std::max<std::size_t>(1, bytes_of_columns / sizeof(Value) / n) : 1;
      if (!streams_ || most * n * sizeof(Value) < bytes_to_stream)
        return walk<true>(part, along, running, has_running, row);
      if constexpr (can_stream) {
        Row results;
        for (std::size_t l = along.begin; l < along.end;) {
          core::Tile const some{l, std::min(l + most, along.end)};
          walk<true>(part, some, running, has_running || l > along.begin, [&](std::size_t k) {
            return results.values<Dest>() + (LineScan::reversed ? some.end - 1 - k : k - some.begin) * n;
          });
          simd::all_functions().streaming.copy(
              reinterpret_cast<std::byte*>(row(LineScan::reversed ? some.end - 1 : some.begin)), results.bytes,
              some.size() * n * sizeof(Dest));
          l = some.end;
        }
        simd::all_functions().streaming.finish();
      }
    });
  }

  /// Row by row, with the results of each where dest_of() says. Memory is asked for what is read some rows later.
  template <bool stores, class DestOf>
  void walk(Part const& part, core::Tile along, Value* running, bool has_running, DestOf const& dest_of) const {
    std::size_t const n     = part.size();
    std::size_t const later = std::max<std::size_t>(1, bytes_ahead / sizeof(From) / n);
    From const* from =
        scan_.from.row(scan_.shape, part.row) + part.begin + static_cast<std::ptrdiff_t>(along.begin) * scan_.from.step;
    for (std::size_t l = along.begin; l < along.end; ++l, from += scan_.from.step) {
      std::ptrdiff_t const ahead =
          l + later < scan_.shape.length ? static_cast<std::ptrdiff_t>(later) * scan_.from.step : 0;
      if (l == along.begin && !has_running)
        step<true, stores>(n, from, running, dest_of(l), ahead);
      else
        step<false, stores>(n, from, running, dest_of(l), ahead);
    }
  }

  /// The next element of n lines, or the first one, before which nothing stands. Numbers go so many at once,
  /// that the compiler makes vectors of them: in place or apart, no element is that of another column.
  template <bool is_first, bool stores>
  void step(std::size_t n, From const* from, Value* running, Dest* to, std::ptrdiff_t ahead) const {
    std::size_t c         = 0;
    LineScan const& scan  = scan_;
    constexpr auto a_line = std::max<std::size_t>(1, line_bytes / sizeof(From));
    if constexpr (std::is_arithmetic_v<Value>)
      for (; c + columns_at_once <= n; c += columns_at_once) {
        for (std::size_t k = 0; k < columns_at_once; k += a_line) __builtin_prefetch(from + ahead + c + k);
        KOKKOSSCAN_VECTOR_LOOP
        for (std::size_t k = c; k < c + columns_at_once; ++k) {
          Value const own     = scan.make(from[k]);
          Value const through = is_first ? own : scan.combine(running[k], own);
          if constexpr (stores) Of::put(to[k], Of::is_exclusive ? running[k] : through);
          running[k] = through;
        }
      }
    for (; c < n; ++c) {
      if constexpr (is_first)
        core::put(running[c], Of::template begin<stores>(scan, {}, from[c], to[c]));
      else
        core::put(running[c], Of::template go_on<stores>(scan, from[c], Value(running[c]), to[c]));
    }
  }

  LineScan const& scan_;
  bool streams_;
};

}  // namespace KokkosScan::host::lines
