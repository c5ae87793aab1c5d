// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "../core/memory.hpp"
#include "line_steps.hpp"
#include "simd/instruction_set.hpp"
#include "tuning.hpp"

namespace KokkosScan::host::lines {

/// Neighbouring lines, some of them in step, with their last results in registers. The bits are those of a loop along
/// the line, whatever stands beside it.
template <class LineScan>
class InStep {
  using Of    = Steps<LineScan>;
  using Value = typename Of::Value;
  using From  = typename Of::From;
  using Dest  = typename Of::Dest;

 public:
  InStep(LineScan const& scan, simd::Store store)
      : scan_(scan),
        asks_ahead_(store == simd::Store::streaming && scan.from.step == Of::next && scan.dest.step == Of::next &&
                    scan.from.strides[2] == static_cast<std::ptrdiff_t>(scan.shape.length) &&
                    scan.dest.strides[2] == scan.from.strides[2]) {}

  /// How many neighbours a worker takes at once.
  std::size_t width(std::size_t workers) const {
    std::size_t const all  = scan_.shape.extents[2];
    std::size_t const most = bytes_of_lines / sizeof(Value) / scan_.shape.length;
    std::size_t const even = all * scan_.shape.rows() / workers / 4;
    return core::round_up(std::max<std::size_t>(1, std::min({most, even, all})), lines_at_once);
  }

  void run(std::size_t row, std::size_t begin, std::size_t end) const {
    as_written<typename Of::OneLine>([&] {
      Some some{place_of(row, begin, 0), scan_.shape.length, 0, end - begin};
      auto const starts = scan_.starts_of(row, begin);
      if (asks_ahead_)
        run_lines<2, true, true>(some, starts, nullptr);
      else
        run_lines<lines_at_once, false, true>(some, starts, nullptr);
    });
  }

  /// Some elements of all lines of a row, of which `before` is what stands before each, if anything does.
  void scan(std::size_t row, core::Tile along, Value const* before, bool has_before) const {
    as_written<typename Of::OneLine>([&] {
      Some some{place_of(row, 0, along.begin), along.size(), 0, scan_.shape.extents[2]};
      run_lines<lines_at_once, false, true>(some, Before{has_before ? before : nullptr}, nullptr);
    });
  }
  /// What they combine to.
  void reduce(std::size_t row, core::Tile along, Value* aggregates) const {
    as_written<typename Of::OneLine>([&] {
      Some some{place_of(row, 0, along.begin), along.size(), 0, scan_.shape.extents[2]};
      run_lines<lines_at_once, false, false>(some, Before{nullptr}, aggregates);
    });
  }

 private:
  static constexpr std::size_t lines_at_once = 4;

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
  Place place_of(std::size_t row, std::size_t line, std::size_t along) const {
    auto const& [from_stride, dest_stride] = std::pair(scan_.from.strides[2], scan_.dest.strides[2]);
    auto const l = static_cast<std::ptrdiff_t>(line), a = static_cast<std::ptrdiff_t>(along);
    return {scan_.from.row(scan_.shape, row) + l * from_stride + a * scan_.from.step,
            scan_.dest.row(scan_.shape, row) + l * dest_stride + a * scan_.dest.step, from_stride, dest_stride};
  }

  /// So many elements of n lines from the k-th on.
  struct Some {
    Place place;
    std::size_t length, k, n;
  };
  struct Before {
    Value const* values;
    Maybe<Value> operator[](std::size_t k) const { return values ? Maybe<Value>(values[k]) : Maybe<Value>(); }
  };

  template <std::size_t at_once, bool asks_ahead, bool stores, class Starts>
  void run_lines(Some some, Starts const& starts, Value* aggregates) const {
    for (; some.n >= at_once; some.n -= at_once, some.k += at_once) {
      run_lines_in_step<at_once, asks_ahead, stores>(some, starts, aggregates);
      some.place.from += some.place.from_stride * static_cast<std::ptrdiff_t>(at_once);
      some.place.dest += some.place.dest_stride * static_cast<std::ptrdiff_t>(at_once);
    }
    if constexpr (at_once > 1)
      if (some.n > 0) run_lines<at_once - 1, asks_ahead, stores>(some, starts, aggregates);
  }

  template <std::size_t count, bool asks_ahead, bool stores, class Starts>
  void run_lines_in_step(Some const& some, Starts const& starts, Value* aggregates) const {
    Held<LineScan> scan = scan_;
    Place const place   = some.place;
    Running<count> running;
    auto const from_line = [&](auto j) {
      return place.from + static_cast<std::ptrdiff_t>(j.value) * place.from_stride;
    };
    auto const dest_line = [&](auto j) {
      return place.dest + static_cast<std::ptrdiff_t>(j.value) * place.dest_stride;
    };
    for_each<count>([&](auto j) __attribute__((always_inline)) {
      core::put(running.at[j], Of::template begin<stores>(scan, starts[some.k + j], *from_line(j), *dest_line(j)));
    });
    std::ptrdiff_t from_step = 0, dest_step = 0;
    // Lines that lie one behind the other do so in either direction: where the first of them begins in memory.
    std::ptrdiff_t const first = LineScan::reversed ? 1 - static_cast<std::ptrdiff_t>(some.length) : 0;
    for (std::size_t l = 1; l < some.length; ++l) {
      if (asks_ahead && l * count * sizeof(From) % line_bytes < count * sizeof(From))
        ask_ahead(place, first + static_cast<std::ptrdiff_t>(l * count));
      from_step += scan.from.step;
      dest_step += scan.dest.step;
      for_each<count>([&](auto j) __attribute__((always_inline)) {
        Value const before(running.at[j]);
        core::put(running.at[j],
                  Of::template go_on<stores>(scan, from_line(j)[from_step], before, dest_line(j)[dest_step]));
      });
    }
    if constexpr (!stores)
      for_each<count>([&](auto j) __attribute__((always_inline)) { leave(aggregates[some.k + j], running.at[j]); });
  }

  /// Called, lest g++ make a vector of two of three lines from the first element on: three floats took 1.6 times as
  /// long.
  [[gnu::noinline]] static void leave(Value& to, Value value) { core::put(to, value); }

  /// Asks memory for what follows lines that lie one behind the other.
  static void ask_ahead(Place const& place, std::ptrdiff_t element) {
    __builtin_prefetch(reinterpret_cast<std::byte const*>(place.from + element) + bytes_ahead);
    __builtin_prefetch(reinterpret_cast<std::byte const*>(place.dest + element) + bytes_ahead, 1);
  }

  LineScan const& scan_;
  bool asks_ahead_;
};

}  // namespace KokkosScan::host::lines
