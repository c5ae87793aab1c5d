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

// A function object that kernels call, too. nvcc lets a kernel use a constant of the host's by its value alone, which
// an object whose member is called is not.
#if defined(__CUDA_ARCH__)
#define KOKKOSSCAN_OBJECT __device__ constexpr
#else
#define KOKKOSSCAN_OBJECT inline constexpr
#endif

// Before a function for host and device that calls what may be for the host alone: nvcc then does not warn of it. Not
// where a device may call what the user gives: of a function for the host nvcc makes none for the device, and says so
// in that warning alone.
#if defined(__NVCC__)
#define KOKKOSSCAN_MAY_CALL_HOST_FUNCTIONS _Pragma("nv_exec_check_disable")
#else
#define KOKKOSSCAN_MAY_CALL_HOST_FUNCTIONS
#endif

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
