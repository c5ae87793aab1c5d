// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_native/scan.hpp>
#include <src/core/by_key.hpp>
#include <src/core/options.hpp>
#include <src/core/runs.hpp>

#include <cub/cub.cuh>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>
#include "scan_inputs.hpp"

// Sums, sums by key and copy_if by cuda_native alone, launched plainly and as each other's dependents, beside CUB: the
// microseconds of each of 64 that follow each other as nodes of a graph, and on a stream. One array over and over, so
// warm. Medians of so many rounds, in which plain, dependent and CUB take turns; every result is compared with CUB's.
// Returns 1 if one differs.
//
//   nvcc -std=c++20 -O3 -arch=sm_90 --expt-relaxed-constexpr -I CCCL/cub -I CCCL/libcudacxx/include -I CCCL/thrust -I .
//   -I include perf/experiments/dependent_launch.cu -o dependent_launch
//   ./dependent_launch [rounds]
namespace {

namespace core = KokkosScan::core;
using bench::check;
using bench::fill;
using bench::fill_keys;
using bench::IsOdd;
using KokkosScan::Sum;

constexpr int calls             = 64;
constexpr std::size_t lengths[] = {256, std::size_t{1} << 12, std::size_t{1} << 16, std::size_t{1} << 20};

template <class T>
struct Array {
  explicit Array(std::size_t n) : data(bench::array<T>(n)) {}
  ~Array() { check(cudaFree(data)); }
  Array(Array const&)            = delete;
  Array& operator=(Array const&) = delete;
  T* data;
};

float median(std::vector<float> times) {
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

class Bench {
 public:
  explicit Bench(int rounds) : rounds_(rounds) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    check(cudaMemset(states_.data, 0, states_bytes));
    check(cudaDeviceSynchronize());  // the stream waits for no other
  }

  template <class T>
  void sum(char const* name, std::size_t n) {
    Array<T> const from(n), dest(n), expected(n);
    fill<<<256, 256, 0, stream_>>>(from.data, n);
    core::ArrayScan<core::Kind::inclusive, T, core::Contiguous<T const>, core::Contiguous<T>, Sum> const scan{
        {{from.data}, {}}, {{dest.data}}, n, {}, {}, nullptr};
    compare(name, scan, dest.data, expected.data, n, [&](void* temporary, std::size_t& bytes) {
      check(cub::DeviceScan::InclusiveSum(temporary, bytes, from.data, expected.data, static_cast<int>(n), stream_));
    });
  }
  void sum_by_key(std::size_t n) {
    Array<int> const from(n), keys(n), dest(n), expected(n);
    fill<<<256, 256, 0, stream_>>>(from.data, n);
    fill_keys<<<256, 256, 0, stream_>>>(keys.data, n);
    using In = core::Contiguous<int const>;
    core::Problem<core::Keyed<int>, core::FromKeyedArray<int, In, In, Sum, core::EqualTo, core::NoInit>,
                  core::WithinRuns<int, Sum>, core::ToArrayByKey<int, core::Contiguous<int>>, core::NoInit> const scan{
        {{keys.data}, {from.data}, {}, {}, {}}, {{dest.data}}, n, {}, {}, nullptr};
    compare("i32 sum by key", scan, dest.data, expected.data, n, [&](void* temporary, std::size_t& bytes) {
      check(cub::DeviceScan::InclusiveSumByKey(temporary, bytes, keys.data, from.data, expected.data,
                                               static_cast<int>(n), ::cuda::std::equal_to<>{}, stream_));
    });
  }
  /// What is behind the last one chosen stays as it was, in both arrays.
  void copy_if(std::size_t n) {
    Array<int> const from(n), dest(n), expected(n), counts(2);
    fill<<<256, 256, 0, stream_>>>(from.data, n);
    using In = core::Contiguous<int const>;
    core::Problem<int, core::FromChosen<int, In, core::Chooses<IsOdd>>, Sum,
                  core::ToCompacted<int, In, core::Contiguous<int>>> const problem{
        {{from.data}, {}}, {{from.data}, {{dest.data}, n}}, n, {}, core::Maybe<int>(0), counts.data};
    compare("i32 copy_if", problem, dest.data, expected.data, n, [&](void* temporary, std::size_t& bytes) {
      check(cub::DeviceSelect::If(temporary, bytes, from.data, expected.data, counts.data + 1, static_cast<int>(n),
                                  IsOdd{}, stream_));
    });
    is_right_ = is_right_ && bench::differences(stream_, counts.data, counts.data + 1, 1) == 0;
  }
  bool is_right() const { return is_right_; }

 private:
  static constexpr std::size_t states_bytes = 8 << 20, scratch_bytes = 8 << 20, temporary_bytes = 8 << 20;

  /// Microseconds of each call that follows others.
  template <class F>
  float on_stream(F const& f) {
    f();
    float const all = bench::time_of(stream_, [&] {
      for (int k = 0; k < calls; ++k) f();
    });
    return 1000 * all / calls;
  }

  template <class Problem, class T, class Cub>
  void compare(char const* name, Problem const& problem, T* dest, T* expected, std::size_t n, Cub const& cub) {
    std::size_t bytes = 0;
    cub(nullptr, bytes);
    if (bytes > temporary_bytes) std::exit(2);
    auto const by_cub = [&] { cub(temporary_.data, bytes); };
    auto const own    = [&] {
      KokkosScan::cuda::run(KokkosScan::cuda::Stream(stream_), core::Automatic{}, problem,
                               core::Memory{scratch_.data, states_.data, states_bytes});
    };
    check(cudaMemsetAsync(expected, 0xa5, n * sizeof(T), stream_));
    std::vector<float> times[3][2];
    unsigned wrong = 0;
    for (int round = 0; round < rounds_; ++round)
      for (int way = 0; way < 3; ++way) {
        // Captured under the choice, too: graphs keep how a kernel was launched.
        KokkosScan::cuda::dependent_launches = way == 1;
        auto const each                      = [&](auto const& call) {
          times[way][0].push_back(1000 * bench::median_in_graph(stream_, 3, calls, call));
          times[way][1].push_back(on_stream(call));
        };
        if (way == 2) {
          each(by_cub);
        } else {
          check(cudaMemsetAsync(dest, 0xa5, n * sizeof(T), stream_));
          each(own);
        }
        if (round > 0 || way == 2) wrong += bench::differences(stream_, dest, expected, n);
      }
    // The last of the first round was by plain launches; so once more, each by itself.
    for (bool const dependent : {false, true}) {
      KokkosScan::cuda::dependent_launches = dependent;
      check(cudaMemsetAsync(dest, 0xa5, n * sizeof(T), stream_));
      for (int k = 0; k < calls; ++k) own();
      wrong += bench::differences(stream_, dest, expected, n);
    }
    is_right_ = is_right_ && wrong == 0;
    std::printf("%-15s %8zu", name, n);
    for (int where = 0; where < 2; ++where) {
      float const plain = median(times[0][where]), dependent = median(times[1][where]);
      std::printf("  %s %6.2f -> %6.2f (%+5.2f), CUB %6.2f", where == 0 ? "graph" : "stream", plain, dependent,
                  dependent - plain, median(times[2][where]));
    }
    std::printf("  %u wrong\n", wrong);
    std::fflush(stdout);
  }

  int rounds_;
  cudaStream_t stream_{};
  bool is_right_ = true;
  Array<unsigned char> const states_{states_bytes}, scratch_{scratch_bytes}, temporary_{temporary_bytes};
};

}  // namespace

int main(int count, char** arguments) {
  int const rounds = count > 1 ? std::atoi(arguments[1]) : 9;
  if (rounds < 1) {
    std::fprintf(stderr, "dependent_launch: rounds is %s, and must be 1 or more\n", arguments[1]);
    return 2;
  }
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0));
  std::printf("%s, CUB %d.%d.%d; microseconds of each call: plain -> dependent (difference)\n", properties.name,
              CUB_MAJOR_VERSION, CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION);
  Bench bench(rounds);
  for (std::size_t const n : lengths) bench.sum<std::int32_t>("i32 sum", n);
  bench.sum<double>("f64 sum", 1 << 12);
  for (std::size_t const n : lengths) bench.sum_by_key(n);
  for (std::size_t const n : lengths) bench.copy_if(n);
  return bench.is_right() ? 0 : 1;
}
