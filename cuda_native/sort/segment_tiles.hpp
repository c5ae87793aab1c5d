// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "../../src/core/segments.hpp"
#include "short_segments.hpp"
#include "tile_sort.hpp"

// Each segment of a tile sorted by itself: as a tile is, but what is merged of two runs is only the segment that both
// have a part of. All others are in order where they are.
namespace KokkosScan::cuda::merge {

/// The first and the last element of a run at which segments begin.
struct Heads {
  enum : std::uint64_t { none = static_cast<std::uint64_t>(-1) };
  std::uint64_t first, last;

  /// Of this run and the next one.
  __device__ Heads with(Heads const& next) const {
    return {first != none ? first : next.first, next.last != none ? next.last : last};
  }
};
/// What is known of the runs of a pass: where segments begin in each, and of each tile whether it is in the other
/// array. Of all passes: whether a segment goes through an end of runs that get twice as long by that many passes.
struct SegmentRuns {
  Heads* heads;
  std::uint8_t* in_other;
  std::uint32_t* is_left;  // of all but the first
};

/// The shared memory that segments take behind a tile: of each thread where the segment of its first item begins and
/// ends, and of each warp where segments begin in its items; and of short ones all of these places.
template <class Sort>
struct SegmentShape {
  using S = Shape<Sort>;

  static constexpr int warps      = S::threads / warp_size;
  static constexpr int ends_byte  = static_cast<int>(core::round_up(S::bytes, 2 * sizeof(std::uint32_t)));
  static constexpr int warps_byte = ends_byte + S::threads * static_cast<int>(2 * sizeof(std::uint16_t));
  static constexpr int list_byte  = warps_byte + warps * static_cast<int>(2 * sizeof(std::int32_t));
  static constexpr int bytes =
      list_byte + (KeysOf<Sort>::are_words ? S::tile * static_cast<int>(sizeof(std::uint16_t)) : 0);
  static_assert(S::tile < 1 << 16, "16 bits hold the end of a tile");
  static_assert(S::items < 32, "a word holds a bit for each item");
  static_assert(bytes <= shared_bytes_at_most);
};

/// Places in a tile: a first one, and one behind the last.
struct Extent {
  std::uint16_t begin, end;
};

/// Where segments begin in a tile of n elements: some of its threads know those among their items.
template <class Sort>
class SegmentsOfTile {
  using Shape = SegmentShape<Sort>;
  using S     = merge::Shape<Sort>;

  struct Ends {
    std::int32_t first, last;  // behind all and before all, if no segment begins
  };

 public:
  /// `heads`: a bit for each item of the calling thread that there is. All threads; what they find is there behind the
  /// next barrier.
  __device__ SegmentsOfTile(std::uint32_t heads, int n) : n_(n) {
    int const item           = static_cast<int>(threadIdx.x) * S::items;
    std::int32_t const last  = item + 31 - __clz(static_cast<int>(heads)),
                       first = item + __ffs(static_cast<int>(heads)) - 1;
    unsigned const lanes     = __ballot_sync(all_lanes, heads != 0);
    before_                  = of_lane(last, 31 - __clz(static_cast<int>(lanes & ((1U << lane()) - 1))), -1);
    behind_                  = of_lane(first, __ffs(static_cast<int>(lanes & (all_lanes << lane()))) - 1, S::tile);
    std::int32_t const last_of_warp  = of_lane(last, 31 - __clz(static_cast<int>(lanes)), -1);
    std::int32_t const first_of_warp = of_lane(first, __ffs(static_cast<int>(lanes)) - 1, S::tile);
    if (lane() == 0) of_warps().store(warp(), Ends{first_of_warp, last_of_warp});
  }

  /// Between barriers: makes the segment of each thread's first item known to all.
  __device__ void publish() {
    for (int w = warp() - 1; w >= 0 && before_ < 0; --w) before_ = of_warps().load(w).last;
    for (int w = warp() + 1; w < Shape::warps && behind_ == S::tile; ++w) behind_ = of_warps().load(w).first;
    of_threads().store(static_cast<int>(threadIdx.x), Extent{static_cast<std::uint16_t>(before_ < 0 ? 0 : before_),
                                                             static_cast<std::uint16_t>(behind_ < n_ ? behind_ : n_)});
  }
  /// Of the whole tile, which begins at that element. Behind the first barrier.
  __device__ Heads heads(std::size_t begin) const {
    std::int32_t first = S::tile, last = -1;
    for (int w = 0; w < Shape::warps; ++w) {
      Ends const ends = of_warps().load(w);
      if (ends.first < first) first = ends.first;
      if (ends.last > last) last = ends.last;
    }
    return {first < n_ ? begin + static_cast<std::uint64_t>(first) : Heads::none,
            last < 0 ? Heads::none : begin + static_cast<std::uint64_t>(last)};
  }
  /// The first one behind the items of the calling warp. Behind the first barrier.
  __device__ int behind_warp() const {
    int behind = S::tile;
    for (int w = warp() + 1; w < Shape::warps && behind == S::tile; ++w) behind = of_warps().load(w).first;
    return behind < n_ ? behind : n_;
  }
  /// What two runs of so many threads have both a part of, the first one beginning with that thread: empty where the
  /// second begins with a segment.
  __device__ Runs<int> straddling(int thread, int width) const {
    int const begin = S::first_item(thread, n_), middle = S::first_item(thread + width, n_);
    int const end = S::first_item(thread + 2 * width, n_);
    if (middle >= n_) return {middle, middle, middle};
    Extent const segment = of_threads().load(thread + width);
    return {segment.begin > begin ? segment.begin : begin, middle, segment.end < end ? segment.end : end};
  }

 private:
  /// What a lane has, if it is one. All lanes.
  __device__ static std::int32_t of_lane(std::int32_t own, int lane, std::int32_t without) {
    std::int32_t const other = __shfl_sync(all_lanes, own, lane < 0 ? 0 : lane);
    return lane < 0 ? without : other;
  }
  __device__ static Shared<Ends> of_warps() { return shared_memory<Ends>(Shape::warps_byte); }
  __device__ static Shared<Extent> of_threads() { return shared_memory<Extent>(Shape::ends_byte); }

  int n_;
  std::int32_t before_, behind_;  // the last head before the first item, and the first from it on
};

/// Merges the segments of a tile that go through its threads, each of which has put its items in order: of runs of so
/// many threads the segment that a pair has a part of each.
template <class Sort, class Less>
__device__ void merge_segments_of_threads(SegmentsOfTile<Sort> const& segments, std::uint32_t heads, int n,
                                          Less const& less) {
  using S             = Shape<Sort>;
  using Key           = typename Sort::Key;
  auto const keys     = shared_memory<Slot<Key>>(S::elements_byte);
  auto const no_order = shared_memory<typename S::Place>(S::order_byte);
  int const thread    = static_cast<int>(threadIdx.x);
  int const first     = thread * S::items;
  Items<Sort> items;
  items.load(first, keys, n);
  items.sort(less, heads);
  if (n < S::tile) __syncthreads();  // the last key may be any thread's
#pragma unroll 1
  for (int width = 1; width < S::threads && width * S::items < n; width *= 2) {
    items.store(first, keys, no_order);
    __syncthreads();
    Runs<int> const straddling = segments.straddling(thread & ~(2 * width - 1), width);
    bool const is_merged       = straddling.first < straddling.second && straddling.second < straddling.end;
    if (is_merged && first < straddling.end && straddling.first < first + S::items) {
      int const skipped = straddling.first > first ? straddling.first - first : 0;
      merge_items<S::items>(
          keys, straddling, first + skipped - straddling.first, less,
          [&](int i, int, Slot<Key> const& key) {
            if (first + i < straddling.end) items.key[i].put(key);
          },
          skipped);
    }
    __syncthreads();
  }
  items.store(first, keys, no_order);
}

/// Sorts the segments of each tile, a block to each.
template <class Sort>
__global__ void __launch_bounds__(Shape<Sort>::threads, merge_segments_blocks_per_sm)
    sort_segments_kernel(Sort const sort, core::Boundaries<false> const boundaries, SegmentRuns const runs) {
  begin_behind_previous_grid();
  using S             = Shape<Sort>;
  using Key           = typename Sort::Key;
  auto const keys     = shared_memory<Slot<Key>>(S::elements_byte);
  int const first     = static_cast<int>(threadIdx.x) * S::items;
  auto const compared = KeysOf<Sort>{sort.less};

  // ---- the tile, but for short segments that go through its ends: the last one is its last warp's
  std::size_t const tile = static_cast<std::size_t>(blockIdx.x) * S::tile;
  Crossing const before(boundaries, tile, sort.n), behind(boundaries, tile + S::tile, sort.n);
  std::size_t const begin = before.end;
  int const n             = static_cast<int>(behind.begin - begin);
  int const own           = n - first < S::items ? n - first : S::items;
  bool any_unusual        = false;
  fetch<S>(Pieces<Key>{sort.keys + begin, sort.keys + begin, n}, n, keys, [&](Slot<Key> const& key) -> decltype(auto) {
    any_unusual = any_unusual || compared.is_unusual(compared.enter(key));
    return compared.enter(key);
  });
  if (warp() == SegmentShape<Sort>::warps - 1 && behind.begin < behind.end)
    sort_by_warp(sort.keys + behind.begin, static_cast<int>(behind.end - behind.begin), sort.less);

  // ---- where segments begin among the items of each thread; what is not there is no part of a segment
  constexpr std::uint32_t all_items = (std::uint32_t{1} << S::items) - 1;
  std::uint32_t heads = 0, nothing = all_items;
  bool is_long = false;
  if (own > 0) {
    HeadsAround const around(boundaries, begin + static_cast<std::size_t>(first), sort.n);
    nothing = all_items & ~std::uint32_t{0} << own;
    heads   = around.from & all_items & ~nothing;
    is_long = around.is_long();
  }
  SegmentsOfTile<Sort> segments(heads, n);
  TileVote const vote(is_long, any_unusual);
  __syncthreads();
  if (threadIdx.x == 0) {
    Heads of_tile = segments.heads(begin);
    if (before.begin < before.end) of_tile = Heads{tile, tile}.with(of_tile);
    if (behind.begin < behind.end) of_tile = of_tile.with(Heads{behind.begin, behind.begin});
    runs.heads[blockIdx.x]    = of_tile;
    runs.in_other[blockIdx.x] = 0;
  }
  if (blockIdx.x == 0 && warp() == 0) runs.is_left[lane()] = 0;
  if (n == 0) return;

  // ---- segments that threads sort each by itself, or segments that are merged
  bool is_done = false;
  if constexpr (KeysOf<Sort>::are_words)
    if (!vote.any_long() && !vote.any_unusual()) {
      auto const list = shared_memory<std::uint16_t>(SegmentShape<Sort>::list_byte).from(warp() * warp_size * S::items);
      sort_short_segments(keys, list, heads, first, segments.behind_warp());
      is_done = true;
    }
  if (!is_done) {
    segments.publish();
    compared.with_less(vote.any_unusual(),
                       [&](auto const& less) { merge_segments_of_threads(segments, heads | nothing, n, less); });
  }
  __syncthreads();
  store<S>(
      keys, n, [](int at) { return at; }, sort.keys + begin,
      [&](Slot<Key> const& key) -> decltype(auto) { return compared.leave(key); });
}

}  // namespace KokkosScan::cuda::merge
