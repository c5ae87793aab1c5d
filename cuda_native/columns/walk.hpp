// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>

#include "../machine.hpp"
#include "neighbours.hpp"
#include "shape.hpp"

//  Many columns: each thread walks down its own
//  launches    1
//  bytes       2 n
//  operations  n
//  steps       the length of a column
//  progress    none: no thread waits for another
namespace KokkosScan::cuda::columns {

/// A batch of rows of the thread's elements, all of which are on their way at once.
template <class LineScan, int columns, int rows>
struct Batch {
  using From   = std::remove_const_t<typename LineScan::From>;
  using Values = Neighbours<typename LineScan::Value, columns>;

  Neighbours<From, columns> row[rows];

  template <class Own>
  __device__ void load(LineScan const& scan, From const* from, Own const& own, std::size_t left) {
#pragma unroll
    for (int i = 0; i < rows; ++i)
      if (static_cast<std::size_t>(i) < left) row[i] = read<columns>(from + i * scan.from.step, own);
  }
  template <class Own>
  __device__ void finish(LineScan const& scan, typename LineScan::Dest* dest, Own const& own, std::size_t left,
                         bool& any, Values& running) const {
#pragma unroll
    for (int i = 0; i < rows; ++i)
      if (static_cast<std::size_t>(i) < left) {
        auto const value_of = [&](int v) { return scan.make(row[i].get(v)); };
        write<columns>(dest + i * scan.dest.step, own, scan_row<columns>(scan, own, any, running, value_of));
        any = true;
      }
  }
};

/// The columns of a thread: as many as are moved at once, or one.
enum class Walk { packed, singly };

template <class LineScan, class Numbers, Walk walk>
inline constexpr int walk_columns = walk == Walk::packed ? Types<LineScan>::columns : 1;
/// The rows of a batch: no more than there are registers for.
template <class LineScan, class Numbers, Walk walk>
inline constexpr int walk_rows =
    std::clamp(Numbers::walk_bytes / (walk_columns<LineScan, Numbers, walk> * Types<LineScan>::width), 1, 16);

/// In place each element is read before its result is written, by the same thread.
template <class Numbers, Walk walk, class LineScan>
__global__ void __launch_bounds__(Numbers::walk_threads)
    walk_columns_kernel(LineScan const scan, std::size_t const threads_of_row) {
  begin_behind_previous_grid();
  using T               = Types<LineScan>;
  constexpr int columns = walk_columns<LineScan, Numbers, walk>, rows = walk_rows<LineScan, Numbers, walk>;
  std::size_t const k = std::size_t{blockIdx.x} * Numbers::walk_threads + threadIdx.x;
  std::size_t const r = k / threads_of_row, column = (k - r * threads_of_row) * columns;
  if (r >= scan.shape.rows()) return;
  OwnColumns<true> const own{1, columns};

  Neighbours<typename T::Value, columns> running;
  bool any         = put_starts<columns>(scan, r, column, own, running);
  auto const* from = scan.from.row(scan.shape, r) + column;
  auto* dest       = scan.dest.row(scan.shape, r) + column;
  Batch<LineScan, columns, rows> one, other;
  one.load(scan, from, own, scan.shape.length);
  // Before a batch is finished, the next one is on its way.
  auto const take = [&](std::size_t left, auto const& batch, auto& next) {
    from += rows * scan.from.step;
    if (left > rows) next.load(scan, from, own, left - rows);
    batch.finish(scan, dest, own, left, any, running);
    dest += rows * scan.dest.step;
  };
  for (std::size_t left = scan.shape.length;; left -= 2 * rows) {
    take(left, one, other);
    if (left <= rows) break;
    take(left - rows, other, one);
    if (left <= 2 * rows) break;
  }
}

template <class Numbers, Walk kind, class LineScan>
void walk(Stream stream, LineScan const& scan) {
  constexpr int columns = walk_columns<LineScan, Numbers, kind>, threads = Numbers::walk_threads;
  std::size_t const threads_of_row = core::Tiles{scan.shape.extents[2], columns}.count();
  std::size_t const blocks         = core::Tiles{scan.shape.rows() * threads_of_row, threads}.count();
  launch(stream, Grid{static_cast<unsigned>(blocks), threads}, walk_columns_kernel<Numbers, kind, LineScan>, scan,
         threads_of_row);
}

}  // namespace KokkosScan::cuda::columns
