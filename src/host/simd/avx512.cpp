// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <immintrin.h>

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "../tuning.hpp"
#include "functions.hpp"

namespace KokkosScan::host::simd::avx512 {
namespace {
constexpr int vector_bytes = 64;

template <class T, class V>
void stream(T* dest, V value) {
  _mm512_stream_si512(reinterpret_cast<__m512i*>(dest), reinterpret_cast<__m512i>(value));
}
void finish_streaming() { _mm_sfence(); }
void leave_registers() { _mm256_zeroupper(); }

// g++ takes two instructions for these, a comparison and a choice.
__m512 lesser(__m512 x, __m512 y) { return _mm512_min_ps(x, y); }
__m512d lesser(__m512d x, __m512d y) { return _mm512_min_pd(x, y); }
__m512 greater(__m512 x, __m512 y) { return _mm512_max_ps(x, y); }
__m512d greater(__m512d x, __m512d y) { return _mm512_max_pd(x, y); }

constexpr bool has_masks = true;
/// The lanes whose bits are set at an address from one vector, the rest from the other.
template <class V>
V masked(std::byte const* bits, V with, V without) {
  using T = std::remove_cvref_t<decltype(with[0])>;
  std::conditional_t<sizeof(T) == 4, __mmask16, __mmask8> mask;
  __builtin_memcpy(&mask, bits, sizeof(mask));
  auto const x = reinterpret_cast<__m512i>(without), y = reinterpret_cast<__m512i>(with);
  if constexpr (std::is_same_v<T, float>)
    return _mm512_mask_blend_ps(mask, without, with);
  else if constexpr (std::is_same_v<T, double>)
    return _mm512_mask_blend_pd(mask, without, with);
  else if constexpr (sizeof(T) == 4)
    return reinterpret_cast<V>(_mm512_mask_blend_epi32(mask, x, y));
  else
    return reinterpret_cast<V>(_mm512_mask_blend_epi64(mask, x, y));
}
template <class V>
unsigned differ(V left, V right) {
  auto const x = reinterpret_cast<__m512i>(left), y = reinterpret_cast<__m512i>(right);
  return sizeof(left[0]) == 4 ? _mm512_cmpneq_epi32_mask(x, y) : _mm512_cmpneq_epi64_mask(x, y);
}

/// Of bytes of 0 and 1, a bit for each.
template <class V>
std::uint64_t ones(V bytes) {
  auto const x = reinterpret_cast<__m512i>(bytes);
  return _mm512_test_epi8_mask(x, x);
}

/// The lanes whose bits are set, one behind the other.
constexpr bool can_compress = true;
template <class V>
V compressed(V value, std::uint64_t bits) {
  auto const x = reinterpret_cast<__m512i>(value);
  if constexpr (sizeof(value[0]) == 4)
    return reinterpret_cast<V>(_mm512_maskz_compress_epi32(static_cast<__mmask16>(bits), x));
  else
    return reinterpret_cast<V>(_mm512_maskz_compress_epi64(static_cast<__mmask8>(bits), x));
}

constexpr bool loads_duplicate = true;
template <class V>
V even_floats(V value) {
  return reinterpret_cast<V>(_mm512_moveldup_ps(reinterpret_cast<__m512>(value)));
}
template <class V>
V odd_floats(V value) {
  return reinterpret_cast<V>(_mm512_movehdup_ps(reinterpret_cast<__m512>(value)));
}
template <class V>
V even_doubles(V value) {
  return reinterpret_cast<V>(_mm512_movedup_pd(reinterpret_cast<__m512d>(value)));
}
}  // namespace
}  // namespace KokkosScan::host::simd::avx512

#define KOKKOSSCAN_INSTRUCTION_SET avx512
#include "kernels.inl"
