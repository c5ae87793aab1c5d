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
__device__ inline int pass_of(unsigned tile) { return __ffs(static_cast<int>(tile)) - 1; }
/// The passes that anything is left for, a bit for each. All lanes.
__device__ inline std::uint32_t passes_left(SegmentRuns const& runs) {
  return __ballot_sync(all_lanes, runs.is_left[lane()] != 0);
}

/// The segment that two runs both have a part of which earlier passes have made, and what of it is in one of their
/// tiles.
template <class Sort>
struct MergedSegment {
  using S = Shape<Sort>;

  Heads first_run, second_run;
  Runs<std::size_t> runs;
  std::size_t begin, end;  // of the tile
  std::size_t low, high;

  __device__ MergedSegment(Sort const& sort, SegmentRuns const& from, int pass, unsigned tile) {
    auto const within     = [&](std::size_t t) { return t * S::tile < sort.n ? t * S::tile : sort.n; };
    std::size_t const run = tile >> pass & ~1U, run_tiles = std::size_t{1} << pass;
    runs.second = within((run + 1) * run_tiles);
    first_run   = from.heads[run];
    second_run  = runs.second < sort.n ? from.heads[run + 1] : Heads{Heads::none, Heads::none};
    runs.first  = first_run.last != Heads::none ? first_run.last : within(run * run_tiles);
    runs.end    = second_run.first != Heads::none ? second_run.first : within((run + 2) * run_tiles);
    begin       = within(tile);
    end         = within(std::size_t{tile} + 1);
    low         = runs.first > begin ? runs.first : begin;
    high        = runs.end < end ? runs.end : end;
  }
  __device__ bool is_there() const { return runs.second < runs.end && low < high; }

  /// Writes down what is known of the tile behind the pass, and of both runs, if they begin with it.
  __device__ void put(SegmentRuns const& from, SegmentRuns const& to, int pass, unsigned tile) const {
    to.in_other[tile] = (from.in_other[tile] != 0) != is_there() ? 1 : 0;
    if ((tile & ((2U << pass) - 1)) != 0) return;
    to.heads[tile >> pass >> 1] = first_run.with(second_run);
    if (pass == 0 && tile != 0 && first_run.first != begin) store_relaxed(to.is_left + pass_of(tile), 1U);
  }
};

/// Merges what of a segment is in that tile of the results. All threads.
template <class Sort>
__device__ void merge_segment_of_tile(Sort const& sort, SegmentRuns const& from, int pass, unsigned tile) {
  using S                 = Shape<Sort>;
  using Key               = typename Sort::Key;
  auto const split_of_end = shared_memory<std::uint64_t>(S::ends_byte);
  auto const keys         = shared_memory<Slot<Key>>(S::elements_byte);
  int const thread        = static_cast<int>(threadIdx.x);
  MergedSegment<Sort> const segment(sort, from, pass, tile);
  std::size_t const low = segment.low, high = segment.high;

  // ---- where its part in this tile comes from, a warp to each end
  PlacedKeys<Sort> const placed{sort, from.in_other};
  if (warp() < 2) {
    std::size_t const count = (warp() == 0 ? low : high) - segment.runs.first;
    std::size_t const split = find_split_by_warp(placed, segment.runs, count, sort.less);
    if (lane() == 0) split_of_end.store(warp(), split);
  }
  __syncthreads();
  std::size_t const a = segment.runs.first + split_of_end.load(0), b = segment.runs.second + (low - a);
  int const n        = static_cast<int>(high - low);
  int const of_first = static_cast<int>(split_of_end.load(1) - split_of_end.load(0));

  // ---- what else is in the tile, and then the segment
  Key* const to_keys = from.in_other[tile] != 0 ? sort.keys : sort.other_keys;
  auto const move    = [&](std::size_t i, std::size_t behind) {
    for (i += static_cast<std::size_t>(thread); i < behind; i += S::threads) core::put(to_keys[i], placed[i]);
  };
  move(segment.begin, low);
  move(high, segment.end);
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

/// Wider keys leave no registers for a loop.
template <class Sort>
inline constexpr bool has_several_tiles = sizeof(typename Sort::Key) <= 4;

/// Merges runs that passes before have made twice as long, by pairs, for as long as a segment goes through their ends.
/// Most passes merge few tiles: so a block may have several, and a warp finds at once which.
template <class Sort>
__global__ void __launch_bounds__(Shape<Sort>::threads, merge_pass_blocks_per_sm)
    merge_segments_kernel(Sort const sort, SegmentRuns const from, SegmentRuns const to, int const pass,
                          unsigned const tiles) {
  begin_behind_previous_grid();
  if (pass > 0 && passes_left(from) >> pass == 0) return;
  unsigned const own = blockIdx.x + static_cast<unsigned>(lane()) * gridDim.x;
  bool is_merged     = false;
  if (own < tiles) {
    MergedSegment<Sort> const segment(sort, from, pass, own);
    is_merged = segment.is_there();
    if (warp() == 0) segment.put(from, to, pass, own);
  }
  std::uint32_t merged = __ballot_sync(all_lanes, is_merged);
  if constexpr (has_several_tiles<Sort>) {
    for (; merged != 0; merged &= merged - 1) {
      unsigned const which = static_cast<unsigned>(__ffs(static_cast<int>(merged))) - 1;
      merge_segment_of_tile(sort, from, pass, blockIdx.x + which * gridDim.x);
    }
  } else {
    if (merged != 0) merge_segment_of_tile(sort, from, pass, blockIdx.x);
  }
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
