// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <source_location>
#include <vector>

// What the programs for nvcc have in common: random numbers, arrays that are compared, and medians of what a stream
// takes.
namespace bench {

inline void check(cudaError_t error, std::source_location const& where = std::source_location::current()) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s:%u: %s\n", where.file_name(), where.line(), cudaGetErrorString(error));
  std::exit(2);
}

__host__ __device__ inline std::uint64_t mixed(std::uint64_t i) {
  std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15U;
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdU;
  return x ^ x >> 32;
}

template <class T>
T* array(std::size_t n) {
  T* data = nullptr;
  check(cudaMalloc(&data, n * sizeof(T)));
  return data;
}

/// Counts elements with other bytes.
template <class T>
__global__ void compare_kernel(T const* a, T const* b, std::size_t n, unsigned* different) {
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < n;
       i += static_cast<std::size_t>(gridDim.x) * blockDim.x) {
    auto const *const first   = reinterpret_cast<unsigned char const*>(a + i),
                      *second = reinterpret_cast<unsigned char const*>(b + i);
    bool differs              = false;
    for (std::size_t k = 0; k < sizeof(T); ++k) differs = differs || first[k] != second[k];
    if (differs) atomicAdd(different, 1U);
  }
}
template <class T>
unsigned differences(cudaStream_t stream, T const* a, T const* b, std::size_t n) {
  unsigned* const different = array<unsigned>(1);
  check(cudaMemsetAsync(different, 0, sizeof(unsigned), stream));
  compare_kernel<<<1024, 256, 0, stream>>>(a, b, n, different);
  unsigned result = 0;
  check(cudaMemcpyAsync(&result, different, sizeof(result), cudaMemcpyDeviceToHost, stream));
  check(cudaStreamSynchronize(stream));
  check(cudaFree(different));
  return result;
}

/// In milliseconds, as all times.
template <class F>
float time_of(cudaStream_t stream, F const& f) {
  cudaEvent_t begin{}, end{};
  check(cudaEventCreate(&begin));
  check(cudaEventCreate(&end));
  check(cudaEventRecord(begin, stream));
  f();
  check(cudaEventRecord(end, stream));
  check(cudaEventSynchronize(end));
  check(cudaGetLastError());
  float milliseconds = 0;
  check(cudaEventElapsedTime(&milliseconds, begin, end));
  check(cudaEventDestroy(begin));
  check(cudaEventDestroy(end));
  return milliseconds;
}

/// Of so many times, behind one that does not count.
template <class Time>
float median_of(int times, Time const& time) {
  time();
  std::vector<float> all;
  for (int k = 0; k < times; ++k) all.push_back(time());
  std::sort(all.begin(), all.end());
  return all[all.size() / 2];
}

/// `before` is not timed.
template <class Before, class F>
float median(cudaStream_t stream, int times, Before const& before, F const& f) {
  return median_of(times, [&] {
    before();
    return time_of(stream, f);
  });
}

/// Of so many nodes of a graph, one behind the other.
template <class F>
float median_in_graph(cudaStream_t stream, int times, int nodes, F const& f) {
  cudaGraph_t graph{};
  cudaGraphExec_t replayed{};
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  for (int k = 0; k < nodes; ++k) f();
  check(cudaStreamEndCapture(stream, &graph));
  check(cudaGraphInstantiate(&replayed, graph, 0));
  float const time = median(stream, times, [] {}, [&] { check(cudaGraphLaunch(replayed, stream)); });
  check(cudaGraphExecDestroy(replayed));
  check(cudaGraphDestroy(graph));
  return time / static_cast<float>(nodes);
}

/// Of a sort, whose keys `before` brings back: what is short as nodes of a graph, each behind such a copy, whose time
/// is taken off.
template <class Before, class F>
float median_of_sorts(cudaStream_t stream, bool is_short, Before const& before, F const& f) {
  if (!is_short) return median(stream, 7, before, f);
  constexpr int nodes = 10;
  before();
  f();
  float const both = median_in_graph(stream, 7, nodes, [&] {
    before();
    f();
  });
  return both - median_in_graph(stream, 7, nodes, before);
}

}  // namespace bench
