// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include "../portable/team.hpp"
#ifdef KOKKOS_ENABLE_CUDA
#include "../cuda/team.hpp"
#endif

// How the teams of an execution space scan: as backend.hpp for the scans of a host, from which kernels need nothing.
namespace KokkosScan::driver {

template <class Exec>
struct TeamScansOf {
  using type = portable::TeamScans;
};
#ifdef KOKKOS_ENABLE_CUDA
template <>
struct TeamScansOf<Kokkos::Cuda> {
  using type = cuda::TeamScans;
};
#endif

}  // namespace KokkosScan::driver
