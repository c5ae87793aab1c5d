// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../core/macros.hpp"
#include "simd/instruction_set.hpp"

// The user's compiler makes the loops that call the user's code, for whatever processors the program is for; so some of
// them exist once more for those that are known to have wider registers. They fuse no multiplication and addition
// (as_written.hpp), so the bits are the same; but vectors that a transform hands by value to functions that are not
// inlined would be looked for in the wrong place, of which g++ warns (-Wpsabi). Hence arithmetic types alone.
namespace KokkosScan::host {

// nvcc 13.0 takes the attribute and ignores it.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__CUDACC__)
#define KOKKOSSCAN_FOR_WIDE_REGISTERS KOKKOSSCAN_AS_WRITTEN_IN_VECTORS [[gnu::target("avx2"), gnu::flatten]]
inline constexpr bool compiles_for_wide_registers = true;
#else
#define KOKKOSSCAN_FOR_WIDE_REGISTERS
inline constexpr bool compiles_for_wide_registers = false;
#endif

// Before a loop of a few iterations that have nothing to do with each other, in the same memory or apart. At -O3 g++ 12
// and 14 unroll it before they make vectors, and then see that two addresses may be the same: 3 times as slow.
// nvcc 13.0 does not know the pragma.
#if defined(__clang__)
#define KOKKOSSCAN_VECTOR_LOOP _Pragma("clang loop vectorize(assume_safety)")
#elif defined(__GNUC__) && defined(__CUDACC__)
#define KOKKOSSCAN_VECTOR_LOOP _Pragma("GCC ivdep")
#elif defined(__GNUC__)
#define KOKKOSSCAN_VECTOR_LOOP _Pragma("GCC ivdep") _Pragma("GCC unroll 1")
#else
#define KOKKOSSCAN_VECTOR_LOOP
#endif

/// Whether this processor has them.
inline bool has_wide_registers() {
  return compiles_for_wide_registers && simd::instruction_set() != simd::InstructionSet::baseline;
}

/// f(), all of which is compiled for them.
template <class F>
KOKKOSSCAN_FOR_WIDE_REGISTERS void in_wide_registers(F const& f) {
  f();
}

}  // namespace KokkosScan::host
