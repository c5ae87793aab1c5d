// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "copies.hpp"

#include "timing.hpp"

namespace perf::cuda {
namespace {

constexpr unsigned block = 256;

__global__ void do_nothing() {}

/// 16 bytes a thread, and the last bytes one by one.
__global__ void copy(unsigned char* to, unsigned char const* from, std::size_t bytes) {
  std::size_t const i = (static_cast<std::size_t>(blockIdx.x) * block + threadIdx.x) * sizeof(uint4);
  if (i + sizeof(uint4) <= bytes)
    *reinterpret_cast<uint4*>(to + i) = *reinterpret_cast<uint4 const*>(from + i);
  else
    for (std::size_t k = i; k < bytes; ++k) to[k] = from[k];
}

}  // namespace

void empty_kernel() {
  do_nothing<<<1, 1, 0, stream()>>>();
  require(cudaGetLastError());
}

void copy_by_kernel(unsigned char* to, unsigned char const* from, std::size_t bytes) {
  std::size_t const threads = (bytes + sizeof(uint4) - 1) / sizeof(uint4);
  copy<<<static_cast<unsigned>((threads + block - 1) / block), block, 0, stream()>>>(to, from, bytes);
  require(cudaGetLastError());
}

void copy_by_runtime(unsigned char* to, unsigned char const* from, std::size_t bytes) {
  require(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDeviceToDevice, stream()));
}

}  // namespace perf::cuda
