// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>

#include "columns.hpp"
#include "single_pass.hpp"

//  Few lines along an axis, in pieces of it: each waits for what stands behind the one before it
//  paper       Yan, Long, Zhang 2013 (StreamScan), of rows of values
//  launches    1
//  bytes       2 n through memory: a piece waits in cache for what stands before it
//  operations  2 n: the reduction of a piece and its scan
//  steps       one row handed on for each piece
//  progress    a worker that holds a piece must be able to go on; pieces come from a counter
namespace KokkosScan::host::lines {

/// What stands behind each piece, a value to a line; in a ring of two slots. Nobody overwrites what is still to be
/// read: what stands behind piece k + 2 is known only after that behind k + 1, whose worker has by then read the one
/// behind k.
template <class Value>
class RingOfRows {
 public:
  Value const* wait_for(std::size_t k, Failure const& failure) {
    Slot& slot = slots_[k % 2];
    wait_until(failure, [&] { return slot.behind.load(std::memory_order_acquire) == k + 1; });
    return slot.row.template values<Value>();
  }
  /// Where what stands behind piece k is written, to be published then.
  Value* row(std::size_t k) { return slots_[k % 2].row.template values<Value>(); }
  void publish(std::size_t k) { slots_[k % 2].behind.store(k + 1, std::memory_order_release); }

 private:
  struct alignas(line_bytes) Slot {
    std::atomic<std::size_t> behind{0};  // as many pieces
    Row row;
  };
  Slot slots_[2];
};

/// The pieces of lines of which a worker that had some would have too few; else there are none.
template <class LineScan>
core::Tiles pieces_of(LineScan const& scan) {
  using Value                = typename LineScan::Value;
  std::size_t const all      = scan.shape.count();
  constexpr std::size_t most = bytes_of_columns / sizeof(Value);
  bool const are_few         = all <= (Columns<LineScan>::serves(scan) ? most : std::min(most, most_lines_in_pieces));
  if (!are_few || core::bytes_of(scan.shape.length * all, sizeof(Value)) < least_bytes_in_pieces) return {0, 1};
  return {scan.shape.length, tile_bytes / sizeof(Value) / all};
}

/// Each piece is reduced first, whoever waits for it or not: bits are the same with any number of workers.
template <class LineScan, class Lines>
void run_in_pieces(LineScan const& scan, Lines const& lines, core::Tiles pieces, WorkersRef workers) {
  using Value = typename LineScan::Value;
  using Of    = Steps<LineScan>;

  std::size_t const columns = scan.shape.extents[2], rows = scan.shape.rows(), all = scan.shape.count();
  std::size_t const count = pieces.count();
  RingOfRows<Value> ring;
  Counter counter;
  launch(workers, [&](int worker, Failure const& failure) {
    Row aggregates, prefixes;
    auto* const aggregate = aggregates.values<Value>();
    auto* const prefix    = prefixes.values<Value>();
    for (std::size_t k = counter.take_first(worker); k < count; k = counter.take()) {
      bool const is_first = k == 0, is_last = k + 1 == count, has_prefix = !is_first || Of::has_starts;
      for (std::size_t row = 0; row < rows && !is_last; ++row) lines.reduce(row, pieces[k], aggregate + row * columns);
      if (!is_first) {
        Value const* const before = ring.wait_for(k - 1, failure);
        for (std::size_t c = 0; c < all; ++c) core::put(prefix[c], before[c]);
      } else if constexpr (Of::has_starts) {
        for (std::size_t c = 0; c < all; ++c) core::put(prefix[c], *scan.start_of(c));
      }
      if (!is_last) {
        as_written<typename Of::OneLine>([&] {
          for (std::size_t c = 0; c < all; ++c)
            core::put(ring.row(k)[c], has_prefix ? scan.combine(prefix[c], aggregate[c]) : aggregate[c]);
        });
        ring.publish(k);
      }
      for (std::size_t row = 0; row < rows; ++row) lines.scan(row, pieces[k], prefix + row * columns, has_prefix);
    }
  });
}

}  // namespace KokkosScan::host::lines
