// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_native/sort/radix_sort.hpp>

#include <cub/cub.cuh>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include <vector>

// Radix sort by cuda_native alone, beside CUB: medians of seven, every result compared with CUB's. Keys are brought
// back before each sort, which is not timed; short sorts are ten nodes of a graph, each behind such a copy, and the
// time of the copies is taken off. Returns 1 if a result differs.
//
//   nvcc -std=c++20 -O3 -arch=sm_90 --expt-relaxed-constexpr -I . -I include perf/experiments/sort.cu -o sort
//   ./sort [elements]
namespace {

namespace core  = KokkosScan::core;
namespace radix = KokkosScan::cuda::radix;

void check(cudaError_t error, char const* what) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(2);
}
#define CHECK(call) check(call, #call)

__device__ std::uint64_t mixed(std::uint64_t i) {
  std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15U;
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdU;
  return x ^ x >> 32;
}
enum class Keys { random, few, equal, ascending };
/// `mask`: bits that are kept, since CUB has another order of what is no number.
template <class Bits>
__global__ void fill(Bits* keys, std::size_t n, Keys kind, Bits mask) {
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    keys[i] = mask & static_cast<Bits>(kind == Keys::random  ? mixed(i)
                                       : kind == Keys::few   ? mixed(mixed(i) % 16)
                                       : kind == Keys::equal ? 12345
                                                             : i);
}
template <class T>
__global__ void compare(T const* a, T const* b, std::size_t n, unsigned* different) {
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    if (a[i] != b[i]) atomicAdd(different, 1U);
}

cudaStream_t stream;
bool is_right = true;

template <class F>
float time_of(F const& f) {
  cudaEvent_t begin{}, end{};
  CHECK(cudaEventCreate(&begin));
  CHECK(cudaEventCreate(&end));
  CHECK(cudaEventRecord(begin, stream));
  f();
  CHECK(cudaEventRecord(end, stream));
  CHECK(cudaEventSynchronize(end));
  float milliseconds = 0;
  CHECK(cudaEventElapsedTime(&milliseconds, begin, end));
  CHECK(cudaEventDestroy(begin));
  CHECK(cudaEventDestroy(end));
  return milliseconds;
}
template <class Before, class F>
float median(bool is_short, Before const& before, F const& f) {
  constexpr int nodes = 10;
  auto const graph_of = [&](bool with_f) {
    cudaGraph_t graph{};
    cudaGraphExec_t replayed{};
    CHECK(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int k = 0; k < nodes; ++k) {
      before();
      if (with_f) f();
    }
    CHECK(cudaStreamEndCapture(stream, &graph));
    CHECK(cudaGraphInstantiate(&replayed, graph, 0));
    return replayed;
  };
  before();
  f();
  std::vector<float> times;
  if (is_short) {
    cudaGraphExec_t const with = graph_of(true), without = graph_of(false);
    for (int k = 0; k < 8; ++k) {
      float const both   = time_of([&] { CHECK(cudaGraphLaunch(with, stream)); });
      float const copies = time_of([&] { CHECK(cudaGraphLaunch(without, stream)); });
      if (k > 0) times.push_back((both - copies) / nodes);
    }
  } else {
    for (int k = 0; k < 7; ++k) {
      before();
      times.push_back(time_of(f));
    }
  }
  std::sort(times.begin(), times.end());
  return times[3];
}

template <class T>
T* array(std::size_t n) {
  T* data = nullptr;
  CHECK(cudaMalloc(&data, n * sizeof(T)));
  return data;
}

template <class Key, bool is_float, bool with_values>
void run(char const* name, std::size_t n, Keys kind) {
  using Bits                  = std::conditional_t<sizeof(Key) == 8, std::uint64_t, std::uint32_t>;
  using Order                 = core::RadixOrder<Bits, is_float>;
  using Sort                  = core::RadixSort<Order, std::conditional_t<with_values, std::uint32_t, core::NoValues>>;
  Bits* const from            = array<Bits>(n);
  Key* const expected         = array<Key>(n);
  std::uint32_t *const values = array<std::uint32_t>(n), *const own_values = array<std::uint32_t>(n),
                       *const expected_values = array<std::uint32_t>(n);
  fill<<<1024, 256, 0, stream>>>(
      from, n, kind,
      static_cast<Bits>(is_float ? ~(std::uint64_t{1} << (sizeof(Key) == 8 ? 52 : 23)) : ~std::uint64_t{0}));
  fill<<<1024, 256, 0, stream>>>(values, n, Keys::ascending, ~0U);
  Sort sort{};
  sort.order = Order{Bits{0}, static_cast<Bits>(sizeof(Key) == 8 ? 0x7ff0000000000000U : 0x7f800000U), 0, Order::width};
  sort.keys  = array<Bits>(n);
  sort.other_keys = array<Bits>(n);
  sort.n          = n;
  if constexpr (with_values) {
    sort.values       = own_values;
    sort.other_values = array<std::uint32_t>(n);
  }
  std::size_t const needed = radix::needs(sort).scratch;
  void* const scratch      = array<char>(needed + 16);
  auto const device        = KokkosScan::cuda::current_device();
  auto const bring         = [&] {
    CHECK(cudaMemcpyAsync(sort.keys, from, n * sizeof(Bits), cudaMemcpyDeviceToDevice, stream));
    if (with_values)
      CHECK(cudaMemcpyAsync(own_values, values, n * sizeof(std::uint32_t), cudaMemcpyDeviceToDevice, stream));
  };
  bool const is_short = n < (std::size_t{1} << 24);
  float const own =
      median(is_short, bring, [&] { radix::run({stream, nullptr}, sort, {scratch, nullptr, 0}, device); });

  auto const* const cub_from = reinterpret_cast<Key const*>(from);
  std::size_t bytes          = 0;
  auto const cub             = [&](void* temporary) {
    if constexpr (with_values)
      CHECK(cub::DeviceRadixSort::SortPairs(temporary, bytes, cub_from, expected, values, expected_values,
                                                        static_cast<long long>(n), 0, int{8 * sizeof(Key)}, stream));
    else
      CHECK(cub::DeviceRadixSort::SortKeys(temporary, bytes, cub_from, expected, static_cast<long long>(n), 0,
                                                       int{8 * sizeof(Key)}, stream));
  };
  cub(nullptr);
  void* const temporary = array<char>(bytes);
  float const by_cub    = median(is_short, bring, [&] { cub(temporary); });

  bring();
  radix::run({stream, nullptr}, sort, {scratch, nullptr, 0}, device);
  unsigned* const different = array<unsigned>(1);
  CHECK(cudaMemsetAsync(different, 0, sizeof(unsigned), stream));
  compare<<<1024, 256, 0, stream>>>(sort.keys, reinterpret_cast<Bits const*>(expected), n, different);
  if constexpr (with_values) compare<<<1024, 256, 0, stream>>>(own_values, expected_values, n, different);
  unsigned wrong = 0;
  CHECK(cudaMemcpyAsync(&wrong, different, sizeof(wrong), cudaMemcpyDeviceToHost, stream));
  CHECK(cudaStreamSynchronize(stream));
  is_right                      = is_right && wrong == 0;
  constexpr char const* kinds[] = {"random", "16 keys", "equal", "ascending"};
  std::printf("%-10s %-9s n %10zu: %9.4f ms, %6.2f Gitem/s; CUB %9.4f ms; %.2f times CUB; %u wrong\n", name,
              kinds[static_cast<int>(kind)], n, own, static_cast<double>(n) / own * 1e-6, by_cub, by_cub / own, wrong);
  std::fflush(stdout);
  for (void* p : {static_cast<void*>(from), static_cast<void*>(expected), static_cast<void*>(values),
                  static_cast<void*>(own_values), static_cast<void*>(expected_values), static_cast<void*>(sort.keys),
                  static_cast<void*>(sort.other_keys), scratch, temporary, static_cast<void*>(different)})
    CHECK(cudaFree(p));
  if constexpr (with_values) CHECK(cudaFree(sort.other_values));
}

}  // namespace

int main(int count, char** arguments) {
  std::size_t const n = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : std::size_t{1} << 28;
  cudaDeviceProp device{};
  CHECK(cudaGetDeviceProperties(&device, 0));
  CHECK(cudaStreamCreate(&stream));
  std::printf("%s\n", device.name);
  for (std::size_t const length :
       {n, n / 16, n / 16 - 12345, n / 256, n / 256 + 777, n / 4096, std::size_t{7000}, std::size_t{1000}}) {
    run<std::uint32_t, false, false>("u32", length, Keys::random);
    run<std::uint32_t, false, true>("u32+u32", length, Keys::random);
    run<std::uint64_t, false, false>("u64", length, Keys::random);
    run<float, true, false>("f32", length, Keys::random);
  }
  for (Keys const kind : {Keys::few, Keys::equal, Keys::ascending}) {
    run<std::uint32_t, false, false>("u32", n, kind);
    run<std::uint32_t, false, true>("u32+u32", n, kind);
  }
  return is_right ? 0 : 1;
}
