// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_native/scan.hpp>
#include <src/core/functor.hpp>
#include <src/core/options.hpp>

#include <cstdint>
#include <cstdio>
#include "bench.hpp"

// Sums by functors as parallel_scan takes them, by cuda_native alone, beside a copy of as many bytes: 2^28 elements,
// 10^7 and 10^6, each result compared. Returns 1 if one is wrong.
//
//   nvcc -std=c++20 -O3 -arch=sm_90 --expt-relaxed-constexpr -I . -I include perf/experiments/functors.cu -o functors
namespace {

namespace core = KokkosScan::core;
using bench::check;

template <class T>
struct AddUp {
  T const* from;
  T* dest;
  __host__ __device__ void operator()(std::int64_t i, T& update, bool final) const {
    update += from[i];
    if (final) dest[i] = update;
  }
};
/// Elements whose sums are of small integers, and those sums.
template <class T>
__global__ void fill_kernel(T* from, T* sums, std::size_t n) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n;
       i += std::size_t{gridDim.x} * blockDim.x) {
    from[i] = static_cast<T>(i % 3 == 0);
    sums[i] = static_cast<T>(i / 3 + 1);
  }
}

bool is_right = true;

template <class T>
void measure(char const* name) {
  constexpr std::size_t most = std::size_t{1} << 28, states_bytes = std::size_t{64} << 20;
  cudaStream_t stream = nullptr;
  check(cudaStreamCreate(&stream));
  T *from = bench::array<T>(most), *dest = bench::array<T>(most), *sums = bench::array<T>(most);
  auto* const states = bench::array<unsigned char>(states_bytes);
  check(cudaMemset(states, 0, states_bytes));
  fill_kernel<<<1024, 256>>>(from, sums, most);
  check(cudaDeviceSynchronize());
  for (std::size_t const n : {most, std::size_t{10'000'000}, std::size_t{1'000'000}}) {
    using Functor = core::ScanFunctor<T, std::int64_t, void, AddUp<T>>;
    core::FunctorScan<Functor> const scan(Functor{{from, dest}, 0}, n, {});
    auto const median = [&](auto const& f) {
      return n == most ? bench::median(stream, 9, [] {}, f) : bench::median_in_graph(stream, 9, 20, f);
    };
    check(cudaMemset(dest, 0, n * sizeof(T)));
    float const own      = median([&] {
      KokkosScan::cuda::run(KokkosScan::cuda::Stream(stream, nullptr), core::Automatic{}, scan,
                                 core::Memory{nullptr, states, states_bytes});
    });
    unsigned const wrong = bench::differences(stream, dest, sums, n);
    is_right             = is_right && wrong == 0;
    float const copy =
        median([&] { check(cudaMemcpyAsync(dest, from, n * sizeof(T), cudaMemcpyDeviceToDevice, stream)); });
    std::printf("%s, n %zu: %.4f ms, %.3f of a copy; %u wrong\n", name, n, own, copy / own, wrong);
    std::fflush(stdout);
  }
  for (T* const array : {from, dest, sums}) check(cudaFree(array));
  check(cudaFree(states));
  check(cudaStreamDestroy(stream));
}

}  // namespace

int main() {
  measure<double>("f64");
  measure<std::int64_t>("i64");
  measure<std::int32_t>("i32");
  measure<std::int8_t>("i8");
  return is_right ? 0 : 1;
}
