// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_native/histogram/histogram.hpp>

#include <cub/cub.cuh>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <type_traits>
#include "bench.hpp"

// Histograms by cuda_native alone, beside CUB and plain atomic additions, medians of seven; and what it takes to read
// as many bytes. Every result is compared with that of plain additions. Returns 1 if one differs.
//
//   nvcc -std=c++20 -O3 -arch=sm_90 --expt-relaxed-constexpr -I . -I include perf/experiments/histogram.cu -o histogram
//   ./histogram [bytes]
namespace {

namespace core      = KokkosScan::core;
namespace histogram = KokkosScan::cuda::histogram;
using bench::array;
using bench::check;
using bench::mixed;

cudaStream_t stream;
KokkosScan::cuda::Device device;
bool is_right = true;

enum class Input { uniform, one_value, skewed, power_law, ascending };
constexpr char const* names[] = {"uniform", "one value", "skewed", "power law", "ascending"};

/// From 0 on, below 1.
__device__ double number(std::size_t i, std::size_t n, Input input) {
  double const random = static_cast<double>(mixed(i) >> 11) * 0x1p-53;
  switch (input) {
    case Input::uniform: return random;
    case Input::one_value: return 0.40625;
    case Input::skewed: return random * random * random * random;
    case Input::power_law: return random;  // the key is a power, see below
    case Input::ascending: return static_cast<double>(i) / static_cast<double>(n);
  }
  return 0;
}
template <class T>
__global__ void fill(T* values, std::size_t n, Input input, double end) {
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
    double const x = number(i, n, input);
    if constexpr (std::is_floating_point_v<T>)
      values[i] = static_cast<T>(x * end) < static_cast<T>(end) ? static_cast<T>(x * end) : T{0};
    else
      values[i] = static_cast<T>(input == Input::power_law ? exp2(x * log2(end)) - 1 : x * end);
  }
}

template <class T>
__global__ void __launch_bounds__(1024, 2) read_kernel(uint4 const* vectors, std::size_t n, unsigned* result) {
  unsigned sum           = 0;
  std::size_t const step = static_cast<std::size_t>(gridDim.x) * blockDim.x * 4;
  for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x * 4 + threadIdx.x; i + 3 * blockDim.x < n;
       i += step) {
    uint4 v[4];
#pragma unroll
    for (int k = 0; k < 4; ++k) v[k] = vectors[i + static_cast<std::size_t>(k) * blockDim.x];
#pragma unroll
    for (int k = 0; k < 4; ++k) sum ^= v[k].x ^ v[k].y ^ v[k].z ^ v[k].w;
  }
  if (sum == 0x12345678U) *result = sum;
}
template <class Histogram>
__global__ void plain_kernel(Histogram const all) {  // what Kokkos::atomic_add would do
  for (std::size_t i = blockIdx.x * static_cast<std::size_t>(blockDim.x) + threadIdx.x; i < all.n;
       i += static_cast<std::size_t>(gridDim.x) * blockDim.x) {
    auto const bin = all.bins.template of<std::uint32_t>(all.from[i]);
    if (bin < all.bins.count) atomicAdd(&all.counts[bin], all.weight(i));
  }
}
template <class F>
float median(F const& f) {
  return bench::median(stream, 7, [] {}, f);
}
unsigned differ(unsigned const* a, unsigned const* b, std::size_t n) { return bench::differences(stream, a, b, n); }

template <int threads_, int blocks, int vectors_>
struct Shape {
  static constexpr int threads = threads_, blocks_per_sm = blocks, vectors = vectors_;
};
template <int threads, int blocks, int items, int bits, int rounds>
using ManyShape = histogram::ManyBinsNumbers<threads, blocks, items, bits, rounds>;

template <class Bins>
void run(char const* name, std::size_t n, Input input, Bins const& bins, double end, double cub_lower,
         double cub_upper) {
  using T         = typename Bins::Value;
  using Histogram = core::Histogram<core::Contiguous<T const>, Bins, std::uint32_t>;
  T* const from   = array<T>(n);
  fill<<<2048, 256, 0, stream>>>(from, n, input, end);
  unsigned *const expected = array<unsigned>(bins.count), *const own = array<unsigned>(bins.count),
                  *const by_cub = array<unsigned>(bins.count);
  auto const into               = [&](unsigned* counts) { return Histogram{{from}, bins, {}, {counts, 1}, n}; };
  double const gb               = static_cast<double>(n * sizeof(T)) * 1e-6;

  float const plain = median([&] {
    check(cudaMemsetAsync(expected, 0, bins.count * sizeof(unsigned), stream));
    plain_kernel<<<132 * 8, 256, 0, stream>>>(into(expected));
  });
  auto const read   = [&] {
    read_kernel<T><<<264, 1024, 0, stream>>>(reinterpret_cast<uint4 const*>(from), n * sizeof(T) / 16, own);
  };
  float const before = median(read);
  check(cudaMemsetAsync(own, 0xff, bins.count * sizeof(unsigned), stream));
  float const ours     = median([&] { histogram::run({stream, nullptr}, into(own), device); });
  unsigned const wrong = differ(own, expected, bins.count);
  float const reading  = std::min(before, median(read));

  std::size_t bytes = 0;
  using Level       = std::conditional_t<std::is_floating_point_v<T>, T, int>;
  auto const cub    = [&](void* temporary) {
    if constexpr (histogram::has_edges<Bins>)
      return cub::DeviceHistogram::HistogramRange(temporary, bytes, from, by_cub, static_cast<int>(bins.count) + 1,
                                                     bins.edges.data, static_cast<long long>(n), stream);
    else
      return cub::DeviceHistogram::HistogramEven(temporary, bytes, from, by_cub, static_cast<int>(bins.count) + 1,
                                                    static_cast<Level>(cub_lower), static_cast<Level>(cub_upper),
                                                    static_cast<long long>(n), stream);
  };
  float cubs         = std::numeric_limits<float>::quiet_NaN();
  unsigned cub_wrong = 0;
  if (cub(nullptr) == cudaSuccess) {
    void* const temporary = array<char>(bytes);
    cubs                  = median([&] { check(cub(temporary)); });
    cub_wrong             = differ(by_cub, expected, bins.count);
    check(cudaFree(temporary));
  }
  static_cast<void>(cudaGetLastError());
  is_right = is_right && wrong == 0;
  std::printf(
      "%-26s %-9s n %10zu, %8zu bins: %8.4f ms %7.0f GB/s, %.3f of reading (%.0f GB/s); CUB %8.4f ms, %6.2f times; "
      "plain %8.4f ms, %6.2f times; %u wrong; CUB %u unlike\n",
      name, names[static_cast<int>(input)], n, bins.count, ours, gb / ours, reading / ours, gb / reading, cubs,
      cubs / ours, plain, plain / ours, wrong, cub_wrong);

  // ---- other shapes
  auto const other = [&](char const* what, auto const& f) {
    check(cudaMemsetAsync(own, 0xff, bins.count * sizeof(unsigned), stream));
    float const time   = median(f);
    unsigned const bad = differ(own, expected, bins.count);
    is_right           = is_right && bad == 0;
    std::printf("    %-34s %8.4f ms %7.0f GB/s, %.3f of reading, %6.2f times plain; %u wrong\n", what, time, gb / time,
                reading / time, plain / time, bad);
  };
  KokkosScan::cuda::Stream const to{stream, nullptr};
  if constexpr (sizeof(T) == 1) {
    auto const bytes_by = [&]<int threads, int blocks, int vectors>(char const* what, Shape<threads, blocks, vectors>) {
      other(what, [&] { histogram::count_bytes<Shape<threads, blocks, vectors>>(to, into(own), device); });
    };
    bytes_by("1024 threads, 2 blocks, 2 vectors", Shape<1024, 2, 2>{});
    bytes_by("768 threads, 2 blocks, 4 vectors", Shape<768, 2, 4>{});
  }
  auto const few = [&]<int threads, int blocks, int vectors>(char const* what, Shape<threads, blocks, vectors>) {
    using By        = Shape<threads, blocks, vectors>;
    auto const plan = histogram::plan_few_bins<By>(into(own), device);
    if (plan.blocks > 0) {
      std::vector<int> const tried{plan.copies, 1};
      for (int const copies : tried) {
        char text[100];
        std::snprintf(text, sizeof(text), "%s, %d copies, %zu passes", what, copies, plan.passes);
        auto of   = plan;
        of.copies = copies;
        other(text, [&] { histogram::count_few_bins<By>(to, into(own), of, device); });
        if (copies == plan.copies && copies == 1) break;
      }
    }
  };
  if (sizeof(T) > 1) {
    few("few: 1024 t, 2 b, 2 v", Shape<1024, 2, 2>{});
    few("few: 1024 t, 2 b, 4 v", Shape<1024, 2, 4>{});
  }
  if (bins.count > 100000 && !histogram::has_edges<Bins>) {
    auto const many = [&]<class By>(char const* what, By) {
      other(what, [&] { histogram::count_many_bins<By>(to, into(own), device); });
    };
    many("many: 1024 t, 2 b, 8 i, 2^13", ManyShape<1024, 2, 8, 13, 32>{});
    many("many: 1024 t, 1 b, 32 i, 2^14", ManyShape<1024, 1, 32, 14, 16>{});
    many("many: 1024 t, 1 b, 16 i, 2^14, long", ManyShape<1024, 1, 16, 14, 64>{});
  }
  std::fflush(stdout);
  for (void* p :
       {static_cast<void*>(from), static_cast<void*>(expected), static_cast<void*>(own), static_cast<void*>(by_cub)})
    check(cudaFree(p));
}

/// Each key weighs itself.
void run_weighted(std::size_t n, Input input, std::size_t bins) {
  using Keys                = core::Contiguous<std::uint32_t const>;
  using Histogram           = core::Histogram<Keys, core::KeyBins<std::uint32_t>, std::uint32_t, Keys>;
  std::uint32_t* const from = array<std::uint32_t>(n);
  fill<<<2048, 256, 0, stream>>>(from, n, input, static_cast<double>(bins));
  unsigned *const expected = array<unsigned>(bins), *const own = array<unsigned>(bins);
  auto const into = [&](unsigned* counts) { return Histogram{{from}, {bins}, {from}, {counts, 1}, n}; };
  check(cudaMemsetAsync(expected, 0, bins * sizeof(unsigned), stream));
  plain_kernel<<<132 * 8, 256, 0, stream>>>(into(expected));
  auto plan = histogram::plan_few_bins<histogram::FewBinsShape>(into(own), device);
  std::vector<int> const tried{plan.copies, 4, 1};
  for (int const copies : tried) {
    plan.copies = copies;
    check(cudaMemsetAsync(own, 0xff, bins * sizeof(unsigned), stream));
    float const time     = median([&] {
      if (plan.blocks > 0)
        histogram::count_few_bins<histogram::FewBinsShape>({stream, nullptr}, into(own), plan, device);
      else
        histogram::run({stream, nullptr}, into(own), device);
    });
    unsigned const wrong = differ(own, expected, bins);
    is_right             = is_right && wrong == 0;
    std::printf("keys of 32 bits that weigh %-9s n %10zu, %8zu bins, %2d copies: %8.4f ms; %u wrong\n",
                names[static_cast<int>(input)], n, bins, plan.blocks > 0 ? copies : 0, time, wrong);
  }
  for (unsigned* p : {from, expected, own}) check(cudaFree(p));
}

/// Of floats from 0 to 1.
core::EvenNarrowFloatBins<float> bins_of_floats(std::size_t count) {
  float const margin = static_cast<float>(count) * 0x1p-22F;
  return {{count, 0, 1, static_cast<double>(count)}, count, 0, static_cast<float>(count), 0, 1, margin, 1 - margin};
}

}  // namespace

int main(int count, char** arguments) {
  std::size_t const n = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : std::size_t{1} << 30;
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0));
  check(cudaStreamCreate(&stream));
  device = KokkosScan::cuda::current_device();
  std::printf("%s\n", properties.name);
  for (Input const input : {Input::uniform, Input::one_value, Input::skewed, Input::ascending})
    run("keys of 8 bits", n, input, core::KeyBins<std::uint8_t>{256}, 256, 0, 256);
  for (Input const input : {Input::uniform, Input::one_value, Input::skewed})
    run("floats, even bins", n / 4, input, bins_of_floats(256), 1, 0, 1);
  run("floats, even bins", n / 4, Input::uniform, bins_of_floats(100), 1, 0, 1);
  for (Input const input : {Input::uniform, Input::one_value, Input::skewed})
    run("keys of 32 bits", n / 4, input, core::KeyBins<std::uint32_t>{256}, 256, 0, 256);
  std::vector<float> edges(257);
  for (std::size_t k = 0; k <= 256; ++k) edges[k] = static_cast<float>(k * k) / 65536.F;
  float* const on_device = array<float>(edges.size());
  check(cudaMemcpy(on_device, edges.data(), edges.size() * sizeof(float), cudaMemcpyHostToDevice));
  for (Input const input : {Input::uniform, Input::one_value})
    run("floats, edges", n / 4, input, core::EdgeBins<float, core::Strided<float const>>{256, {on_device, 1}}, 1, 0, 1);
  check(cudaFree(on_device));
  for (std::size_t const bins : {std::size_t{2048}, std::size_t{50000}, std::size_t{100000}, std::size_t{250000}})
    for (Input const input : {Input::uniform, Input::power_law, Input::one_value})
      run("keys of 32 bits", n / 4, input, core::KeyBins<std::uint32_t>{bins}, static_cast<double>(bins), 0,
          static_cast<double>(bins));
  for (std::size_t const bins : {std::size_t{1} << 20, std::size_t{1} << 24})
    for (Input const input : {Input::uniform, Input::power_law, Input::one_value, Input::ascending})
      run("keys of 32 bits", n / 4, input, core::KeyBins<std::uint32_t>{bins}, static_cast<double>(bins), 0,
          static_cast<double>(bins));
  for (std::size_t const bins : {std::size_t{256}, std::size_t{2048}, std::size_t{1} << 20})
    for (Input const input : {Input::uniform, Input::power_law, Input::one_value}) run_weighted(n / 4, input, bins);
  return is_right ? 0 : 1;
}
