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

/// Of bytes of 0 and 1, a bit for each.
template <class V>
std::uint64_t ones(V bytes) {
  __m256i const highest = _mm256_slli_epi16(reinterpret_cast<__m256i>(bytes), 7);
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(highest));
}

/// For each choice of lanes the parts of 4 bytes that it takes, one behind the other.
template <int lanes, int parts>
struct Permutations {
  unsigned char of[1 << lanes][8] = {};

  constexpr Permutations() {
    for (unsigned bits = 0; bits < 1U << lanes; ++bits)
      for (int lane = 0, to = 0; lane < lanes; ++lane)
        if (bits >> lane & 1)
          for (int part = 0; part < parts; ++part) of[bits][to++] = static_cast<unsigned char>(lane * parts + part);
  }
};
template <int lanes>
constexpr Permutations<lanes, 8 / lanes> permutations;

/// The lanes whose bits are set, one behind the other.
constexpr bool can_compress = true;
template <class V>
V compressed(V value, std::uint64_t bits) {
  constexpr int lanes  = vector_bytes / static_cast<int>(sizeof(value[0]));
  auto const* const at = reinterpret_cast<__m128i const*>(permutations<lanes>.of[bits]);
  __m256i const parts  = _mm256_cvtepu8_epi32(_mm_loadl_epi64(at));
  return reinterpret_cast<V>(_mm256_permutevar8x32_epi32(reinterpret_cast<__m256i>(value), parts));
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
