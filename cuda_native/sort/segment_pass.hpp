// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "merge_pass.hpp"
#include "segment_tiles.hpp"

// Runs of sorted segments, merged by pairs: only the segment that both runs have a part of has to be, so only its tiles
// are taken from one array to the other, each with what else is in it.
namespace KokkosScan::cuda::merge {

/// Keys of which each tile is in one of two arrays.
template <class Sort>
struct PlacedKeys {
  using S   = Shape<Sort>;
  using Key = typename Sort::Key;

  Sort const& sort;
  std::uint8_t const* in_other;

  __device__ Key* of_tile(std::size_t tile) const { return in_other[tile] != 0 ? sort.other_keys : sort.keys; }
  __device__ Key const& operator[](std::size_t i) const { return of_tile(i / S::tile)[i]; }
  /// So many, no more than a tile, from there on.
  __device__ Pieces<Key> piece(std::size_t begin, int n) const {
    std::size_t const tile = begin / S::tile;
    int const rest         = static_cast<int>((tile + 1) * S::tile - begin);
    return {of_tile(tile) + begin, of_tile(n > rest ? tile + 1 : tile) + begin, rest};
  }
};

/// Merges runs of so many tiles by pairs, a block to each tile of the results.
template <class Sort>
__global__ void __launch_bounds__(Shape<Sort>::threads, merge_pass_blocks_per_sm)
    merge_segments_kernel(Sort const sort, SegmentRuns const from, SegmentRuns const to, std::size_t const run_tiles) {
  begin_behind_previous_grid();
  using S                 = Shape<Sort>;
  using Key               = typename Sort::Key;
  auto const split_of_end = shared_memory<std::uint64_t>(S::ends_byte);
  auto const keys         = shared_memory<Slot<Key>>(S::elements_byte);
  int const thread        = static_cast<int>(threadIdx.x);

  // ---- the segment that both runs have a part of
  auto const within      = [&](std::size_t tile) { return tile * S::tile < sort.n ? tile * S::tile : sort.n; };
  std::size_t const tile = blockIdx.x, pair = tile & ~(2 * run_tiles - 1), middle = within(pair + run_tiles);
  Heads const first_run  = from.heads[pair / run_tiles];
  Heads const second_run = middle < sort.n ? from.heads[pair / run_tiles + 1] : Heads{Heads::none, Heads::none};
  Runs<std::size_t> const segment{first_run.last != Heads::none ? first_run.last : within(pair), middle,
                                  second_run.first != Heads::none ? second_run.first : within(pair + 2 * run_tiles)};
  std::size_t const begin = within(tile), end = within(tile + 1);
  std::size_t const low = segment.first > begin ? segment.first : begin, high = segment.end < end ? segment.end : end;
  bool const is_merged = segment.second < segment.end && low < high;
  bool const in_other  = from.in_other[tile] != 0;
  if (thread == 0) {
    to.in_other[tile] = in_other != is_merged ? 1 : 0;
    if (tile == pair) to.heads[pair / (2 * run_tiles)] = first_run.with(second_run);
  }
  if (!is_merged) return;

  // ---- where its part in this tile comes from, a warp to each end
  PlacedKeys<Sort> const placed{sort, from.in_other};
  if (warp() < 2) {
    std::size_t const count = (warp() == 0 ? low : high) - segment.first;
    std::size_t const split = find_split_by_warp(placed, segment, count, sort.less);
    if (lane() == 0) split_of_end.store(warp(), split);
  }
  __syncthreads();
  std::size_t const a = segment.first + split_of_end.load(0), b = middle + (low - a);
  int const n        = static_cast<int>(high - low);
  int const of_first = static_cast<int>(split_of_end.load(1) - split_of_end.load(0));

  // ---- what else is in the tile, and then the segment
  Key* const to_keys = in_other ? sort.keys : sort.other_keys;
  auto const move    = [&](std::size_t i, std::size_t behind) {
    for (i += static_cast<std::size_t>(thread); i < behind; i += S::threads) core::put(to_keys[i], placed[i]);
  };
  move(begin, low);
  move(high, end);
  if (of_first > 0) fetch<S>(placed.piece(a, of_first), of_first, keys);
  if (of_first < n) fetch<S>(placed.piece(b, n - of_first), n - of_first, keys.from(of_first));
  __syncthreads();
  merge_keys(sort, of_first, n, to_keys + low);
}

/// Takes back the tiles that are in the other array.
template <class Sort>
__global__ void __launch_bounds__(Shape<Sort>::threads)
    take_segments_back_kernel(Sort const sort, SegmentRuns const runs) {
  begin_behind_previous_grid();
  using S = Shape<Sort>;
  if (runs.in_other[blockIdx.x] == 0) return;
  std::size_t const begin = static_cast<std::size_t>(blockIdx.x) * S::tile;
  std::size_t const end   = sort.n - begin < S::tile ? sort.n : begin + S::tile;
  for (std::size_t i = begin + threadIdx.x; i < end; i += S::threads) core::put(sort.keys[i], sort.other_keys[i]);
}

}  // namespace KokkosScan::cuda::merge
