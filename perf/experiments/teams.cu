// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_native/machine.hpp>
#include <cuda_native/team.hpp>

#include <cstddef>
#include <cstdio>
#include "bench.hpp"

// Scans of rows by the threads of blocks, a row to each, by cuda_native alone, beside a kernel of the same blocks that
// copies them: medians of seven. Each result is checked. Returns 1 if one is wrong.
//
//   nvcc -std=c++20 -O3 -arch=sm_90 -I . -I include perf/experiments/teams.cu -o teams
//   ./teams
namespace {

namespace core   = KokkosScan::core;
namespace native = KokkosScan::cuda;
using bench::check;

bool is_right = true;

template <class T>
__global__ void scan_kernel(T const* from, T* dest, int n) {
  native::TeamThread const thread{static_cast<int>(threadIdx.x), static_cast<int>(blockDim.x)};
  std::size_t const first = static_cast<std::size_t>(blockIdx.x) * static_cast<std::size_t>(n);
  core::ArrayScan<core::Kind::inclusive, T, core::Contiguous<T const>, core::Contiguous<T>, KokkosScan::Sum> const scan{
      {{from + first}, {}}, {{dest + first}}, static_cast<std::size_t>(n), {}, {}, nullptr};
  native::scan_by_team(thread, scan, [] { return native::shared_memory<T>(0); });
}
template <class T>
__global__ void copy_kernel(T const* from, T* dest, int n) {
  std::size_t const first = static_cast<std::size_t>(blockIdx.x) * static_cast<std::size_t>(n);
  for (int i = static_cast<int>(threadIdx.x); i < n; i += static_cast<int>(blockDim.x))
    dest[first + static_cast<std::size_t>(i)] = from[first + static_cast<std::size_t>(i)];
}
/// Counts elements that are not the sums of ones; or makes ones.
template <bool checks, class T>
__global__ void each_kernel(T* data, std::size_t all, int n, unsigned* wrong) {
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < all;
       i += static_cast<std::size_t>(gridDim.x) * blockDim.x)
    if constexpr (checks) {
      if (data[i] != static_cast<T>(i % static_cast<std::size_t>(n) + 1)) atomicAdd(wrong, 1U);
    } else {
      data[i] = T(1);
    }
}

template <class T>
void measure(char const* type, int rows, int n) {
  std::size_t const all = static_cast<std::size_t>(rows) * static_cast<std::size_t>(n);
  T *const from = bench::array<T>(all), *const dest = bench::array<T>(all);
  auto* const wrong = bench::array<unsigned>(1);
  each_kernel<false><<<1024, 256>>>(from, all, n, wrong);
  auto const time_of = [](auto const& f) { return bench::median(nullptr, 7, [] {}, f); };
  for (int const threads : {32, 64, 96, 128, 256, 512}) {
    float const copy = time_of([&] { copy_kernel<<<rows, threads>>>(from, dest, n); });
    check(cudaMemset(dest, 0xff, all * sizeof(T)));
    float const time = time_of([&] { scan_kernel<<<rows, threads, 32 * sizeof(T)>>>(from, dest, n); });
    check(cudaMemset(wrong, 0, sizeof(*wrong)));
    each_kernel<true><<<1024, 256>>>(dest, all, n, wrong);
    unsigned count = 0;
    check(cudaMemcpy(&count, wrong, sizeof(count), cudaMemcpyDeviceToHost));
    is_right = is_right && count == 0;
    std::printf("%s %d x %d, teams of %d: %.1f us, copy %.1f: %.3f%s\n", type, rows, n, threads,
                1000 * static_cast<double>(time), 1000 * static_cast<double>(copy), static_cast<double>(copy / time),
                count == 0 ? "" : ", WRONG");
  }
  for (void* const data : {static_cast<void*>(from), static_cast<void*>(dest), static_cast<void*>(wrong)})
    check(cudaFree(data));
}

}  // namespace

int main() {
  measure<double>("f64", 1'000'000, 72);
  measure<float>("f32", 1'000'000, 72);
  measure<double>("f64", 1'000'000, 30);
  measure<double>("f64", 100'000, 1'000);
  measure<float>("f32", 100'000, 1'000);
  measure<double>("f64", 1'000, 100'000);
  return is_right ? 0 : 1;
}
