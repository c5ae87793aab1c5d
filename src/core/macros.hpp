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

// A function whose arithmetic is done as written, with everything that it calls. Where a processor has fused
// multiplications and additions, g++ decides in each inlined copy of an operator anew which product it fuses with which
// sum, and copies differ in their last bits; without fusing, all are alike. clang decides once, when it reads the
// operator, unless told to do otherwise. Vectors of structs would bring fused instructions back: g++ 12 makes them of
// alternating additions and subtractions all the same.
#if defined(__GNUC__) && !defined(__clang__) && !defined(__CUDA_ARCH__)
#define KOKKOSSCAN_AS_WRITTEN [[gnu::noinline, gnu::flatten, gnu::optimize("fp-contract=off", "no-tree-vectorize")]]
#define KOKKOSSCAN_AS_WRITTEN_IN_VECTORS [[gnu::noinline, gnu::flatten, gnu::optimize("fp-contract=off")]]
#else
#define KOKKOSSCAN_AS_WRITTEN
#define KOKKOSSCAN_AS_WRITTEN_IN_VECTORS
#endif
