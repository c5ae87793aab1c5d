// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "copies.hpp"

// Grids that follow each other on a stream. One that is launched as a dependent (launch.hpp) may start before the one
// in front of it has ended, and then waits for that by itself (docs/decisions/dependent-launch.md). Code for less than
// compute capability 9.0 knows nothing of it, and is not launched so.
namespace KokkosScan::cuda {

/// Waits until the previous grid has ended, and all that it wrote can be read. Every thread of every kernel calls it,
/// also where it has nothing to do: else its grid might end before the previous one, for which the next grid would then
/// wait no longer. Before it nothing is read or written but parameters and the block's shared memory.
__device__ inline void wait_for_previous_grid() {
  if constexpr (has_copies) asm volatile("griddepcontrol.wait;" ::: "memory");
}

/// Lets the next grid start, once a thread of each block has called it, or the block has ended. Behind
/// wait_for_previous_grid(): so no more than two grids of a stream are there at once.
__device__ inline void let_next_grid_start() {
  if constexpr (has_copies) asm volatile("griddepcontrol.launch_dependents;" ::: "memory");
}

/// What a kernel begins with.
__device__ inline void begin_behind_previous_grid() {
  wait_for_previous_grid();
  let_next_grid_start();
}

}  // namespace KokkosScan::cuda
