// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <tbb/task_arena.h>

namespace perf::host {

/// As many TBB threads as Kokkos has, on the same cores.
tbb::task_arena& tbb_arena();

template <class F>
void in_tbb_arena(F const& f) {
  tbb_arena().execute(f);
}

}  // namespace perf::host
