// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "shape.hpp"

// How the threads of a grid read all elements: 16 bytes at a time where elements lie side by side, whatever the address
// of the first one.
namespace KokkosScan::cuda::histogram {

struct alignas(16) Vector {
  std::uint32_t word[4];
};

/// Whether elements are read by vectors: they lie side by side, and a vector holds a whole number of them.
template <class From>
inline constexpr bool has_vectors = false;
template <class Element>
inline constexpr bool has_vectors<core::Contiguous<Element>> =
    std::has_single_bit(sizeof(Element)) && sizeof(Element) <= 8;

/// Calls use(vector) for each vector, so many of a thread being on their way at once, and single(i) for the elements
/// before and behind all vectors.
template <int at_once, class Element, class Use, class Single>
__device__ void for_each_vector(core::Contiguous<Element> const& from, std::size_t n, Use const& use,
                                Single const& single) {
  constexpr std::size_t length = sizeof(Vector) / sizeof(Element);
  std::size_t const off        = reinterpret_cast<std::uintptr_t>(from.data) / sizeof(Element) % length;
  std::size_t const to_vector  = off == 0 ? 0 : length - off;
  std::size_t const head       = to_vector < n ? to_vector : n;
  std::size_t const vectors    = (n - head) / length;
  std::size_t const tail       = n - head - vectors * length;
  std::size_t const thread     = threadIdx.x;
  if (blockIdx.x == 0) {
    if (thread < head) single(thread);
    if (thread < tail) single(n - 1 - thread);
  }
  auto const* const first = reinterpret_cast<Vector const*>(from.data + head);
  std::size_t const part  = static_cast<std::size_t>(blockDim.x) * at_once;
  std::size_t const step  = gridDim.x * part;
  for (std::size_t begin = blockIdx.x * part; begin < vectors; begin += step) {
    Vector vector[at_once];
    if (vectors - begin >= part) {
#pragma unroll
      for (int i = 0; i < at_once; ++i)
        vector[i] = load_at_once(first + begin + thread + static_cast<std::size_t>(i) * blockDim.x);
#pragma unroll
      for (int i = 0; i < at_once; ++i) use(vector[i]);
    } else {
      for (std::size_t k = begin + thread; k < vectors; k += blockDim.x) use(load_at_once(first + k));
    }
  }
}

/// Calls use(i, element) for each element.
template <int at_once, bool with_indices, class From, class Use>
__device__ void for_each_element(From const& from, std::size_t n, Use const& use) {
  using Element = core::ElementOf<From>;
  if constexpr (has_vectors<From> && !with_indices) {
    for_each_vector<at_once>(
        from, n,
        [&](Vector const& vector) {
          constexpr int length = static_cast<int>(sizeof(Vector) / sizeof(Element));
          Element element[length];
          memcpy(static_cast<void*>(element), &vector, sizeof(Vector));
#pragma unroll
          for (int e = 0; e < length; ++e) use(std::size_t{0}, element[e]);
        },
        [&](std::size_t i) { use(i, from[i]); });
  } else {
    std::size_t const step = static_cast<std::size_t>(gridDim.x) * blockDim.x;
#pragma unroll 4
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < n; i += step)
      use(i, from[i]);
  }
}

}  // namespace KokkosScan::cuda::histogram
