// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <type_traits>

#include "../tuning.hpp"
#include "../values.hpp"

namespace KokkosScan::cuda::pipelined {

/// Calls take(i, element) for the elements of a piece that is not full, in their order; get(first, count)(j) gives
/// element first + j. It is the last of all, and all wait for its lane, which would wait for shared memory, and ask
/// where runs begin, with each element if it asked for one at a time.
template <class Get, class Take>
__device__ void for_each_of_last_piece(int rest, Get const& get, Take const& take) {
  using Element         = std::remove_cvref_t<decltype(get(0, 1)(0))>;
  constexpr int at_once = pipeline_elements_at_once<Element>;
#pragma unroll 1
  for (int first = 0; first < rest; first += at_once) {
    auto const own_of = get(first, static_cast<std::size_t>(rest - first < at_once ? rest - first : at_once));
    Uninitialized<Element> own[at_once];
#pragma unroll
    for (int j = 0; j < at_once; ++j)
      if (first + j < rest) own[j].put(own_of(j));
#pragma unroll
    for (int j = 0; j < at_once; ++j)
      if (first + j < rest) take(first + j, own[j].value);
  }
}

}  // namespace KokkosScan::cuda::pipelined
