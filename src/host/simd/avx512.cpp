// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <immintrin.h>

#include <cstddef>
#include <utility>

#include "functions.hpp"

namespace KokkosScan::host::simd::avx512 {
namespace {
template <class T, class V>
void stream(T* dest, V value) {
  _mm512_stream_si512(reinterpret_cast<__m512i*>(dest), reinterpret_cast<__m512i>(value));
}
void finish_streaming() { _mm_sfence(); }
}  // namespace
}  // namespace KokkosScan::host::simd::avx512

#define KOKKOSSCAN_INSTRUCTION_SET avx512
#define KOKKOSSCAN_VECTOR_BYTES 64
#include "kernels.inl"
