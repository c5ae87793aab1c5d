// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_native/rows/owners.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include "bench.hpp"
#include "ragged_rows.hpp"

// The row of each item by cuda_native alone, in several shapes, beside a copy of as many bytes: medians of seven
// samples of five calls. Each result is checked. Returns 1 if one is wrong.
//
//   nvcc -std=c++20 -O3 -arch=sm_90 -I . -I include perf/experiments/owners.cu -o owners
//   ./owners [items]
namespace {

namespace core = KokkosScan::core;
namespace cuda = KokkosScan::cuda;
using bench::check;
using bench::of_length;
using bench::of_power_law;
using bench::Offsets;

template <int length, int chunk, int blocks>
struct Shape {
  static constexpr int warps = 8, blocks_per_sm = blocks, share = length, most_waves = cuda::owners_most_waves,
                       items = chunk, window = 8, groups_at_once = 4;
};

bool is_right = true;

__global__ void check_kernel(std::int32_t const* offsets, std::size_t rows, std::int32_t const* owners, std::size_t n,
                             unsigned long long* wrong) {
  for (std::size_t j = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; j < n;
       j += std::size_t{gridDim.x} * blockDim.x) {
    auto const row = static_cast<std::size_t>(owners[j]);
    if (row >= rows || static_cast<std::size_t>(offsets[row]) > j || static_cast<std::size_t>(offsets[row + 1]) <= j)
      atomicAdd(wrong, 1ULL);
  }
}

/// In microseconds.
template <class F>
double time_of(F const& f) {
  return 200 * double{bench::median_of(7, [&] {
           return bench::time_of(nullptr, [&] {
             for (int k = 0; k < 5; ++k) f();
           });
         })};
}

template <class S>
void measure(std::int32_t const* offsets, std::size_t rows, std::int32_t* owners, std::size_t n, double copy) {
  check(cudaMemset(owners, 0xff, n * sizeof(std::int32_t)));
  double const time = time_of([&] {
    cuda::rows::put_owners<S>(nullptr, core::Rows<core::Contiguous<std::int32_t const>>{{offsets}, rows, n},
                              core::Contiguous<std::int32_t>{owners}, cuda::current_device());
  });
  auto* const wrong = bench::array<unsigned long long>(1);
  check(cudaMemset(wrong, 0, sizeof(*wrong)));
  check_kernel<<<1024, 256>>>(offsets, rows, owners, n, wrong);
  unsigned long long count = 0;
  check(cudaMemcpy(&count, wrong, sizeof(count), cudaMemcpyDeviceToHost));
  check(cudaFree(wrong));
  is_right = is_right && count == 0;
  std::printf("  shares of %6d items %4d blocks %d %8.1f us: %.3f%s\n", S::share, S::items, S::blocks_per_sm, time,
              copy / time, count == 0 ? "" : " WRONG");
  std::fflush(stdout);
}

}  // namespace

int main(int count, char** values) {
  std::size_t const n = count > 1 ? std::strtoull(values[1], nullptr, 10) : std::size_t{1} << 28;
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0));
  std::printf("%s, %zu items\n", properties.name, n);
  auto* const on     = bench::array<std::int32_t>(n + 1);
  auto* const owners = bench::array<std::int32_t>(n);
  auto* const spare  = bench::array<std::int32_t>(2 * n + 2);
  for (std::int64_t const length : {1, 10, 1000, 0}) {
    auto const items       = static_cast<std::int64_t>(n);
    Offsets const offsets  = length > 0 ? of_length(items, length) : of_power_law(items, n / 64 + 1);
    std::size_t const rows = offsets.size() - 1, bytes = (n + offsets.size()) * sizeof(std::int32_t);
    check(cudaMemcpy(on, offsets.data(), offsets.size() * sizeof(std::int32_t), cudaMemcpyHostToDevice));
    double const copy =
        time_of([&] { check(cudaMemcpyAsync(spare, spare + n + 1, bytes / 2, cudaMemcpyDeviceToDevice)); });
    std::printf("rows of %s, copy %.1f us\n", length > 0 ? std::to_string(length).c_str() : "a power law", copy);
    measure<Shape<2048, 512, 4>>(on, rows, owners, n, copy);
    measure<Shape<4096, 512, 4>>(on, rows, owners, n, copy);
    measure<Shape<6144, 512, 4>>(on, rows, owners, n, copy);
    measure<Shape<8192, 512, 4>>(on, rows, owners, n, copy);
    measure<Shape<16384, 512, 4>>(on, rows, owners, n, copy);
    measure<Shape<8192, 1024, 4>>(on, rows, owners, n, copy);
    measure<Shape<8192, 1024, 3>>(on, rows, owners, n, copy);
    measure<Shape<1 << 30, 512, 4>>(on, rows, owners, n, copy);  // one to each warp that runs
  }
  return is_right ? 0 : 1;
}
