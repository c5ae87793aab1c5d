// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Registers of 16 bytes. On x86 this is x86-64-v2, which is what every processor since 2009 has.
#if defined(__SSE2__)
#include <emmintrin.h>
#endif
#if defined(__SSE3__)
#include <pmmintrin.h>
#endif

#include <bit>
#include <cstddef>
#include <cstdint>
#include <type_traits>
#include <utility>

#include "../tuning.hpp"
#include "functions.hpp"

namespace KokkosScan::host::simd::baseline {
namespace {
constexpr int vector_bytes = 16;

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

void leave_registers() {}

constexpr bool has_masks = false;
template <class V>
unsigned differ(V left, V right) {
  auto const mask = left != right;
#if defined(__SSE2__)
  if constexpr (sizeof(left[0]) == 4)
    return static_cast<unsigned>(_mm_movemask_ps(reinterpret_cast<__m128>(mask)));
  else
    return static_cast<unsigned>(_mm_movemask_pd(reinterpret_cast<__m128d>(mask)));
#else
  unsigned bits = 0;
  for (unsigned lane = 0; lane < sizeof(V) / sizeof(left[0]); ++lane) bits |= (mask[lane] ? 1U : 0U) << lane;
  return bits;
#endif
}

/// Of bytes of 0 and 1, a bit for each.
template <class V>
std::uint64_t ones(V bytes) {
#if defined(__SSE2__)
  __m128i const highest = _mm_slli_epi16(reinterpret_cast<__m128i>(bytes), 7);
  return static_cast<std::uint32_t>(_mm_movemask_epi8(highest));
#else
  std::uint64_t bits = 0;
  for (unsigned lane = 0; lane < sizeof(V); ++lane) bits |= static_cast<std::uint64_t>(bytes[lane]) << lane;
  return bits;
#endif
}

constexpr bool can_compress = false;

#if defined(__SSE3__)
constexpr bool loads_duplicate = true;
template <class V>
V even_floats(V value) {
  return reinterpret_cast<V>(_mm_moveldup_ps(reinterpret_cast<__m128>(value)));
}
template <class V>
V odd_floats(V value) {
  return reinterpret_cast<V>(_mm_movehdup_ps(reinterpret_cast<__m128>(value)));
}
template <class V>
V even_doubles(V value) {
  return reinterpret_cast<V>(_mm_movedup_pd(reinterpret_cast<__m128d>(value)));
}
#else
constexpr bool loads_duplicate = false;
#endif
}  // namespace
}  // namespace KokkosScan::host::simd::baseline

#define KOKKOSSCAN_INSTRUCTION_SET baseline
#include "kernels.inl"
