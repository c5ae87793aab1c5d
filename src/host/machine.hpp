// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>

// What the processor's caches and memory gain by, found out at run time. No bit of a result depends on it, but those of
// a NaN.
namespace KokkosScan::host {

/// How memory is read best.
enum class Reading : bool {
  straight,  // page after page
  in_turns   // several pages in turns, and what a result will overwrite in a cache, while tiles are reduced
};

struct Machine {
  std::size_t last_level_bytes;  // of a cache of the last level, from the third on; 0 if nobody knows
  int sharers;                   // threads that share it
  Reading reading;
};

Machine const& machine();

/// What Linux says of one, by the folder that it keeps for a processor.
Machine find_machine(std::string const& processor);

/// For tests and measurements, while nothing scans.
void assume(Machine const& machine);

/// A result of more bytes than this is written past the caches by so many threads.
std::size_t streaming_from(int threads);

}  // namespace KokkosScan::host
