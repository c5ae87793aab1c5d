// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_native/columns/scan.hpp>
#include <src/core/options.hpp>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include "bench.hpp"

// Scans of the columns of tables by cuda_native alone, beside a copy of as many bytes, medians of nine. Every result is
// checked: those of sums of small integers are exact. Returns 1 if one is wrong.
//
//   nvcc -std=c++20 -O3 -arch=sm_90 -I . -I include perf/experiments/columns.cu -o columns
//   ./columns [a divisor of the number of rows [most columns [fewest columns [any word: of 1 and 2 bytes]]]]
namespace {

namespace core    = KokkosScan::core;
namespace columns = KokkosScan::cuda::columns;
using bench::array;
using bench::check;
using core::Kind;

cudaStream_t stream;
bool is_right = true;

/// Small integers, of which sums stay small.
template <class T>
__global__ void fill(T* values, std::size_t n) {
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    values[i] = static_cast<T>(static_cast<int>(bench::mixed(i) >> 60 & 3) - static_cast<int>(i % 3));
}
/// Counts the results that are not the one before and an element; those behind the first row.
template <class T>
__global__ void check_kernel(T const* from, T const* dest, std::size_t rows, std::size_t width, bool exclusive,
                             bool reversed, unsigned long long* wrong) {
  std::size_t const n = rows * width;
  for (std::size_t i = blockIdx.x * std::size_t{blockDim.x} + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    bool const is_first      = reversed ? i + width >= n : i < width;
    std::size_t const before = is_first ? i : reversed ? i + width : i - width;
    auto const sum =
        static_cast<T>((is_first ? T{} : dest[before]) + (exclusive ? is_first ? T{} : from[before] : from[i]));
    if (!(dest[i] == sum)) atomicAdd(wrong, 1ULL);
  }
}

template <class T, Kind kind, bool reversed>
void measure(char const* name, std::size_t rows, std::size_t width, std::size_t shift, float copied, T* from, T* dest,
             core::Memory memory) {
  using Start         = std::conditional_t<kind == Kind::exclusive, core::Maybe<T>, core::NoInit>;
  using Scan          = core::LineScan<kind, reversed, T, T const, T, KokkosScan::Sum, KokkosScan::Unchanged, Start>;
  std::size_t const n = rows * width;
  auto const of       = [&]<class Element>(Element* data) {
    auto const step = static_cast<std::ptrdiff_t>(width);
    return core::Lines<Element>{reversed ? data + n - width : data, reversed ? -step : step, {0, 0, 1}};
  };
  Start start{};
  if constexpr (kind == Kind::exclusive) start = Start(T{});
  Scan const scan {
    {rows, {1, 1, width}},
    of.template operator()<T const>(from),
    of.template operator()<T>(dest),
    {},
    {},
    start
  };
  auto const plan = columns::plan(scan);
  check(cudaMemsetAsync(dest, 0x7f, n * sizeof(T), stream));
  float const time = bench::median(
                         stream, 9, [] {},
                         [&] {
                           for (int i = 0; i < 5; ++i)
                             columns::run(stream, plan, scan, memory, KokkosScan::cuda::current_device);
                         }) /
                     5;
  auto* const wrong = array<unsigned long long>(1);
  check(cudaMemsetAsync(wrong, 0, sizeof(*wrong), stream));
  check_kernel<<<2048, 256, 0, stream>>>(from, dest, rows, width, kind == Kind::exclusive, reversed, wrong);
  unsigned long long count = 0;
  check(cudaMemcpyAsync(&count, wrong, sizeof(count), cudaMemcpyDeviceToHost, stream));
  check(cudaStreamSynchronize(stream));
  check(cudaFree(wrong));
  is_right = is_right && count == 0;
  std::printf("%8zu x %-7zu %s%s %s%s: %9.2f us, of copy %.3f%s\n", rows, width, name, shift > 0 ? "+1" : "  ",
              kind == Kind::exclusive ? "excl" : "incl", reversed ? " back" : "     ", 1000.0 * time, copied / time,
              count > 0 ? " WRONG" : "");
}

template <class T>
void measure_all(char const* name, std::size_t rows, std::size_t width) {
  std::size_t const n     = rows * width;
  T* const from           = array<T>(n + 1);
  T* const dest           = array<T>(n + 1);
  core::Needs const needs = columns::most_needs<T>(n);
  core::Memory const memory{array<char>(needs.scratch + 1), array<char>(needs.states), needs.states};
  check(cudaMemsetAsync(memory.states, 0, needs.states, stream));
  fill<<<2048, 256, 0, stream>>>(from, n + 1);
  float const copied = bench::median(
                           stream, 9, [] {},
                           [&] {
                             for (int i = 0; i < 5; ++i)
                               check(cudaMemcpyAsync(dest, from, n * sizeof(T), cudaMemcpyDeviceToDevice, stream));
                           }) /
                       5;
  for (std::size_t const shift : {0, 1})
    measure<T, Kind::inclusive, false>(name, rows, width, shift, copied, from + shift, dest + shift, memory);
  if constexpr (std::is_same_v<T, float>)
    measure<T, Kind::exclusive, true>(name, rows, width, 0, copied, from, dest, memory);
  check(cudaFree(from));
  check(cudaFree(dest));
  check(cudaFree(memory.scratch));
  check(cudaFree(memory.states));
}

}  // namespace

int main(int count, char** arguments) {
  std::size_t const divisor = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : 1;
  std::size_t const widest  = count > 2 ? std::strtoull(arguments[2], nullptr, 10) : ~std::size_t{0};
  std::size_t const fewest  = count > 3 ? std::strtoull(arguments[3], nullptr, 10) : 0;
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  struct {
    std::size_t rows, width;
  } const shapes[] = {{3, 10000000}, {72, 1000000}, {72, 1000001},  {256, 1 << 20}, {1024, 200000},
                      {600, 300000}, {4096, 65536}, {16384, 16384}, {16384, 16385}, {4096, 4096},
                      {4096, 4097},  {32768, 2048}, {1 << 20, 256}, {1 << 20, 257}, {2000000, 72},
                      {4000000, 40}, {4000000, 33}, {4000000, 31},  {4000000, 20},  {4000000, 10},
                      {10000000, 4}, {10000000, 3}, {10000000, 2},  {4000000, 48},  {4000000, 60}};
  for (auto const [rows, width] : shapes)
    if (fewest <= width && width <= widest) {
      if (count > 4) {
        measure_all<std::int8_t>("i8", rows / divisor, width);
        measure_all<std::int16_t>("i16", rows / divisor, width);
      } else {
        measure_all<float>("f32", rows / divisor, width);
        measure_all<double>("f64", rows / divisor, width);
      }
    }
  return is_right ? 0 : 1;
}
