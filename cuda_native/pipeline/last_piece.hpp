// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <type_traits>

#include "../tuning.hpp"
#include "../values.hpp"

namespace KokkosScan::cuda::pipelined {

/// Calls take(i, element) for the elements of a piece that is not full, in their order; get(i) gives them. It is the
/// last of all, and all wait for its lane, which would wait for shared memory with each element if it asked for one at
/// a time.
template <class Get, class Take>
__device__ void for_each_of_last_piece(int rest, Get const& get, Take const& take) {
  using Element         = std::remove_cvref_t<decltype(get(0))>;
  constexpr int at_once = pipeline_elements_at_once<Element>;
#pragma unroll 1
  for (int first = 0; first < rest; first += at_once) {
    Uninitialized<Element> own[at_once];
#pragma unroll
    for (int j = 0; j < at_once; ++j)
      if (first + j < rest) own[j].put(get(first + j));
#pragma unroll
    for (int j = 0; j < at_once; ++j)
      if (first + j < rest) take(first + j, own[j].value);
  }
}

}  // namespace KokkosScan::cuda::pipelined
