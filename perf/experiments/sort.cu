// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_native/sort/radix_sort.hpp>

#include <cub/cub.cuh>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include "bench.hpp"

// Radix sort by cuda_native alone, beside CUB: medians of seven, every result compared with CUB's. Keys are brought
// back before each sort, which is not timed; short sorts are ten nodes of a graph, each behind such a copy, and the
// time of the copies is taken off. Returns 1 if a result differs.
//
//   nvcc -std=c++20 -O3 -arch=sm_90 --expt-relaxed-constexpr -I . -I include perf/experiments/sort.cu -o sort
//   ./sort [elements]
namespace {

namespace core  = KokkosScan::core;
namespace radix = KokkosScan::cuda::radix;
using bench::array;
using bench::check;
using bench::mixed;

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
cudaStream_t stream;
bool is_right = true;

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
    check(cudaMemcpyAsync(sort.keys, from, n * sizeof(Bits), cudaMemcpyDeviceToDevice, stream));
    if (with_values)
      check(cudaMemcpyAsync(own_values, values, n * sizeof(std::uint32_t), cudaMemcpyDeviceToDevice, stream));
  };
  bool const is_short = n < (std::size_t{1} << 24);
  float const own     = bench::median_of_sorts(stream, is_short, bring,
                                               [&] { radix::run({stream, nullptr}, sort, {scratch, nullptr, 0}, device); });

  auto const* const cub_from = reinterpret_cast<Key const*>(from);
  std::size_t bytes          = 0;
  auto const cub             = [&](void* temporary) {
    if constexpr (with_values)
      check(cub::DeviceRadixSort::SortPairs(temporary, bytes, cub_from, expected, values, expected_values,
                                                        static_cast<long long>(n), 0, int{8 * sizeof(Key)}, stream));
    else
      check(cub::DeviceRadixSort::SortKeys(temporary, bytes, cub_from, expected, static_cast<long long>(n), 0,
                                                       int{8 * sizeof(Key)}, stream));
  };
  cub(nullptr);
  void* const temporary = array<char>(bytes);
  float const by_cub    = bench::median_of_sorts(stream, is_short, bring, [&] { cub(temporary); });

  bring();
  radix::run({stream, nullptr}, sort, {scratch, nullptr, 0}, device);
  unsigned wrong = bench::differences(stream, sort.keys, reinterpret_cast<Bits const*>(expected), n);
  if constexpr (with_values) wrong += bench::differences(stream, own_values, expected_values, n);
  is_right                      = is_right && wrong == 0;
  constexpr char const* kinds[] = {"random", "16 keys", "equal", "ascending"};
  std::printf("%-10s %-9s n %10zu: %9.4f ms, %6.2f Gitem/s; CUB %9.4f ms; %.2f times CUB; %u wrong\n", name,
              kinds[static_cast<int>(kind)], n, own, static_cast<double>(n) / own * 1e-6, by_cub, by_cub / own, wrong);
  std::fflush(stdout);
  for (void* p : {static_cast<void*>(from), static_cast<void*>(expected), static_cast<void*>(values),
                  static_cast<void*>(own_values), static_cast<void*>(expected_values), static_cast<void*>(sort.keys),
                  static_cast<void*>(sort.other_keys), scratch, temporary})
    check(cudaFree(p));
  if constexpr (with_values) check(cudaFree(sort.other_values));
}

}  // namespace

int main(int count, char** arguments) {
  std::size_t const n = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : std::size_t{1} << 28;
  cudaDeviceProp device{};
  check(cudaGetDeviceProperties(&device, 0));
  check(cudaStreamCreate(&stream));
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
