// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <thrust/device_vector.h>
#include <thrust/tabulate.h>
#include <thrust/transform_reduce.h>

#include <cuda_native/scan.hpp>
#include <src/core/options.hpp>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <vector>

// Times scans by cuda_native alone in a CUDA graph, and prints a sum of their results' bytes: to compare two versions
// of the kernels, compile this file against each and run them in turns.
//
//   nvcc -std=c++20 -O3 -arch=sm_90 -I VERSION -I VERSION/include perf/experiments/cuda_kernels.cu -o kernels
namespace KokkosScan {
namespace {

template <class T>
struct Input {
  __host__ __device__ T operator()(std::size_t i) const {
    auto mixed = static_cast<std::uint32_t>(i) * 2654435761U;
    mixed ^= mixed >> 15;
    return static_cast<T>((mixed & 1023) / 64);
  }
};
struct Weighted {
  unsigned char const* bytes;
  __host__ __device__ unsigned long long operator()(std::size_t i) const {
    return (bytes[i] + 1ULL) * (i * 0x9e3779b97f4a7c15ULL + 12345);
  }
};

/// Microseconds a scan, the median of nine replays of a graph of some.
template <class F>
float median(cudaStream_t stream, int scans, F const& scan) {
  cudaGraph_t graph{};
  cudaGraphExec_t replay{};
  cuda::require(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "cudaStreamBeginCapture");
  for (int i = 0; i < scans; ++i) scan();
  cuda::require(cudaStreamEndCapture(stream, &graph), "cudaStreamEndCapture");
  cuda::require(cudaGraphInstantiate(&replay, graph, 0), "cudaGraphInstantiate");
  cudaEvent_t begin{}, end{};
  cuda::require(cudaEventCreate(&begin), "cudaEventCreate");
  cuda::require(cudaEventCreate(&end), "cudaEventCreate");
  std::vector<float> times;
  for (int i = 0; i < 10; ++i) {
    float milliseconds = 0;
    cuda::require(cudaEventRecord(begin, stream), "cudaEventRecord");
    cuda::require(cudaGraphLaunch(replay, stream), "cudaGraphLaunch");
    cuda::require(cudaEventRecord(end, stream), "cudaEventRecord");
    cuda::require(cudaEventSynchronize(end), "cudaEventSynchronize");
    cuda::require(cudaEventElapsedTime(&milliseconds, begin, end), "cudaEventElapsedTime");
    if (i > 0) times.push_back(1000 * milliseconds / static_cast<float>(scans));  // the first one warms up
  }
  cudaGraphExecDestroy(replay);
  cudaGraphDestroy(graph);
  std::nth_element(times.begin(), times.begin() + 4, times.end());
  return times[4];
}

template <class T, class Op>
void measure(char const* name, std::size_t n, std::size_t shift) {
  thrust::device_vector<T> from(n + shift), dest(n + shift);
  thrust::tabulate(from.begin(), from.end(), Input<T>{});
  auto const needs = cuda::needs<T>(core::Automatic{}, n);
  thrust::device_vector<char> scratch(needs.scratch + 1), states(needs.states);
  core::Memory const memory{scratch.data().get(), states.data().get(), needs.states};
  core::ArrayScan<core::Kind::inclusive, T, core::Contiguous<T const>, core::Contiguous<T>, Op> scan{};
  scan.source.array.data = from.data().get() + shift;
  scan.sink.array.data   = dest.data().get() + shift;
  scan.n                 = n;
  cudaStream_t stream{};
  cuda::require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  cuda::require(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  std::size_t const bytes = n * sizeof(T);
  int const scans         = bytes < 1 << 20 ? 200 : bytes < 64 << 20 ? 40 : 8;
  float const time        = median(stream, scans, [&] { cuda::run(stream, core::Automatic{}, scan, memory); });
  thrust::counting_iterator<std::size_t> const first(0);
  unsigned long long const result = thrust::transform_reduce(
      first, first + bytes, Weighted{reinterpret_cast<unsigned char const*>(scan.sink.array.data)}, 0ULL,
      thrust::plus<unsigned long long>());
  std::printf("%-8s n %9zu  +%zu  %8.2f us  %016llx\n", name, n, shift, static_cast<double>(time), result);
  cudaStreamDestroy(stream);
}

template <class T, class Op>
void measure(char const* name) {
  for (std::size_t const n : {std::size_t{1000}, std::size_t{1} << 16, std::size_t{1} << 20, std::size_t{3'000'001},
                              std::size_t{1} << 24, (std::size_t{1} << 28) / sizeof(T)})
    measure<T, Op>(name, n, n % 2);
}

}  // namespace
}  // namespace KokkosScan

int main() {
  using namespace KokkosScan;
  measure<float, Sum>("f32 sum");
  measure<double, Sum>("f64 sum");
  measure<std::int32_t, Sum>("i32 sum");
  measure<std::int8_t, Sum>("i8 sum");
  measure<std::int16_t, Sum>("i16 sum");
  measure<std::int32_t, BitXor>("i32 xor");
  measure<std::int8_t, Max>("i8 max");
  measure<std::uint16_t, Max>("u16 max");
  measure<std::int64_t, Min>("i64 min");
  measure<float, Max>("f32 max");
  measure<double, Max>("f64 max");
}
