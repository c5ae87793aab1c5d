// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_native/rows/reduce.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cub/cub.cuh>
#include <string>
#include "bench.hpp"
#include "ragged_rows.hpp"

// What the items of each row combine to by cuda_native alone, beside a copy of as many bytes and CUB: medians of seven
// samples of five calls, of short arrays as nodes of a graph. Each result is checked. Returns 1 if one is wrong.
//
//   nvcc -std=c++20 -O3 -arch=sm_90 -I . -I include perf/experiments/reduced_rows.cu -o reduced_rows
//   ./reduced_rows [bytes of items] [cub]
namespace {

namespace core   = KokkosScan::core;
namespace native = KokkosScan::cuda;
using bench::check;
using bench::of_length;
using bench::of_power_law;
using bench::Offsets;

bool is_right = true, with_cub = false;

/// Small integers, whose sums are the same in any order.
template <class T>
__global__ void fill_kernel(T* items, std::size_t n) {
  for (std::size_t j = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; j < n;
       j += std::size_t{gridDim.x} * blockDim.x)
    items[j] = static_cast<T>(bench::mixed(j) % 8);
}
template <class T>
__global__ void check_kernel(T const* items, std::int32_t const* offsets, std::size_t rows, T const* totals,
                             unsigned long long* wrong) {
  for (std::size_t row = blockIdx.x; row < rows; row += gridDim.x) {
    __shared__ T sum;
    if (threadIdx.x == 0) sum = 0;
    __syncthreads();
    T own = 0;
    for (std::int32_t j = offsets[row] + static_cast<std::int32_t>(threadIdx.x); j < offsets[row + 1];
         j += static_cast<std::int32_t>(blockDim.x))
      own += items[j];
    if (own != 0) atomicAdd(&sum, own);
    __syncthreads();
    if (threadIdx.x == 0 && sum != totals[row]) atomicAdd(wrong, 1ULL);
    __syncthreads();
  }
}

/// In microseconds.
template <class F>
double time_of(bool is_short, F const& f) {
  static cudaStream_t const stream = [] {
    cudaStream_t made{};
    check(cudaStreamCreate(&made));
    return made;
  }();
  if (is_short) return 1000 * double{bench::median_in_graph(stream, 7, 20, [&] { f(stream); })};
  return 200 * double{bench::median_of(7, [&] {
           return bench::time_of(stream, [&] {
             for (int k = 0; k < 5; ++k) f(stream);
           });
         })};
}

template <class T>
void print(char const* what, double time, double copy, std::size_t rows, T const* items, std::int32_t const* offsets,
           T* totals) {
  auto* const wrong = bench::array<unsigned long long>(1);
  check(cudaMemset(wrong, 0, sizeof(*wrong)));
  check_kernel<<<65536, 64>>>(items, offsets, rows, totals, wrong);
  unsigned long long count = 0;
  check(cudaMemcpy(&count, wrong, sizeof(count), cudaMemcpyDeviceToHost));
  check(cudaFree(wrong));
  is_right = is_right && count == 0;
  std::printf("  %-10s %10.2f us, %.3f of a copy%s\n", what, time, copy / time, count == 0 ? "" : ", WRONG");
  std::fflush(stdout);
  check(cudaMemset(totals, 0xff, rows * sizeof(T)));
}

template <class T>
void measure(char const* type, std::size_t n, Offsets const& given, std::string const& lengths) {
  std::size_t const rows = given.size() - 1, bytes = n * sizeof(T) + given.size() * 4 + rows * sizeof(T);
  bool const is_short = bytes < (std::size_t{1} << 25);
  T *const items = bench::array<T>(n), *const totals = bench::array<T>(rows);
  auto* const offsets    = bench::array<std::int32_t>(given.size());
  std::size_t const half = (bytes / 2 + 127) / 128 * 128;
  auto* const spare      = bench::array<char>(2 * half);
  fill_kernel<<<1024, 256>>>(items, n);
  check(cudaMemcpy(offsets, given.data(), given.size() * sizeof(std::int32_t), cudaMemcpyHostToDevice));
  double const copy = time_of(is_short, [&](cudaStream_t stream) {
    check(cudaMemcpyAsync(spare, spare + half, bytes / 2, cudaMemcpyDeviceToDevice, stream));
  });
  std::printf("%zu %s in rows of %s, copy %.2f us\n", n, type, lengths.c_str(), copy);

  core::Rows<core::Strided<std::int32_t const>> const of_rows{{offsets, 1}, rows, n};
  auto const reduction =
      core::row_reduction<T, false>(core::Contiguous<T const>{items}, of_rows, KokkosScan::Sum{},
                                    core::Strided<T>{totals, 1}, core::NoInit{}, core::Maybe<T>(T{}));
  core::Automatic const choice;
  core::Needs const needs = native::rows::needs_of_reductions<T>(choice, n);
  core::Memory const memory{bench::array<char>(needs.scratch), bench::array<char>(needs.states), needs.states};
  check(cudaMemset(memory.states, 0, needs.states));
  print("KokkosScan",
        time_of(is_short, [&](cudaStream_t stream) { native::rows::reduce(stream, choice, reduction, memory); }), copy,
        rows, items, offsets, totals);

  std::size_t temporary_bytes = 0;
  void* temporary             = nullptr;
  auto const by_cub           = [&](cudaStream_t stream) {
    check(cub::DeviceSegmentedReduce::Sum(temporary, temporary_bytes, items, totals, static_cast<std::int64_t>(rows),
                                                    offsets, offsets + 1, stream));
  };
  by_cub(nullptr);
  temporary = bench::array<char>(temporary_bytes + 1);
  if (with_cub) print("CUB", time_of(is_short, by_cub), copy, rows, items, offsets, totals);
  for (void* const all : {static_cast<void*>(items), static_cast<void*>(totals), static_cast<void*>(offsets),
                          static_cast<void*>(spare), memory.scratch, memory.states, temporary})
    check(cudaFree(all));
}

template <class T>
void measure_all(char const* type, std::size_t n) {
  auto const items = static_cast<std::int64_t>(n);
  for (std::int64_t const length : {1, 4, 10, 32, 100, 1024, 1 << 20})
    measure<T>(type, n, of_length(items, length), std::to_string(length));
  measure<T>(type, n, of_length(items, items), "all");
  measure<T>(type, n, of_power_law(items, n / 64 + 1), "a power law");
}

}  // namespace

int main(int count, char** values) {
  std::size_t const bytes = count > 1 ? std::strtoull(values[1], nullptr, 10) : std::size_t{1} << 30;
  with_cub                = count > 2;
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0));
  std::printf("%s, CUB %d\n", properties.name, CUB_VERSION);
  measure_all<int>("i32", bytes / 4);
  measure_all<double>("f64", bytes / 8);
  measure<int>("i32", 20'000'000, of_length(18'000'000, 2), "2, and a tenth in none");
  measure<int>("i32", 1 << 20, of_length(1 << 20, 1 << 20), "all");
  measure<int>("i32", 100'000, of_length(100'000, 10), "10");
  measure<int>("i32", 1'000, of_length(1'000, 10), "10");
  return is_right ? 0 : 1;
}
