// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <new>
#include <type_traits>
#include <utility>

#include "../core/lines.hpp"
#include "../core/memory.hpp"
#include "as_written.hpp"
#include "simd/functions.hpp"
#include "simd/instruction_set.hpp"
#include "tile.hpp"
#include "tuning.hpp"

namespace KokkosScan::host::lines {

/// Neighbouring lines by one chain of operations each, several of them in step: rows of columns, if neighbours lie side
/// by side in memory, or some lines whose last results are in registers. The bits are those of a loop along the line,
/// whatever stands beside it.
template <class LineScan>
class InStep {
  using Value                        = typename LineScan::Value;
  using From                         = typename LineScan::From;
  using Dest                         = typename LineScan::Dest;
  using Starts                       = core::Starts<Value, typename LineScan::Start>;
  static constexpr bool is_exclusive = LineScan::kind == Kind::exclusive;
  static constexpr bool can_stream   = std::is_same_v<Dest, Value>;
  static constexpr bool has_starts   = !std::is_same_v<typename LineScan::Start, core::NoInit>;
  static constexpr auto next         = std::ptrdiff_t{LineScan::reversed ? -1 : 1};

 public:
  InStep(LineScan const& scan, simd::Store store)
      : scan_(scan),
        are_columns_(scan.from.strides[2] == 1 && scan.dest.strides[2] == 1 &&
                     scan.shape.extents[2] >= columns_at_once),
        asks_ahead_(store == simd::Store::streaming && scan.from.step == next && scan.dest.step == next &&
                    scan.from.strides[2] == static_cast<std::ptrdiff_t>(scan.shape.length) &&
                    scan.dest.strides[2] == scan.from.strides[2]),
        store_(store) {}

  /// How many neighbours a worker takes at once: of columns no less than it must, since each of their rows is a piece
  /// of memory of its own.
  std::size_t width(std::size_t workers) const {
    std::size_t const all = scan_.shape.extents[2], rows = scan_.shape.rows();
    if (!are_columns_) {
      std::size_t const most = bytes_of_lines / sizeof(Value) / scan_.shape.length, even = all * rows / workers / 4;
      return core::round_up(std::max<std::size_t>(1, std::min({most, even, all})), lines_at_once);
    }
    constexpr std::size_t least = std::max<std::size_t>(1, least_bytes_of_columns / sizeof(Value));
    std::size_t const parts     = std::max<std::size_t>(1, std::min(all / least, workers / std::min(workers, rows)));
    return core::round_up(std::min(most_columns, (all + parts - 1) / parts), columns_at_once);
  }

  void run(std::size_t row, std::size_t begin, std::size_t end) const {
    as_written<OneLine>([&] {
      if (are_columns_) return run_columns(row, begin, end);
      auto const first                       = static_cast<std::ptrdiff_t>(begin);
      auto const starts                      = scan_.starts_of(row, begin);
      auto const& [from_stride, dest_stride] = std::pair(scan_.from.strides[2], scan_.dest.strides[2]);
      Place const place{scan_.from.row(scan_.shape, row) + first * from_stride,
                        scan_.dest.row(scan_.shape, row) + first * dest_stride, from_stride, dest_stride};
      if (asks_ahead_)
        run_lines<2, true>(place, starts, 0, end - begin);
      else
        run_lines<4, false>(place, starts, 0, end - begin);
    });
  }

 private:
  static constexpr std::size_t lines_at_once   = 4;
  static constexpr std::size_t columns_at_once = std::max<std::size_t>(4, line_bytes / sizeof(Value));
  static constexpr std::size_t most_columns    = bytes_of_columns / sizeof(Value) / columns_at_once * columns_at_once;

  /// What as_written() looks at: the same functions, of one line.
  using OneLine = core::ArrayScan<LineScan::kind, Value, core::Strided<From>, core::Strided<Dest>,
                                  typename LineScan::Operator, typename LineScan::Unary>;

  /// A value to a column.
  struct Row {
    alignas(line_bytes) std::byte bytes[bytes_of_columns];
  };

  template <class T, class Other>
  static void put(T& to, Other const& value) {
    ::new (static_cast<void*>(&to)) T(static_cast<T>(value));
  }

  /// The first element of a line; nothing stands before that of an inclusive scan without a start.
  [[gnu::always_inline]] Value begin_line(Maybe<Value> const& start, From const& from, Dest& to) const {
    Value const own     = scan_.make(from);
    Value const through = start ? scan_.combine(*start, own) : own;
    if constexpr (is_exclusive)
      put(to, *start);
    else
      put(to, through);
    return through;
  }
  [[gnu::always_inline]] static Value go_on(LineScan const& scan, From const& from, Value const& running, Dest& to) {
    Value const through = scan.combine(running, scan.make(from));
    if constexpr (is_exclusive)
      put(to, running);
    else
      put(to, through);
    return through;
  }

  void run_columns(std::size_t row, std::size_t begin, std::size_t end) const {
    Row running_row, results;
    auto* const running = reinterpret_cast<Value*>(running_row.bytes);
    std::size_t const n = end - begin;
    From const* from    = scan_.from.row(scan_.shape, row) + begin;
    Dest* dest          = scan_.dest.row(scan_.shape, row) + begin;
    // What is streamed should be whole lines of the cache, and some of them.
    bool const streams = can_stream && store_ == simd::Store::streaming && n * sizeof(Value) >= bytes_to_stream;
    if constexpr (has_starts) {
      auto const starts = scan_.starts_of(row, begin);
      for (std::size_t c = 0; c < n; ++c) core::put(running[c], *starts[c]);
    }
    for (std::size_t l = 0; l < scan_.shape.length; ++l, from += scan_.from.step, dest += scan_.dest.step) {
      Dest* const to             = streams ? reinterpret_cast<Dest*>(results.bytes) : dest;
      std::ptrdiff_t const ahead = l + 1 < scan_.shape.length ? scan_.from.step : 0;
      if (l == 0 && !has_starts)
        step_by_columns<true>(n, from, running, to, ahead);
      else
        step_by_columns<false>(n, from, running, to, ahead);
      if (streams)
        simd::all_functions().streaming.copy(reinterpret_cast<std::byte*>(dest), results.bytes, n * sizeof(Dest));
    }
    if (streams) simd::all_functions().streaming.finish();
  }

  /// The next element of n lines, or the first one, before which nothing stands. Numbers go so many at once through
  /// what no pointer can point to, so that the compiler makes vectors of them.
  template <bool is_first>
  void step_by_columns(std::size_t n, From const* from, Value* running, Dest* to, std::ptrdiff_t ahead) const {
    std::size_t c         = 0;
    LineScan const& scan  = scan_;
    constexpr auto a_line = std::max<std::size_t>(1, line_bytes / sizeof(From));
    if constexpr (std::is_arithmetic_v<Value>)
      for (; c + columns_at_once <= n; c += columns_at_once) {
        for (std::size_t k = 0; k < columns_at_once; k += a_line) __builtin_prefetch(from + ahead + c + k);
        Value own[columns_at_once], through[columns_at_once];
        for (std::size_t k = 0; k < columns_at_once; ++k) own[k] = scan.make(from[c + k]);
        for (std::size_t k = 0; k < columns_at_once; ++k)
          through[k] = is_first ? own[k] : scan.combine(running[c + k], own[k]);
        for (std::size_t k = 0; k < columns_at_once; ++k) put(to[c + k], is_exclusive ? running[c + k] : through[k]);
        for (std::size_t k = 0; k < columns_at_once; ++k) running[c + k] = through[k];
      }
    for (; c < n; ++c) {
      if constexpr (is_first) {
        core::put(running[c], scan.make(from[c]));
        put(to[c], running[c]);
      } else {
        core::put(running[c], go_on(scan, from[c], Value(running[c]), to[c]));
      }
    }
  }

  /// For the compiler to keep in registers.
  template <std::size_t count>
  union Running {
    char nothing;
    Value at[count];

    Running() : nothing(0) {}
  };

  /// Where some neighbouring lines are, or a copy of them.
  struct Place {
    From const* from;
    Dest* dest;
    std::ptrdiff_t from_stride, dest_stride;  // from line to line
  };

  template <std::size_t at_once, bool asks_ahead>
  void run_lines(Place place, Starts const& starts, std::size_t k, std::size_t n) const {
    for (; n >= at_once; n -= at_once, k += at_once) {
      run_lines_in_step<at_once, asks_ahead>(place, starts, k);
      place.from += place.from_stride * static_cast<std::ptrdiff_t>(at_once);
      place.dest += place.dest_stride * static_cast<std::ptrdiff_t>(at_once);
    }
    if (at_once > 2 && n >= 2) return run_lines<2, asks_ahead>(place, starts, k, n);
    if (n == 1) run_lines_in_step<1, asks_ahead>(place, starts, k);
  }

  /// Lines from k on.
  template <std::size_t count, bool asks_ahead>
  void run_lines_in_step(Place const& at, Starts const& starts, std::size_t k) const {
    Held<LineScan> scan = scan_;
    Place const place   = at;
    Running<count> running;
    auto const from_line = [&](auto j) {
      return place.from + static_cast<std::ptrdiff_t>(j.value) * place.from_stride;
    };
    auto const dest_line = [&](auto j) {
      return place.dest + static_cast<std::ptrdiff_t>(j.value) * place.dest_stride;
    };
    for_each<count>([&](auto j) __attribute__((always_inline)) {
      core::put(running.at[j], begin_line(starts[k + j], *from_line(j), *dest_line(j)));
    });
    std::ptrdiff_t from_step = 0, dest_step = 0;
    // Lines that lie one behind the other do so in either direction: where the first of them begins in memory.
    std::ptrdiff_t const first = LineScan::reversed ? 1 - static_cast<std::ptrdiff_t>(scan.shape.length) : 0;
    for (std::size_t l = 1; l < scan.shape.length; ++l) {
      if (asks_ahead && l * count * sizeof(From) % line_bytes < count * sizeof(From))
        ask_ahead(place, first + static_cast<std::ptrdiff_t>(l * count));
      from_step += scan.from.step;
      dest_step += scan.dest.step;
      for_each<count>([&](auto j) __attribute__((always_inline)) {
        Value const before(running.at[j]);
        core::put(running.at[j], go_on(scan, from_line(j)[from_step], before, dest_line(j)[dest_step]));
      });
    }
  }

  /// Asks memory for what follows lines that lie one behind the other.
  static void ask_ahead(Place const& place, std::ptrdiff_t element) {
    __builtin_prefetch(reinterpret_cast<std::byte const*>(place.from + element) + bytes_ahead);
    __builtin_prefetch(reinterpret_cast<std::byte const*>(place.dest + element) + bytes_ahead, 1);
  }

  LineScan const& scan_;
  bool are_columns_;
  bool asks_ahead_;
  simd::Store store_;
};

}  // namespace KokkosScan::host::lines
