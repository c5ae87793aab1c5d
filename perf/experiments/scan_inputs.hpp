// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "bench.hpp"

// What the programs for nvcc scan: values, keys, and which are chosen.
namespace bench {

/// Small integers, also of floating-point type, so that sums of few are exact in any order.
template <class T>
__global__ void fill(T* values, std::size_t n) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n;
       i += gridDim.x * std::size_t{blockDim.x})
    values[i] = static_cast<T>(mixed(i) >> 60);
}

/// Runs of some 20.
static __global__ void fill_keys(int* keys, std::size_t n) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n;
       i += gridDim.x * std::size_t{blockDim.x})
    keys[i] = static_cast<int>(i / (1 + mixed(i / 40) % 20));
}

struct IsOdd {
  __host__ __device__ bool operator()(int x) const { return x % 2 != 0; }
};

}  // namespace bench
