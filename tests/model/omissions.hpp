// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <functional>
#include <string>

#include "place.hpp"

namespace model {

/// What a thread does only because others, or copies, rely on it.
enum class Duty {
  barrier,          // __syncthreads
  warp_barrier,     // __syncwarp
  fence,            //
  release,          // of a store, which is relaxed without it
  acquire,          // of a load
  arrival,          // at an mbarrier
  wait,             // for a phase of one
  publication,      // of mbarriers
  fence_of_copies,  //
  wait_for_copies,  // until they have read what they copy out
};

std::string to_string(Duty);

/// Asked by each thread at each of its duties whether it is to leave it out, as if it were not in the text of the
/// kernel. A test learns so where a kernel has which, and may take away any of them. It must not call the model.
using Omissions = std::function<bool(Duty, Place const&)>;

}  // namespace model
