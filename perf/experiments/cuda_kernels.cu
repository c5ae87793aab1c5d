// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
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
namespace {

using namespace KokkosScan;

template <class T>
__global__ void fill(T* values, std::size_t n) {
  std::size_t const threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += threads) {
    auto mixed = static_cast<std::uint32_t>(i) * 2654435761U;
    mixed ^= mixed >> 15;
    values[i] = static_cast<T>((mixed & 1023) / 64);
  }
}
__global__ void add_bytes(unsigned char const* bytes, std::size_t n, unsigned long long* sum) {
  unsigned long long own    = 0;
  std::size_t const threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x; i < n; i += threads)
    own += (bytes[i] + 1ULL) * (i * 0x9e3779b97f4a7c15ULL + 12345);
  atomicAdd(sum, own);
}

template <class T>
T* allocate(std::size_t n) {
  T* data = nullptr;
  cuda::require(cudaMalloc(&data, n * sizeof(T)), "cudaMalloc");
  cuda::require(cudaMemset(data, 0, n * sizeof(T)), "cudaMemset");
  return data;
}

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
  T *const from = allocate<T>(n + shift), *const dest = allocate<T>(n + shift);
  auto* const sum = allocate<unsigned long long>(1);
  fill<<<1024, 256>>>(from, n + shift);
  auto const needs = cuda::needs<T>(core::Automatic{}, n);
  core::Memory const memory{allocate<char>(needs.scratch + 1), allocate<char>(needs.states), needs.states};
  core::ArrayScan<core::Kind::inclusive, T, core::Contiguous<T const>, core::Contiguous<T>, Op> scan{};
  scan.source.array.data = from + shift;
  scan.sink.array.data   = dest + shift;
  scan.n                 = n;
  cudaStream_t stream{};
  cuda::require(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
  cuda::require(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
  std::size_t const bytes = n * sizeof(T);
  float const time        = median(stream,
                            bytes < 1 << 20    ? 200
                                   : bytes < 64 << 20 ? 40
                                                      : 8,
                                   [&] { cuda::run(stream, core::Automatic{}, scan, memory); });
  add_bytes<<<1024, 256>>>(reinterpret_cast<unsigned char const*>(dest + shift), bytes, sum);
  unsigned long long result = 0;
  cuda::require(cudaMemcpy(&result, sum, sizeof(result), cudaMemcpyDefault), "cudaMemcpy");
  std::printf("%-8s n %9zu  +%zu  %8.2f us  %016llx\n", name, n, shift, static_cast<double>(time), result);
  for (void* const data :
       {static_cast<void*>(from), static_cast<void*>(dest), static_cast<void*>(sum), memory.scratch, memory.states})
    cudaFree(data);
  cudaStreamDestroy(stream);
}

template <class T, class Op>
void measure(char const* name) {
  for (std::size_t const n : {std::size_t{1000}, std::size_t{1} << 16, std::size_t{1} << 20, std::size_t{3'000'001},
                              std::size_t{1} << 24, (std::size_t{1} << 28) / sizeof(T)})
    measure<T, Op>(name, n, n % 2);
}

}  // namespace

int main() {
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
