// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "../warp.hpp"

// Which bytes of a slice copies move, and which are left to the warps.
namespace KokkosScan::cuda::pipelined {

/// How many of n values are in a part of that length that begins there.
__device__ inline int part_length(int n, int begin, int length) {
  int const rest = n - begin;
  return rest < 0 ? 0 : rest < length ? rest : length;
}

/// How an array is moved: by copies, or one by one.
struct CopyPlan {
  bool copied;
  int shift;  // the bytes it begins behind a multiple of 128; so do its slices, and their copies in shared memory
};

/// The bytes of a slice in shared memory that copies move, or none. They begin and end at multiples of 16 bytes.
struct Copied {
  int begin, end;
  __device__ int bytes() const { return end > begin ? end - begin : 0; }
};

/// Of n elements that begin at a byte: what lies between such multiples and, where the array goes on, what shares 16
/// bytes with them.
template <int size>
__device__ Copied copied_of(CopyPlan plan, int byte, int n, bool more_before, bool more_behind) {
  if (!plan.copied) return {0, 0};
  return {(byte + (more_before ? 0 : 15)) / 16 * 16, (byte + n * size + (more_behind ? 15 : 0)) / 16 * 16};
}

/// Calls f(j, i) for all of n elements that begin at a byte and are not copied, or not wholly, and g(j, i) for the
/// same: for up to `at_once` of them to a lane, j being their number, f is called before g.
template <int at_once, int size, class F, class G>
__device__ void for_the_rest(Copied copied, int byte, int n, F const& f, G const& g) {
  int const head    = copied.begin > byte ? (copied.begin - byte + size - 1) / size : 0;
  int const tail    = copied.bytes() > 0 ? part_length((copied.end - byte) / size, 0, n) : 0;
  int const skipped = tail > head ? tail - head : 0;
  for (int first = lane(); first < n - skipped; first += at_once * warp_size) {
    auto const for_each = [&](auto const& call) {
#pragma unroll
      for (int j = 0; j < at_once; ++j)
        if (int const i = first + j * warp_size; i < n - skipped) call(j, i < head ? i : i + skipped);
    };
    for_each(f);
    for_each(g);
  }
}

}  // namespace KokkosScan::cuda::pipelined
