// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>

#include "columns.hpp"
#include "launch.hpp"
#include "lines_in_step.hpp"
#include "pieces_of_lines.hpp"
#include "simd_tile.hpp"

//  Lines along an axis, each by one worker
//  launches    1
//  bytes       2 n
//  operations  n in step; by the vector kernels 2 n
//  steps       the length of a line
//  progress    none: no worker waits for another
namespace KokkosScan::host::lines {

/// One line after the other by the vector kernels, tile by tile: the bits are those of the line as an array.
template <class LineScan>
class ByTiles {
  using Value   = typename LineScan::Value;
  using Problem = decltype(core::line_of(std::declval<LineScan const&>(), 0));

 public:
  static constexpr bool is_compiled = is_simd<Problem>;

  ByTiles(LineScan const& scan, simd::Store store) : scan_(scan), store_(store) {}

  static bool serves(LineScan const& scan) {
    return scan.from.step == Steps<LineScan>::next && scan.dest.step == Steps<LineScan>::next &&
           scan.shape.length * sizeof(Value) >= least_bytes_by_tiles;
  }
  std::size_t width(std::size_t workers) const {
    std::size_t const even = scan_.shape.count() / workers / 4;
    return std::max<std::size_t>(1, std::min(even, bytes_of_lines / sizeof(Value) / scan_.shape.length));
  }
  void run(std::size_t row, std::size_t begin, std::size_t end) const {
    // One for all of them: what a function of the user's holds may take as long to copy as a line to scan.
    Problem line = core::line_of(scan_, row * scan_.shape.extents[2] + begin);
    SimdTile<Problem> const scanner{line, store_};
    Tiles const tiles{line.n, tile_length(BlockScan::automatic, sizeof(Value))};
    auto const starts = scan_.starts_of(row, begin);
    for (std::size_t k = 0; k < end - begin; ++k) {
      Maybe<Value> prefix = starts[k];
      for (std::size_t t = 0; t < tiles.count(); ++t) prefix.put(scanner.scan_tile(0, tiles[t], prefix));
      line.source.array.data += scan_.from.strides[2];
      line.sink.array.data += scan_.dest.strides[2];
    }
  }

 private:
  LineScan const& scan_;
  simd::Store store_;
};

/// All lines, so many neighbours at once.
template <class Lines, class Workers>
void run(Lines const& lines, core::LineShape const& shape, Workers const& workers) {
  auto const size           = static_cast<std::size_t>(workers.size());
  std::size_t const all     = shape.extents[2];
  std::size_t const width   = std::min(lines.width(size), all);
  std::size_t const per_row = (all + width - 1) / width, count = per_row * shape.rows();
  launch(workers, [&](int worker, Failure const& failure) {
    auto const w = static_cast<std::size_t>(worker);
    for (std::size_t k = count * w / size; k < count * (w + 1) / size && !failure.has_happened(); ++k) {
      std::size_t const begin = k % per_row * width;
      lines.run(k / per_row, begin, std::min(begin + width, all));
    }
  });
}

/// Whether they go by the vector kernels.
template <class LineScan>
bool go_by_tiles(LineScan const& scan) {
  if constexpr (ByTiles<LineScan>::is_compiled) return ByTiles<LineScan>::serves(scan);
  return false;
}

/// How many workers find work.
template <class LineScan>
std::size_t most_workers(LineScan const& scan) {
  std::size_t const pieces = go_by_tiles(scan) ? 0 : lines::pieces_of(scan).count();
  return pieces > 0 ? pieces : scan.shape.count();
}

template <class LineScan, class Workers>
void run(LineScan const& scan, Workers const& workers, simd::Store store) {
  if constexpr (ByTiles<LineScan>::is_compiled)
    if (go_by_tiles(scan)) return lines::run(ByTiles<LineScan>(scan, store), scan.shape, workers);
  auto const run = [&](auto const& lines) {
    core::Tiles const pieces = lines::pieces_of(scan);
    if (pieces.count() > 0) return lines::run_in_pieces(scan, lines, pieces, workers);
    lines::run(lines, scan.shape, workers);
  };
  if (Columns<LineScan>::serves(scan)) return run(Columns<LineScan>(scan, store));
  run(InStep<LineScan>(scan, store));
}

}  // namespace KokkosScan::host::lines
