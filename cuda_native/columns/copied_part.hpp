// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../machine.hpp"

namespace KokkosScan::cuda::columns {

/// What copies move of n elements that lie side by side and begin `shift` bytes behind a multiple of 16: in bytes from
/// that on, between such multiples. The first `head` elements, and those from `tail` on, they do not move, or not
/// wholly.
struct CopiedPart {
  int begin, end, head, tail;

  template <int size>
  __device__ static CopiedPart of(int shift, int n, int begin, int end) {
    auto const at_most = [&](int count) { return count < n ? count : n; };
    int const head     = at_most(begin > shift ? (begin - shift + size - 1) / size : 0);
    int const tail     = at_most(end > shift ? (end - shift) / size : 0);
    return {begin, end, head, tail > head ? tail : head};
  }
  /// Nothing of others.
  template <int size>
  __device__ static CopiedPart within(int shift, int n) {
    return of<size>(shift, n, (shift + 15) / 16 * 16, (shift + n * size) / 16 * 16);
  }
  __device__ unsigned bytes() const { return end > begin ? static_cast<unsigned>(end - begin) : 0; }

  /// How many elements there may be of which copies move nothing outside, and not all.
  template <int size>
  static constexpr int rest_most = 2 * ((15 + size - 1) / size);
  /// How many of n there are, and element k of them.
  __device__ int rest(int n) const { return n - (tail - head); }
  __device__ int of_rest(int k) const { return k < head ? k : tail + (k - head); }
};

}  // namespace KokkosScan::cuda::columns
