// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>

#include "../core/macros.hpp"

// What Kokkos' atomics leave to be said.
namespace KokkosScan::portable {

/// A word that others may be writing to, as it was at some time: for a first look, before an atomic operation decides,
/// or where what it was is as right: a parent that was one is in the same tree, and no bit is taken away.
template <class Word>
KOKKOSSCAN_FUNCTION Word glimpse(Word const* word) {
#if defined(__CUDA_ARCH__)
  return *word;  // from a near cache, too, which an atomic load would pass by
#else
  return Kokkos::atomic_load(word);
#endif
}

/// Adds one to a count, and returns what it was: a place of the calling thread's own. Threads of a warp that come
/// together take their places by one addition, so all that can come together add to the same count.
template <class Count>
KOKKOSSCAN_FUNCTION Count place_behind(Count* count) {
#if defined(__CUDA_ARCH__)
  unsigned const together = __activemask();
  unsigned lane           = 0;
  asm volatile("mov.u32 %0, %%laneid;" : "=r"(lane));
  int const first = __ffs(static_cast<int>(together)) - 1;
  Count place     = 0;
  if (static_cast<int>(lane) == first) place = Kokkos::atomic_fetch_add(count, static_cast<Count>(__popc(together)));
  place = __shfl_sync(together, place, first);
  return place + static_cast<Count>(__popc(together & ((1U << lane) - 1U)));
#else
  return Kokkos::atomic_fetch_add(count, Count{1});
#endif
}

}  // namespace KokkosScan::portable
