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

/// The pass that merges what goes through the begin of that tile.
__device__ inline int pass_of(std::size_t tile) { return __ffs(static_cast<int>(tile)) - 1; }
/// The passes that anything is left for, a bit for each. All lanes.
__device__ inline std::uint32_t passes_left(SegmentRuns const& runs) {
  return __ballot_sync(all_lanes, runs.is_left[lane()] != 0);
}

/// Merges what two runs of so many tiles both have a part of, as far as it is in that tile of the results.
template <class Sort>
__device__ void merge_segment_of_tile(Sort const& sort, SegmentRuns const& from, SegmentRuns const& to, int pass,
                                      std::size_t tile) {
  using S                 = Shape<Sort>;
  using Key               = typename Sort::Key;
  auto const split_of_end = shared_memory<std::uint64_t>(S::ends_byte);
  auto const keys         = shared_memory<Slot<Key>>(S::elements_byte);
  int const thread        = static_cast<int>(threadIdx.x);

  // ---- the segment that both runs have a part of
  auto const within           = [&](std::size_t t) { return t * S::tile < sort.n ? t * S::tile : sort.n; };
  std::size_t const run_tiles = std::size_t{1} << pass, pair = tile >> (pass + 1) << (pass + 1);
  std::size_t const middle = within(pair + run_tiles);
  Heads const first_run    = from.heads[pair >> pass];
  Heads const second_run   = middle < sort.n ? from.heads[(pair >> pass) + 1] : Heads{Heads::none, Heads::none};
  Runs<std::size_t> const segment{first_run.last != Heads::none ? first_run.last : within(pair), middle,
                                  second_run.first != Heads::none ? second_run.first : within(pair + 2 * run_tiles)};
  std::size_t const begin = within(tile), end = within(tile + 1);
  std::size_t const low = segment.first > begin ? segment.first : begin, high = segment.end < end ? segment.end : end;
  bool const is_merged = segment.second < segment.end && low < high;
  bool const in_other  = from.in_other[tile] != 0;
  if (thread == 0) {
    to.in_other[tile] = in_other != is_merged ? 1 : 0;
    if (tile == pair) {
      to.heads[pair >> (pass + 1)] = first_run.with(second_run);
      if (pass == 0 && pair != 0 && first_run.first != begin) store_relaxed(to.is_left + pass_of(pair), 1U);
    }
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
  KeysOf<Sort> const compared{sort.less};
  bool any_unusual = false;
  auto const enter = [&](Slot<Key> const& key) -> decltype(auto) {
    any_unusual = any_unusual || compared.is_unusual(compared.enter(key));
    return compared.enter(key);
  };
  if (of_first > 0) fetch<S>(placed.piece(a, of_first), of_first, keys, enter);
  if (of_first < n) fetch<S>(placed.piece(b, n - of_first), n - of_first, keys.from(of_first), enter);
  TileVote const vote(false, any_unusual);
  __syncthreads();
  compared.with_less(vote.any_unusual(), [&](auto const& less) {
    merge_keys<Sort>(less, of_first, n, to_keys + low,
                     [&](Slot<Key> const& key) -> decltype(auto) { return compared.leave(key); });
  });
}

/// Merges runs that passes before have made twice as long, by pairs, for as long as a segment goes through their ends.
template <class Sort>
__global__ void __launch_bounds__(Shape<Sort>::threads, merge_pass_blocks_per_sm)
    merge_segments_kernel(Sort const sort, SegmentRuns const from, SegmentRuns const to, int const pass,
                          std::size_t const tiles) {
  begin_behind_previous_grid();
  if (pass > 0 && passes_left(from) >> pass == 0) return;
  for (std::size_t tile = blockIdx.x; tile < tiles; tile += gridDim.x)
    merge_segment_of_tile(sort, from, to, pass, tile);
}

/// Takes back the tiles that are in the other array. Which records say so the last pass tells that anything was left
/// for: `odd` ones an odd number of passes has left.
template <class Sort>
__global__ void __launch_bounds__(Shape<Sort>::threads)
    take_segments_back_kernel(Sort const sort, SegmentRuns const even, SegmentRuns const odd) {
  begin_behind_previous_grid();
  using S                  = Shape<Sort>;
  std::uint32_t const left = passes_left(even);
  int const passes         = left == 0 ? 1 : 32 - __clz(static_cast<int>(left));
  SegmentRuns const& runs  = passes % 2 == 0 ? even : odd;
  if (runs.in_other[blockIdx.x] == 0) return;
  std::size_t const begin = static_cast<std::size_t>(blockIdx.x) * S::tile;
  std::size_t const end   = sort.n - begin < S::tile ? sort.n : begin + S::tile;
  for (std::size_t i = begin + threadIdx.x; i < end; i += S::threads) core::put(sort.keys[i], sort.other_keys[i]);
}

}  // namespace KokkosScan::cuda::merge
