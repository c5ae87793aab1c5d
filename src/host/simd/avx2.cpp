// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <immintrin.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "../tuning.hpp"
#include "functions.hpp"

namespace KokkosScan::host::simd::avx2 {
namespace {
constexpr int vector_bytes = 32;

template <class T, class V>
void stream(T* dest, V value) {
  _mm256_stream_si256(reinterpret_cast<__m256i*>(dest), reinterpret_cast<__m256i>(value));
}
void finish_streaming() { _mm_sfence(); }
void leave_registers() { _mm256_zeroupper(); }

constexpr bool has_masks = false;
template <class V>
unsigned differ(V left, V right) {
  auto const mask = left != right;
  if constexpr (sizeof(left[0]) == 4)
    return static_cast<unsigned>(_mm256_movemask_ps(reinterpret_cast<__m256>(mask)));
  else
    return static_cast<unsigned>(_mm256_movemask_pd(reinterpret_cast<__m256d>(mask)));
}

constexpr bool loads_duplicate = true;
template <class V>
V even_floats(V value) {
  return reinterpret_cast<V>(_mm256_moveldup_ps(reinterpret_cast<__m256>(value)));
}
template <class V>
V odd_floats(V value) {
  return reinterpret_cast<V>(_mm256_movehdup_ps(reinterpret_cast<__m256>(value)));
}
template <class V>
V even_doubles(V value) {
  return reinterpret_cast<V>(_mm256_movedup_pd(reinterpret_cast<__m256d>(value)));
}
}  // namespace
}  // namespace KokkosScan::host::simd::avx2

#define KOKKOSSCAN_INSTRUCTION_SET avx2
#include "kernels.inl"
