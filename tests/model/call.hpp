// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace model {

/// What a thread waits at, together with others.
enum class Call : std::uint8_t { syncthreads, syncwarp, shfl, shfl_up, shfl_down, shfl_xor, ballot, any, all };

char const* name_of(Call);

}  // namespace model
