// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <concepts>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <type_traits>

#include "call.hpp"
#include "calls.hpp"

// The words of CUDA C++ that kernels use. Those that are not here, a kernel should not use.
#define __global__
#define __device__
#define __host__
#define __forceinline__ inline __attribute__((always_inline))
#define __launch_bounds__(...)
#define __grid_constant__

namespace model {

struct Coordinates {
  unsigned x = 0, y = 0, z = 0;
};

template <class T>
concept Shuffled = std::is_arithmetic_v<T> && (sizeof(T) == 4 || sizeof(T) == 8);

/// `other` is the lane that is asked, or how far away it is.
template <Call call>
struct Shuffle {
  template <Shuffled T>
  T operator()(unsigned mask, T value, unsigned other, int width = 32, Site const& where = Site::here()) const {
    std::uint64_t given = 0;
    std::memcpy(&given, &value, sizeof(T));
    std::uint64_t const got = meet(call, mask, given, other, width, where);
    std::memcpy(&value, &got, sizeof(T));
    return value;
  }
};

}  // namespace model

// Of the thread that runs: the model sets them whenever another's turn begins.
inline model::Coordinates threadIdx, blockIdx;
inline model::Coordinates blockDim{1, 1, 1}, gridDim{1, 1, 1};

inline void __syncthreads(model::Site const& where = model::Site::here()) { model::syncthreads(where); }
inline void __syncwarp(unsigned mask = ~0U, model::Site const& where = model::Site::here()) {
  model::meet(model::Call::syncwarp, mask, 0, 0, 32, where);
}

inline constexpr model::Shuffle<model::Call::shfl> __shfl_sync;
inline constexpr model::Shuffle<model::Call::shfl_up> __shfl_up_sync;
inline constexpr model::Shuffle<model::Call::shfl_down> __shfl_down_sync;
inline constexpr model::Shuffle<model::Call::shfl_xor> __shfl_xor_sync;

inline unsigned __ballot_sync(unsigned mask, int vote, model::Site const& where = model::Site::here()) {
  return static_cast<unsigned>(model::meet(model::Call::ballot, mask, vote != 0, 0, 32, where));
}
inline int __any_sync(unsigned mask, int vote, model::Site const& where = model::Site::here()) {
  return static_cast<int>(model::meet(model::Call::any, mask, vote != 0, 0, 32, where));
}
inline int __all_sync(unsigned mask, int vote, model::Site const& where = model::Site::here()) {
  return static_cast<int>(model::meet(model::Call::all, mask, vote != 0, 0, 32, where));
}

inline int __popc(unsigned bits) { return std::popcount(bits); }
inline int __clz(int bits) { return std::countl_zero(static_cast<unsigned>(bits)); }
inline int __ffs(int bits) { return bits == 0 ? 0 : std::countr_zero(static_cast<unsigned>(bits)) + 1; }

/// Of the eight bytes of low and high, those that the lower half-bytes of `which` name.
inline unsigned __byte_perm(unsigned low, unsigned high, unsigned which) {
  std::uint64_t const bytes = std::uint64_t{high} << 32 | low;
  unsigned picked           = 0;
  for (unsigned b = 0; b < 4; ++b) {
    if ((which >> (4 * b) & 8) != 0) std::abort();  // its sign eight times, which no kernel asks for
    picked |= static_cast<unsigned>(bytes >> (8 * (which >> (4 * b) & 7)) & 0xff) << (8 * b);
  }
  return picked;
}
/// The lower word of both, shifted down by up to 31 bits.
inline unsigned __funnelshift_r(unsigned low, unsigned high, unsigned shift) {
  return static_cast<unsigned>((std::uint64_t{high} << 32 | low) >> shift % 32);
}
/// `sum` and the products of the four bytes of one with those of the other.
inline int __dp4a(int left, int right, int sum) {
  for (int b = 0; b < 4; ++b)
    sum += static_cast<std::int8_t>(left >> (8 * b)) * static_cast<std::int8_t>(right >> (8 * b));
  return sum;
}

inline void __nanosleep(unsigned) { model::sleep(); }
[[noreturn]] inline void __trap() { std::abort(); }
