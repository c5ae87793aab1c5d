// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../../src/core/comparisons.hpp"
#include "segment_pass.hpp"

//  Segments, each sorted by itself: those of a tile by its block; then, as runs get twice as long, the one that two
//  runs have both a part of is merged, and the others stay
//  paper       Baxter 2013 (moderngpu, segmented sort); Odeh, Green, Mwassi, Shmueli, Birk 2012 (Merge Path)
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
    needs.scratch = 2 * tiles_ * (sizeof(Heads) + sizeof(std::uint8_t));
    return needs;
  }
  SegmentRuns of(std::size_t which, core::Memory const& memory) const {
    auto* const heads    = static_cast<Heads*>(memory.scratch);
    auto* const in_other = reinterpret_cast<std::uint8_t*>(heads + 2 * tiles_);
    return {heads + which * tiles_, in_other + which * tiles_};
  }

 private:
  std::size_t tiles_;
};
/// Whatever compares keys, and what words they are, their tiles have one length.
template <class Key>
core::Needs needs_of_segments(std::size_t n) {
  return SegmentRecords(tiles_of<core::MergeSort<Key, core::NoValues, Less>>(n)).needs();
}

/// Enqueues a sort of n > 0 keys. Segments begin at the first key and where the words have a bit.
template <class Sort>
void run_segments(Stream stream, Sort const& sort, std::uint32_t const* words, core::Memory const& memory) {
  using S                 = Shape<Sort>;
  std::size_t const tiles = tiles_of<Sort>(sort.n);
  SegmentRecords const records(tiles);
  Grid const grid{static_cast<unsigned>(tiles), S::threads, S::bytes};
  Grid const first_grid{grid.blocks, grid.threads, SegmentShape<Sort>::bytes};
  SegmentRuns from = records.of(0, memory), to = records.of(1, memory);
  launch(stream, first_grid, sort_segments_kernel<Sort>, sort, core::Boundaries<false>{words, 0}, from);
  if (tiles == 1) return;
  for (std::size_t run_tiles = 1; run_tiles < tiles; run_tiles *= 2) {
    launch(stream, grid, merge_segments_kernel<Sort>, sort, from, to, run_tiles);
    SegmentRuns const other = from;
    from                    = to;
    to                      = other;
  }
  launch(stream, Grid{grid.blocks, grid.threads}, take_segments_back_kernel<Sort>, sort, from);
}

}  // namespace KokkosScan::cuda::merge
