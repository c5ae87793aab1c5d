// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <new>
#include <type_traits>

#include "../core/lines.hpp"
#include "as_written.hpp"
#include "launch.hpp"
#include "simd/instruction_set.hpp"
#include "tile.hpp"
#include "tuning.hpp"

//  Lines in step: each by one chain of operations, several of them side by side
//  launches    1
//  bytes       2 n
//  operations  n
//  steps       the length of a line
//  progress    none: no worker waits for another
//
// The bits are those of a loop along the line, whoever scans it and whatever stands beside it.
namespace KokkosScan::host::lines {

template <class LineScan>
class InStep {
  using Value                        = typename LineScan::Value;
  using From                         = typename LineScan::From;
  using Dest                         = typename LineScan::Dest;
  static constexpr bool is_exclusive = LineScan::kind == Kind::exclusive;
  static constexpr bool can_stream   = std::is_same_v<Dest, Value>;

 public:
  InStep(LineScan const& scan, simd::Store store)
      : scan_(scan),
        are_columns_(scan.from.strides[2] == 1 && scan.dest.strides[2] == 1 &&
                     scan.shape.extents[2] >= columns_at_once),
        streams_(can_stream && are_columns_ && store == simd::Store::streaming) {}

  /// How many neighbouring lines a worker takes at once.
  std::size_t width(std::size_t workers) const {
    std::size_t const all = scan_.shape.extents[2], step = are_columns_ ? columns_at_once : lines_at_once;
    std::size_t const most  = are_columns_ ? most_columns : bytes_of_lines / sizeof(Value) / scan_.shape.length;
    std::size_t const least = all * scan_.shape.rows() / (workers * 4);  // so that none waits long for the last one
    return core::round_up(std::max<std::size_t>(1, std::min({most, least, all})), step);
  }

  void run(std::size_t row, std::size_t begin, std::size_t end) const {
    as_written<OneLine>([&] {
      if (are_columns_) return run_columns(row, begin, end);
      for (; begin + lines_at_once <= end; begin += lines_at_once) run_lines<lines_at_once>(row, begin);
      for (; begin < end; ++begin) run_lines<1>(row, begin);
    });
  }

 private:
  static constexpr std::size_t lines_at_once   = 4;
  static constexpr std::size_t columns_at_once = 16;
  static constexpr std::size_t most_columns = bytes_of_columns / sizeof(Value) / columns_at_once * columns_at_once;

  /// What as_written() looks at: the same functions, of one line.
  using OneLine = core::ArrayScan<LineScan::kind, Value, core::Strided<From>, core::Strided<Dest>,
                                  typename LineScan::Operator, typename LineScan::Unary>;

  /// A value to a column.
  struct Row {
    alignas(line_bytes) std::byte bytes[bytes_of_columns];
    Value* values() { return reinterpret_cast<Value*>(bytes); }
  };

  template <class T, class From_>
  static void put(T& to, From_ const& value) {
    ::new (static_cast<void*>(&to)) T(static_cast<T>(value));
  }

  /// The first element of a line; nothing stands before that of an inclusive scan without a start.
  void begin_line(std::size_t k, From const& from, Value& running, Dest& to) const {
    Value const own          = scan_.make(from);
    Maybe<Value> const start = scan_.start_of(k);
    Value const through      = start ? scan_.combine(*start, own) : own;
    if constexpr (is_exclusive)
      put(to, *start);
    else
      put(to, through);
    core::put(running, through);
  }
  void go_on(From const& from, Value& running, Dest& to) const {
    Value const through = scan_.combine(running, scan_.make(from));
    if constexpr (is_exclusive)
      put(to, running);
    else
      put(to, through);
    core::put(running, through);
  }

  void run_columns(std::size_t row, std::size_t begin, std::size_t end) const {
    Row running, results;
    std::size_t const n = end - begin;
    From const* from    = scan_.from.row(scan_.shape, row) + begin;
    Dest* dest          = scan_.dest.row(scan_.shape, row) + begin;
    for (std::size_t l = 0; l < scan_.shape.length; ++l, from += scan_.from.step, dest += scan_.dest.step) {
      Dest* const to = streams_ ? reinterpret_cast<Dest*>(results.bytes) : dest;
      if (l == 0)
        for (std::size_t c = 0; c < n; ++c)
          begin_line(row * scan_.shape.extents[2] + begin + c, from[c], running.values()[c], to[c]);
      else
        go_on_by_columns(n, from, running.values(), to, l + 1 < scan_.shape.length ? scan_.from.step : 0);
      if (streams_)
        simd::all_functions().streaming.copy(reinterpret_cast<std::byte*>(dest), results.bytes, n * sizeof(Dest));
    }
    if (streams_) simd::all_functions().streaming.finish();
  }

  /// The next element of n lines. Numbers go so many at once through what no pointer can point to, so that the compiler
  /// makes vectors of them.
  void go_on_by_columns(std::size_t n, From const* from, Value* running, Dest* to, std::ptrdiff_t ahead) const {
    std::size_t c = 0;
    if constexpr (std::is_arithmetic_v<Value>)
      for (; c + columns_at_once <= n; c += columns_at_once) {
        __builtin_prefetch(from + ahead + c);
        Value own[columns_at_once], through[columns_at_once];
        for (std::size_t k = 0; k < columns_at_once; ++k) own[k] = scan_.make(from[c + k]);
        for (std::size_t k = 0; k < columns_at_once; ++k) through[k] = scan_.combine(running[c + k], own[k]);
        for (std::size_t k = 0; k < columns_at_once; ++k)
          to[c + k] = static_cast<Dest>(is_exclusive ? running[c + k] : through[k]);
        for (std::size_t k = 0; k < columns_at_once; ++k) running[c + k] = through[k];
      }
    for (; c < n; ++c) go_on(from[c], running[c], to[c]);
  }

  template <std::size_t count>
  void run_lines(std::size_t row, std::size_t begin) const {
    From const* const from = scan_.from.row(scan_.shape, row) + static_cast<std::ptrdiff_t>(begin) * scan_.from.strides[2];
    Dest* const dest       = scan_.dest.row(scan_.shape, row) + static_cast<std::ptrdiff_t>(begin) * scan_.dest.strides[2];
    std::ptrdiff_t const from_stride = scan_.from.strides[2], dest_stride = scan_.dest.strides[2];
    alignas(Value) std::byte bytes[count * sizeof(Value)];
    auto* const running = reinterpret_cast<Value*>(bytes);
    for_each<count>([&](auto k) __attribute__((always_inline)) {
      constexpr auto j = static_cast<std::ptrdiff_t>(k.value);
      begin_line(row * scan_.shape.extents[2] + begin + k, from[j * from_stride], running[k], dest[j * dest_stride]);
    });
    std::ptrdiff_t i = 0, at = 0;
    for (std::size_t l = 1; l < scan_.shape.length; ++l) {
      i += scan_.from.step;
      at += scan_.dest.step;
      for_each<count>([&](auto k) __attribute__((always_inline)) {
        constexpr auto j = static_cast<std::ptrdiff_t>(k.value);
        go_on(from[j * from_stride + i], running[k], dest[j * dest_stride + at]);
      });
    }
  }

  LineScan const& scan_;
  bool are_columns_, streams_;
};

template <class LineScan, class Workers>
void run(LineScan const& scan, Workers const& workers, simd::Store store) {
  InStep<LineScan> const in_step(scan, store);
  auto const size           = static_cast<std::size_t>(workers.size());
  std::size_t const all     = scan.shape.extents[2];
  std::size_t const width   = in_step.width(size);
  std::size_t const per_row = (all + width - 1) / width, count = per_row * scan.shape.rows();
  launch(workers, [&](int worker, Failure const& failure) {
    auto const w = static_cast<std::size_t>(worker);
    for (std::size_t k = count * w / size; k < count * (w + 1) / size && !failure.has_happened(); ++k) {
      std::size_t const begin = k % per_row * width;
      in_step.run(k / per_row, begin, std::min(begin + width, all));
    }
  });
}

}  // namespace KokkosScan::host::lines
