// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

// The macros of the library. They stand apart from Kokkos so that the operators and the CUDA kernels serve programs
// without Kokkos, too.
#if defined(__CUDACC__) || defined(__HIPCC__)
#define KOKKOSSCAN_FUNCTION __host__ __device__
#else
#define KOKKOSSCAN_FUNCTION
#endif
#define KOKKOSSCAN_INLINE_FUNCTION KOKKOSSCAN_FUNCTION inline
