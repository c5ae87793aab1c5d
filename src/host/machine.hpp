// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

// What the processor's caches and memory gain by, found out at run time. No bit of a result depends on it, but those of
// a NaN.
namespace KokkosScan::host {

struct Machine {
  std::size_t last_level_bytes;  // of a cache of the last level, from the third on; 0 if nobody knows
  int sharers;                   // threads that share it
  bool takes_turns;              // reading several pages in turns
  bool fetches_results;          // bringing into the cache what a result will overwrite, while its total is found
};

Machine const& machine();

/// For tests and measurements, while nothing scans.
void assume(Machine const& machine);

/// A result of more bytes than this is written past the caches by so many threads.
std::size_t streaming_from(int threads);

}  // namespace KokkosScan::host
