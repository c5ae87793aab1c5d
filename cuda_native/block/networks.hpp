// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "../../src/block/networks.hpp"

#include "block.hpp"

// Networks that a block of CUDA runs as all other backends do, with its threads as workers.
namespace KokkosScan::cuda::block {

struct ThreadsOfBlock {
  template <class F>
  __device__ void for_each(int count, F const& f) const {
    block::for_each(count, f);
    __syncthreads();
  }
  template <class F>
  __device__ void once(F const& f) const {
    if (threadIdx.x == 0) f();
    __syncthreads();
  }
};

template <class Network, int items>
struct OfThreads : InPlace<items> {
  static constexpr Kind native_kind = Network::native_kind;

  template <class Tile, class Combine>
  __device__ static Tile run(Tile tile, Tile scratch, int n, Combine const& combine) {
    return Network::run(ThreadsOfBlock(), n, tile, scratch, combine);
  }
};

template <int items>
struct BrentKung : OfThreads<KokkosScan::block::BrentKung, items> {};

template <int items>
struct Blelloch : OfThreads<KokkosScan::block::Blelloch, items> {
  /// A node that reaches past the end keeps its prefix there.
  KOKKOSSCAN_FUNCTION static constexpr int capacity(int n) {
    int power = 1;
    while (power < n) power *= 2;
    return power;
  }
};

}  // namespace KokkosScan::cuda::block
