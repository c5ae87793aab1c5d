// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace model {

/// Where a kernel called the model: what std::source_location would say, which clang 14 lacks.
struct Site {
  char const* file = "";
  unsigned line    = 0;

  static constexpr Site here(char const* name = __builtin_FILE(), unsigned number = __builtin_LINE()) {
    return {name, number};
  }
};

/// What a thread waits at: together with others, or for what others or copies do.
enum class Call : std::uint8_t {
  syncthreads,
  syncwarp,
  shfl,
  shfl_up,
  shfl_down,
  shfl_xor,
  ballot,
  any,
  all,
  phase,          // until it has ended
  copied_out,     // until the copies that it started have been read
  previous_grid,  // until it has ended
};

char const* name_of(Call);

/// What a thread does with shared memory; what several add at once is no race.
enum class Access : std::uint8_t { load, store, add };

}  // namespace model
