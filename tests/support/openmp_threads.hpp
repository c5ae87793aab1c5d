// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#ifdef KOKKOS_ENABLE_OPENMP
#include <omp.h>

namespace test {

/// How many threads an instance really has. Kokkos 4.6 says of every instance what the default one has.
inline int threads_of(Kokkos::OpenMP const& exec) {
  int threads = 0;
  Kokkos::parallel_for(Kokkos::RangePolicy<Kokkos::OpenMP>(exec, 0, 1), [&](int) { threads = omp_get_num_threads(); });
  return threads;
}

}  // namespace test
#endif
