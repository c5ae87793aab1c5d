// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "backend.hpp"

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

Contestant empty_kernel(Mode mode, std::size_t buffers) {
  Contestant floor = contestant({"empty kernel"}, mode, buffers, [](std::size_t) {
    do_nothing<<<1, 1, 0, stream()>>>();
    require(cudaGetLastError());
  });
  floor.is_floor   = true;
  return floor;
}

std::vector<Contestant> copies(std::vector<Arrays> const& arrays, Mode mode, std::size_t bytes) {
  auto const by_runtime = [&arrays, bytes](std::size_t k) {
    require(cudaMemcpyAsync(arrays[k].to.data(), arrays[k].from.data(), bytes, cudaMemcpyDeviceToDevice, stream()));
  };
  auto const by_kernel = [&arrays, bytes](std::size_t k) {
    std::size_t const threads = (bytes + sizeof(uint4) - 1) / sizeof(uint4);
    copy<<<static_cast<unsigned>((threads + block - 1) / block), block, 0, stream()>>>(arrays[k].to.data(),
                                                                                       arrays[k].from.data(), bytes);
    require(cudaGetLastError());
  };
  return {contestant({"cudaMemcpyAsync"}, mode, arrays.size(), by_runtime),
          contestant({"copy kernel"}, mode, arrays.size(), by_kernel)};
}

}  // namespace perf::cuda
