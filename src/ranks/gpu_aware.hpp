// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>
#if defined(OPEN_MPI) && __has_include(<mpi-ext.h>)
#include <mpi-ext.h>
#endif

#include <Kokkos_Core.hpp>
#include <cstdlib>
#include <cstring>
#include <type_traits>

namespace KokkosScan::ranks {

/// What MPI says of itself, where it can be asked and Kokkos' device is one of CUDA; else no.
inline bool says_that_it_reads_devices() {
#if defined(KOKKOS_ENABLE_CUDA) && defined(OPEN_MPI) && defined(MPIX_CUDA_AWARE_SUPPORT)
  return MPIX_Query_cuda_support() == 1;
#elif defined(KOKKOS_ENABLE_CUDA) && defined(MPIX_GPU_SUPPORT_CUDA)
  int reads = 0;
  return MPIX_GPU_query_support(MPIX_GPU_SUPPORT_CUDA, &reads) == MPI_SUCCESS && reads != 0;
#else
  return false;
#endif
}

/// Whether MPI is handed memory of devices: the word of the user in KOKKOSSCAN_GPU_AWARE_MPI, 0 or 1, or else its own.
inline bool reads_devices() {
  static bool const reads = [] {
    char const* const word = std::getenv("KOKKOSSCAN_GPU_AWARE_MPI");
    return word && *word ? std::strcmp(word, "0") != 0 : says_that_it_reads_devices();
  }();
  return reads;
}

/// Whether MPI is handed memory of a space.
template <class Space>
bool reaches_memory_of() {
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace, Space>::accessible)
    return true;
  else
    return reads_devices();
}

}  // namespace KokkosScan::ranks
