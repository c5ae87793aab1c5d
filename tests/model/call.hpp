// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace model {

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
  phase,       // until it has ended
  copied_out,  // until the copies that it started have been read
};

char const* name_of(Call);

}  // namespace model
