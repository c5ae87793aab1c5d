// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// What every processor of the architecture has: 16-byte registers nearly everywhere.
#if defined(__SSE2__)
#include <emmintrin.h>
#endif

#include <cstddef>
#include <utility>

#include "functions.hpp"

namespace KokkosScan::host::simd::baseline {
namespace {
#if defined(__SSE2__)
template <class T, class V>
void stream(T* dest, V value) {
  _mm_stream_si128(reinterpret_cast<__m128i*>(dest), reinterpret_cast<__m128i>(value));
}
void finish_streaming() { _mm_sfence(); }
#else
template <class T, class V>
void stream(T* dest, V value) {
  *reinterpret_cast<V*>(dest) = value;
}
void finish_streaming() {}
#endif
}  // namespace
}  // namespace KokkosScan::host::simd::baseline

#define KOKKOSSCAN_INSTRUCTION_SET baseline
#define KOKKOSSCAN_VECTOR_BYTES 16
#include "kernels.inl"
