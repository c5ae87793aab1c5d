// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>

#include "../../core/segments.hpp"
#include "../../core/tiles.hpp"
#include "../launch.hpp"
#include "../tuning.hpp"

//  Segments, each sorted by itself: a worker sorts those that begin in its share of the elements, one after the other;
//  long ones are left to all workers, one after the other
//  launches    1, and those of a sort for each long segment
//  bytes       those of a sort of each segment, which the caches hold where it is short
//  operations  those of a sort of each segment
//  steps       those of a share, and of a short segment behind it
//  progress    none: no worker waits for another
namespace KokkosScan::host::sort {

/// Some of what a sort sorts.
template <class Sort>
Sort part_of(Sort sort, core::Tile part) {
  sort.keys += part.begin;
  sort.other_keys += part.begin;
  sort.n = part.size();
  return sort;
}

/// Calls by_one(worker, part) for each segment of more than one element, and by_all(part) for those that are too long
/// for one worker.
template <class Integer, class Workers, class ByOne, class ByAll>
void for_each_segment(core::Offsets<Integer> const& offsets, std::size_t n, Workers const& workers, ByOne const& by_one,
                      ByAll const& by_all) {
  std::size_t const longest = workers.size() == 1 ? n : longest_by_one_worker;
  auto const segment        = [&](std::size_t k) {
    core::Tile part{offsets.clamped(k, n), offsets.clamped(k + 1, n)};
    part.end = std::max(part.begin, part.end);
    return part;
  };
  launch(workers, [&](int worker, Failure const& failure) {
    core::Tile const share = core::chunk_of(n, worker, workers.size());
    std::size_t const next = offsets.find(0, share.end);  // the first of the next share
    // Where offsets descend, no two sort the same keys.
    std::size_t behind = 0, end = next <= offsets.segments ? offsets.clamped(next, n) : n;
    for (std::size_t k = offsets.find(0, share.begin); k < next && k < offsets.segments; ++k) {
      core::Tile part = segment(k);
      part.end        = std::min(part.end, end);
      if (behind == 0) behind = part.begin;
      if (failure.has_happened()) return;
      if (part.begin < behind || part.begin >= part.end) continue;
      behind = part.end;
      if (part.size() > 1 && part.size() <= longest) by_one(worker, part);
    }
  });
  // A long one has an element whose number is a multiple of that length.
  for (std::size_t element = 0, last = offsets.segments; element < n; element += longest) {
    std::size_t const behind = offsets.find(0, element + 1);
    if (behind == 0 || behind - 1 >= offsets.segments || behind - 1 == last) continue;
    last = behind - 1;
    if (segment(last).size() > longest) by_all(segment(last));
  }
}

}  // namespace KokkosScan::host::sort
