// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_native/scan.hpp>
#include <src/core/by_key.hpp>
#include <src/core/options.hpp>
#include <src/core/runs.hpp>

#include <cub/cub.cuh>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include "scan_inputs.hpp"

// From which length on is which grid ahead? Sums, sums by key and copy_if of 2 to 11 MiB, of lengths that are multiples
// of nothing, by cuda_native alone: what automatic takes, each grid that serves them, and CUB, in microseconds of each
// of 64 that follow each other as nodes of a graph. Warm: one array over and over; cold: 32 in turns. The results of
// the first are compared with CUB's, and sums of floating-point values are of small integers. Returns 1 if one differs.
//
//   nvcc -std=c++20 -O3 -arch=sm_90 --expt-relaxed-constexpr -I CCCL/cub -I CCCL/libcudacxx/include -I CCCL/thrust -I .
//   -I include perf/experiments/cut_overs.cu -o cut_overs
namespace {

namespace core = KokkosScan::core;
using bench::check;
using bench::fill;
using bench::fill_keys;
using bench::IsOdd;
using KokkosScan::GridScan;
using KokkosScan::Sum;

constexpr int calls        = 64;
constexpr GridScan grids[] = {GridScan::automatic, GridScan::lookback, GridScan::one_wave, GridScan::pipelined};

/// So many arrays, one behind the other.
template <class T>
struct Arrays {
  Arrays(std::size_t n, int count)
      : stride((n * sizeof(T) + 255) / 256 * 256 / sizeof(T)),
        all(stride * static_cast<std::size_t>(count)),
        data(bench::array<T>(all)) {}
  ~Arrays() { check(cudaFree(data)); }
  Arrays(Arrays const&)            = delete;
  Arrays& operator=(Arrays const&) = delete;
  T* at(int k) const { return data + static_cast<std::size_t>(k) * stride; }

  std::size_t stride, all;
  T* data;
};

class Bench {
 public:
  Bench() {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    check(cudaMemset(states_.data, 0, room));
    check(cudaDeviceSynchronize());  // the stream waits for no other
  }

  template <class T>
  void sum(char const* name, std::size_t n, int turns) {
    Arrays<T> const from(n, turns), dest(n, turns), expected(n, turns);
    fill<<<256, 256, 0, stream_>>>(from.data, from.all);
    using Scan = core::ArrayScan<core::Kind::inclusive, T, core::Contiguous<T const>, core::Contiguous<T>, Sum>;
    compare(
        name, n, turns, sizeof(T), dest, expected,
        [&](int k) { return Scan{{{from.at(k)}, {}}, {{dest.at(k)}}, n, {}, {}, nullptr}; },
        [&](int k, void* temporary, std::size_t& bytes) {
          check(cub::DeviceScan::InclusiveSum(temporary, bytes, from.at(k), expected.at(k), static_cast<int>(n),
                                              stream_));
        });
  }
  template <class T>
  void sum_by_key(char const* name, std::size_t n, int turns) {
    Arrays<T> const from(n, turns), dest(n, turns), expected(n, turns);
    Arrays<int> const keys(n, turns);
    fill<<<256, 256, 0, stream_>>>(from.data, from.all);
    fill_keys<<<256, 256, 0, stream_>>>(keys.data, keys.all);
    using Keys = core::Contiguous<int const>;
    using In   = core::Contiguous<T const>;
    using Scan = core::Problem<core::Keyed<T>, core::FromKeyedArray<T, Keys, In, Sum, core::EqualTo, core::NoInit>,
                               core::WithinRuns<T, Sum>, core::ToArrayByKey<T, core::Contiguous<T>>, core::NoInit>;
    compare(
        name, n, turns, sizeof(T) + sizeof(int), dest, expected,
        [&](int k) { return Scan{{{keys.at(k)}, {from.at(k)}, {}, {}, {}}, {{dest.at(k)}}, n, {}, {}, nullptr}; },
        [&](int k, void* temporary, std::size_t& bytes) {
          check(cub::DeviceScan::InclusiveSumByKey(temporary, bytes, keys.at(k), from.at(k), expected.at(k),
                                                   static_cast<int>(n), ::cuda::std::equal_to<>{}, stream_));
        });
  }
  /// What is behind the last one chosen stays as it was, in both arrays.
  void copy_if(char const* name, std::size_t n, int turns) {
    Arrays<int> const from(n, turns), dest(n, turns), expected(n, turns), counts(2, 1);
    fill<<<256, 256, 0, stream_>>>(from.data, from.all);
    using In   = core::Contiguous<int const>;
    using Scan = core::Problem<int, core::FromChosen<int, In, core::Chooses<IsOdd>>, Sum,
                               core::ToCompacted<int, In, core::Contiguous<int>>>;
    compare(
        name, n, turns, sizeof(int), dest, expected,
        [&](int k) {
          return Scan{{{from.at(k)}, {}}, {{from.at(k)}, {{dest.at(k)}, n}}, n, {}, core::Maybe<int>(0), counts.data};
        },
        [&](int k, void* temporary, std::size_t& bytes) {
          check(cub::DeviceSelect::If(temporary, bytes, from.at(k), expected.at(k), counts.data + 1,
                                      static_cast<int>(n), IsOdd{}, stream_));
        });
    is_right_ = is_right_ && bench::differences(stream_, counts.data, counts.data + 1, 1) == 0;
  }
  bool is_right() const { return is_right_; }

 private:
  static constexpr std::size_t room = 8 << 20;

  /// scan_of(k) is the scan of the arrays k.
  template <class T, class ScanOf, class Cub>
  void compare(char const* name, std::size_t n, int turns, std::size_t bytes_each, Arrays<T> const& dest,
               Arrays<T> const& expected, ScanOf const& scan_of, Cub const& cub) {
    std::size_t bytes = 0;
    cub(0, nullptr, bytes);
    if (bytes > room) throw std::runtime_error("cut_overs: CUB needs more temporary memory than there is");
    check(cudaMemsetAsync(expected.data, 0xa5, n * sizeof(T), stream_));
    cub(0, temporary_.data, bytes);
    int call           = 0;
    auto const in_turn = [&](auto const& f) {
      return 1000 * bench::median_in_graph(stream_, 5, calls, [&] { f(call++ % turns); });
    };
    std::printf("%s %-8s %8zu %5.2f MiB: CUB %6.2f", turns > 1 ? "cold" : "warm", name, n,
                static_cast<double>(n * bytes_each) / (1 << 20),
                in_turn([&](int k) { cub(k, temporary_.data, bytes); }));
    for (GridScan const grid : grids) {
      auto const own = [&](int k) {
        KokkosScan::cuda::run(KokkosScan::cuda::Stream(stream_), KokkosScan::Options{.grid = grid}, scan_of(k),
                              core::Memory{scratch_.data, states_.data, room});
      };
      check(cudaMemsetAsync(dest.data, 0xa5, n * sizeof(T), stream_));
      try {
        own(0);
      } catch (std::invalid_argument const&) {  // too many for one wave
        std::printf("  %s      -", KokkosScan::to_string(grid).c_str());
        continue;
      }
      bool const is_right = bench::differences(stream_, dest.data, expected.data, n) == 0;
      is_right_           = is_right_ && is_right;
      std::printf("  %s %6.2f%s", KokkosScan::to_string(grid).c_str(), in_turn(own), is_right ? "" : " WRONG");
    }
    std::printf("\n");
  }

  cudaStream_t stream_{};
  bool is_right_ = true;
  Arrays<unsigned char> const states_{room, 1}, scratch_{room, 1}, temporary_{room, 1};
};

}  // namespace

int main() {
  cudaDeviceProp properties{};
  check(cudaGetDeviceProperties(&properties, 0));
  std::printf("%s, CUB %d.%d.%d; microseconds of each call; MiB are read\n", properties.name, CUB_MAJOR_VERSION,
              CUB_MINOR_VERSION, CUB_SUBMINOR_VERSION);
  Bench bench;
  for (int const turns : {1, 32})
    for (double const mebibytes : {2.1, 2.7, 3.3, 3.8, 4.3, 4.9, 5.4, 5.9, 6.4, 7.0, 7.5, 7.9, 8.7, 9.6, 10.7}) {
      auto const n = [&](std::size_t each) { return static_cast<std::size_t>(mebibytes * (1 << 20)) / each - 37; };
      bench.sum<unsigned char>("u8", n(1), turns);
      bench.sum<short>("i16", n(2), turns);
      bench.sum<int>("i32", n(4), turns);
      bench.sum<double>("f64", n(8), turns);
      bench.sum_by_key<int>("i32 key", n(8), turns);
      bench.sum_by_key<double>("f64 key", n(12), turns);
      bench.copy_if("copy_if", n(4), turns);
    }
  return bench.is_right() ? 0 : 1;
}
