// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../../src/core/comparisons.hpp"
#include "segment_pass.hpp"

//  Segments, each sorted by itself: those of a tile by its block, short ones of words by a thread each; then, as runs
//  get twice as long, the one that two runs have both a part of is merged, and the others stay
//  paper       Baxter 2013 (moderngpu, segmented sort); Odeh, Green, Mwassi, Shmueli, Birk 2012 (Merge Path); Batcher
//              1968 (merge exchange)
//  launches    2, and 1 each time that runs get twice as long; 1 if there is one tile
//  bytes       2 n, and 2 each time for the tiles of a segment that is longer than what is in order of it
//  operations  those of a sort of each segment
//  steps       those of a tile for each launch, and those of a search by 32 lanes
//  progress    none
namespace KokkosScan::cuda::merge {

/// What is known of the runs of so many tiles, twice, in scratch: a pass reads one and writes the other.
class SegmentRecords {
 public:
  explicit SegmentRecords(std::size_t tiles) : tiles_(tiles) {}

  core::Needs needs() const {
    core::Needs needs{};
    needs.scratch = 2 * tiles_ * (sizeof(Heads) + sizeof(std::uint8_t)) + warp_size * sizeof(std::uint32_t);
    return needs;
  }
  SegmentRuns of(std::size_t which, core::Memory const& memory) const {
    auto* const heads    = static_cast<Heads*>(memory.scratch);
    auto* const is_left  = reinterpret_cast<std::uint32_t*>(heads + 2 * tiles_);
    auto* const in_other = reinterpret_cast<std::uint8_t*>(is_left + warp_size);
    return {heads + which * tiles_, in_other + which * tiles_, is_left};
  }

 private:
  std::size_t tiles_;
};
/// Whatever compares keys, and what words they are, their tiles have one length.
template <class Key>
core::Needs needs_of_segments(std::size_t n) {
  return SegmentRecords(tiles_of<core::MergeSort<Key, core::NoValues, Less>>(n)).needs();
}

/// Enqueues a sort of n > 0 keys. Segments begin at the first key and where the words have a bit. So many blocks of a
/// pass run at once.
template <class Sort>
void run_segments(Stream stream, Sort const& sort, std::uint32_t const* words, core::Memory const& memory,
                  std::size_t at_once = merge_pass_blocks_at_once) {
  using S                 = Shape<Sort>;
  std::size_t const tiles = tiles_of<Sort>(sort.n);
  SegmentRecords const records(tiles);
  Grid const first_grid{static_cast<unsigned>(tiles), S::threads, SegmentShape<Sort>::bytes};
  SegmentRuns const even = records.of(0, memory), odd = records.of(1, memory);
  launch(stream, first_grid, sort_segments_kernel<Sort>, sort, core::Boundaries<false>{words, 0}, even);
  if (tiles == 1) return;
  std::size_t const pass_blocks = has_several_tiles<Sort> ? segment_pass_blocks(tiles, at_once) : tiles;
  Grid const pass_grid{static_cast<unsigned>(pass_blocks), S::threads, S::bytes};
  for (int pass = 0; std::size_t{1} << pass < tiles; ++pass)
    launch(stream, pass_grid, merge_segments_kernel<Sort>, sort, pass % 2 == 0 ? even : odd, pass % 2 == 0 ? odd : even,
           pass, first_grid.blocks);
  launch(stream, Grid{first_grid.blocks, first_grid.threads}, take_segments_back_kernel<Sort>, sort, even, odd);
}

}  // namespace KokkosScan::cuda::merge
