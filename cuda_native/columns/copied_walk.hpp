// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "copied_rows.hpp"
#include "pieces.hpp"

//  Many columns at any address: a block walks down a strip of them, tile by tile, which copies bring and take (compute
//  capability 9.0)
//  launches    1
//  bytes       2 n
//  operations  n
//  steps       the length of a column
//  progress    none: no block waits for another
namespace KokkosScan::cuda::columns {

/// How the tiles of a strip come into shared memory, and their results out of it: by copies that warp 0 starts. While a
/// tile is walked the next ones are on their way. First come the mbarriers of the stages, then results, then the
/// stages.
template <class Numbers, class LineScan>
class CopiedTiles {
  using From = std::remove_const_t<typename LineScan::From> const;
  using Dest = typename LineScan::Dest;

  static constexpr int results_byte = 128;
  static_assert(Numbers::copied_walk_stages * sizeof(std::uint64_t) <= results_byte);

 public:
  static constexpr int stages = Numbers::copied_walk_stages,
                       rows   = Types<LineScan>::rows_of(Numbers::copied_walk_bytes);

  static int shared_bytes(Tiling const& tiling) { return stage_byte(tiling, stages); }

  __device__ CopiedTiles(LineScan const& scan, Tiling const& tiling, Readable const& readable)
      : scan_(scan), tiling_(tiling), readable_(readable) {}

  /// Called by one thread.
  __device__ static void init() {
    for (int stage = 0; stage < stages; ++stage) filled(stage).init(warp_size);
    publish_barriers();
  }

  /// Called by warp 0: has a tile brought.
  __device__ void begin(std::uint32_t chunk, TileOf<LineScan> const& tile) const {
    auto const elements = elements_of(chunk, tile);
    unsigned bytes      = 0;
    for_own_rows(tile, [&](int row) {
      CopiedPart const part = elements.part_in(row, tile.columns, readable_);
      bytes += part.bytes();
      int const rest = part.head + tile.columns - part.tail;
      for (int k = 0; k < rest; ++k)
        elements[row].store(part.of_rest(k), elements.in_global_memory(row)[part.of_rest(k)]);
      if (rest > 0) fence_for_copies();  // of an element that copies bring in part they write the same again
    });
    Barrier const done = filled(stage_of(chunk));
    done.arrive_and_expect(bytes);
    for_own_rows(tile, [&](int row) { elements.copy_in(row, elements.part_in(row, tile.columns, readable_), done); });
  }
  /// The elements of a tile, once they are there.
  __device__ auto elements(std::uint32_t chunk, TileOf<LineScan> const& tile) const {
    filled(stage_of(chunk)).wait(chunk / stages % 2);
    return elements_of(chunk, tile);
  }
  /// Where its results go.
  __device__ auto results(TileOf<LineScan> const& tile) const {
    return CopiedRows<Dest>(tiling_, results_byte, tile.dest, scan_.dest.step);
  }
  /// Called by all threads, behind a fence and a barrier: has them taken.
  __device__ void store(TileOf<LineScan> const& tile) const {
    auto const rows_out = results(tile);
    if (warp() == 0) for_own_rows(tile, [&](int row) { rows_out.copy_out(row, rows_out.part_out(row, tile.columns)); });
    constexpr int most = CopiedPart::rest_most<static_cast<int>(sizeof(Dest))>;
    for (int k = static_cast<int>(threadIdx.x); k < tile.rows * most; k += static_cast<int>(blockDim.x)) {
      int const row = k / most, j = rows_out.part_out(row, tile.columns).of_rest(k % most);
      if (j < tile.columns) ::new (static_cast<void*>(rows_out.in_global_memory(row) + j)) Dest(rows_out[row].load(j));
    }
  }

 private:
  template <class F>
  __device__ static void for_own_rows(TileOf<LineScan> const& tile, F const& f) {
    for (int row = lane(); row < tile.rows; row += warp_size) f(row);
  }
  __device__ static int stage_of(std::uint32_t chunk) { return static_cast<int>(chunk % stages); }
  KOKKOSSCAN_FUNCTION static int stage_byte(Tiling const& tiling, int stage) {
    return results_byte + CopiedRows<Dest>::bytes(tiling) + stage * CopiedRows<From>::bytes(tiling);
  }
  __device__ static Barrier filled(int stage) {
    return Barrier(shared_memory<std::uint64_t>(stage * static_cast<int>(sizeof(std::uint64_t))));
  }
  __device__ auto elements_of(std::uint32_t chunk, TileOf<LineScan> const& tile) const {
    return CopiedRows<From>(tiling_, stage_byte(tiling_, stage_of(chunk)), tile.from, scan_.from.step);
  }

  LineScan const& scan_;
  Tiling const& tiling_;
  Readable const& readable_;
};

/// The columns of a thread are as many lanes apart: so neighbouring threads read neighbouring elements. In place each
/// element is read before its result is written, by the same block.
template <class Numbers, class LineScan>
__global__ void __launch_bounds__(Numbers::copied_walk_threads, Numbers::copied_walk_blocks_per_sm)
    copied_walk_kernel(LineScan const scan, Tiling const tiling, Readable const readable) {
  if constexpr (has_copies) {
    using Tiles                   = CopiedTiles<Numbers, LineScan>;
    constexpr int columns         = Types<LineScan>::columns;
    constexpr std::uint32_t ahead = Tiles::stages - 1;
    Tiles const tiles(scan, tiling, readable);
    if (threadIdx.x == 0) tiles.init();
    begin_behind_previous_grid();
    __syncthreads();
    auto const chunks = static_cast<std::uint32_t>(tiling.chunks);
    Strip const strip(tiling, blockIdx.x);
    auto const begin = [&](std::uint32_t chunk) {
      if (warp() == 0 && chunk < chunks) tiles.begin(chunk, strip.tile(scan, tiling, chunk));
    };
    for (std::uint32_t chunk = 0; chunk < ahead; ++chunk) begin(chunk);

    int const first = static_cast<int>(threadIdx.x);
    OwnColumns<false> const own{tiling.lanes, strip.tile(scan, tiling, 0).columns - first};
    Neighbours<typename LineScan::Value, columns> running;
    bool any = put_starts<columns>(scan, strip.row, strip.column + static_cast<std::size_t>(first), own, running);
    for (std::uint32_t chunk = 0; chunk < chunks; ++chunk) {
      if (warp() == 0) wait_until_copied_out();
      __syncthreads();  // nobody needs the elements of the tile before any more, nor its results
      begin(chunk + ahead);
      TileOf<LineScan> const tile = strip.tile(scan, tiling, chunk);
      auto const elements         = tiles.elements(chunk, tile);
      auto const results          = tiles.results(tile);
      auto const walk_row         = [&](int i) {
        auto const row = elements[i];
        auto const to  = results[i];
        auto const of =
            scan_row<columns>(scan, own, any, running, [&](int v) { return scan.make(row.load(first + own[v])); });
#pragma unroll
        for (int v = 0; v < columns; ++v)
          if (own.has(v)) to.store(first + own[v], of.get(v));
        any = true;
      };
      if (tile.rows == Tiles::rows) {
#pragma unroll
        for (int i = 0; i < Tiles::rows; ++i) walk_row(i);
      } else {
        for (int i = 0; i < tile.rows; ++i) walk_row(i);
      }
      fence_for_copies();
      __syncthreads();
      tiles.store(tile);
    }
    if (warp() == 0) wait_until_copied_out();  // the shared memory ends with the block
  }
}

/// How many lanes a block has; any number has the same bits. As many as leave none of the waves of blocks short.
template <class Numbers, class LineScan>
int copied_walk_lanes(core::LineShape const& shape, int multiprocessors) {
  constexpr std::size_t most = Numbers::copied_walk_threads;
  static_assert(most % warp_size == 0);
  std::size_t const resident = Numbers::copied_walk_blocks_per_sm * static_cast<std::size_t>(multiprocessors);
  std::size_t const all      = shape.rows() * core::Tiles{shape.extents[2], Types<LineScan>::columns}.count();
  std::size_t const waves    = core::Tiles{all, resident * most}.count();
  std::size_t const lanes    = core::round_up(core::Tiles{all, resident * waves}.count(), warp_size);
  return static_cast<int>(std::clamp<std::size_t>(lanes, core::round_up(most / 4, warp_size), most));
}

/// Enqueues it, if that pays and can be done: if rows fill half of the largest block and columns are longer than all
/// stages, and if the device can run it, for which the code was compiled, too.
template <class Numbers, class LineScan, class CurrentDevice>
bool copied_walk(Stream stream, LineScan const& scan, CurrentDevice const& current_device) {
  using T           = Types<LineScan>;
  using Tiles       = CopiedTiles<Numbers, LineScan>;
  auto const kernel = copied_walk_kernel<Numbers, LineScan>;
  if (scan.shape.extents[2] < std::size_t{Numbers::copied_walk_threads} / 2 * T::columns ||
      scan.shape.length <= std::size_t{Tiles::stages} * Tiles::rows)
    return false;
  Device const device  = current_device();
  auto const tiling_of = [&](int lanes) { return Tiling::of(scan.shape, lanes, T::columns, Tiles::rows, lanes, 1, 1); };
  auto const most      = static_cast<std::size_t>(Tiles::shared_bytes(tiling_of(Numbers::copied_walk_threads)));
  int const lanes      = copied_walk_lanes<Numbers, LineScan>(scan.shape, device.multiprocessors);
  Tiling const tiling  = tiling_of(lanes);
  if (!device.copies || static_cast<std::size_t>(device.shared_bytes) < most || tiling.across > blocks_most ||
      !has_copies_in(reinterpret_cast<void const*>(kernel)))
    return false;
  launch(stream,
         Grid{static_cast<unsigned>(tiling.across), lanes, static_cast<std::size_t>(Tiles::shared_bytes(tiling)), most},
         kernel, scan, tiling, Readable::of(scan.from, scan.shape));
  return true;
}

}  // namespace KokkosScan::cuda::columns
