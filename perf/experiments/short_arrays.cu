// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_native/scan.hpp>
#include <src/core/options.hpp>

#include <cub/cub.cuh>

#include <cstdint>
#include <cstdio>
#include "scan_inputs.hpp"

// What do lengths and addresses that are multiples of nothing cost short arrays? Scans of 1000 to 4 million elements by
// what automatic takes, of a length that fills tiles and one that does not, aligned and from the elements 11 and 9 on,
// in microseconds of each of 64 that follow each other as nodes of a graph, over one array; each beside CUB, with whose
// result its own is compared. Returns 1 if one differs.
//
//   nvcc -std=c++20 -O3 -arch=sm_90 --expt-relaxed-constexpr -I CCCL/cub -I CCCL/libcudacxx/include -I CCCL/thrust -I .
//   -I include perf/experiments/short_arrays.cu -o short_arrays
namespace {

namespace core = KokkosScan::core;
using bench::check;

constexpr int calls           = 64;
constexpr std::size_t room    = 8 << 20;
constexpr std::size_t most    = 5 << 20;
constexpr std::size_t about[] = {1000,  3000,   10000,  17000,   27000,   40000,
                                 57000, 100000, 300000, 1000000, 2400000, 3800000};

/// The largest multiple of 4096 up to n, or of less where that is none.
std::size_t filling(std::size_t n) {
  std::size_t step = 4096;
  while (step > n) step /= 2;
  return n / step * step;
}

class Bench {
 public:
  Bench() { check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking)); }

  template <class T, class Op, class CubOp>
  void scans(char const* name, Op op, CubOp cub_op) {
    T *const from = bench::array<T>(most), *const dest = bench::array<T>(most), *const expected = bench::array<T>(most);
    check(cudaMemsetAsync(states_, 0, room, stream_));
    bench::fill<<<256, 256, 0, stream_>>>(from, most);
    for (std::size_t const n : about) {
      if (n * sizeof(T) > 16 << 20) continue;
      std::printf("%-6s %8zu:", name, n);
      for (bool const is_aligned : {true, false})
        for (std::size_t const length : {filling(n), n + 13}) {
          std::printf("  %s%s", is_aligned ? "" : "odd ", length == n + 13 ? "rest" : "full");
          std::size_t const in = is_aligned ? 0 : 11, out = is_aligned ? 0 : 9;
          scan(from + in, dest, expected, out, length, op, cub_op);
        }
      std::printf("\n");
    }
    for (T* const array : {from, dest, expected}) check(cudaFree(array));
  }
  bool is_right() const { return is_right_; }

 private:
  template <class T, class Op, class CubOp>
  void scan(T const* from, T* dest, T* expected, std::size_t first, std::size_t n, Op op, CubOp cub_op) {
    using Scan     = core::ArrayScan<core::Kind::inclusive, T, core::Contiguous<T const>, core::Contiguous<T>, Op>;
    auto const own = [&] {
      KokkosScan::cuda::run(KokkosScan::cuda::Stream(stream_), KokkosScan::Options{},
                            Scan{{{from}, {}}, {{dest + first}}, n, op, {}, nullptr},
                            core::Memory{nullptr, states_, room});
    };
    auto const cub = [&] {
      std::size_t bytes = room;
      check(cub::DeviceScan::InclusiveScan(temporary_, bytes, from, expected + first, cub_op, static_cast<int>(n),
                                           stream_));
    };
    for (T* const array : {dest, expected}) check(cudaMemsetAsync(array, 0xa5, most * sizeof(T), stream_));
    own();
    cub();
    bool const is_same = bench::differences(stream_, dest, expected, most) == 0;
    is_right_          = is_right_ && is_same;
    float const time   = 1000 * bench::median_in_graph(stream_, 7, calls, own);
    float const of_cub = 1000 * bench::median_in_graph(stream_, 7, calls, cub);
    std::printf(" %6.2f, CUB %6.2f: %.2f%s", time, of_cub, of_cub / time, is_same ? "" : " WRONG");
  }

  cudaStream_t stream_{};
  unsigned char *const states_ = bench::array<unsigned char>(room), *const temporary_ =
                                                                        bench::array<unsigned char>(room);
  bool is_right_ = true;
};

}  // namespace

int main() {
  Bench bench;
  bench.scans<std::uint8_t>("u8 max", KokkosScan::Max{}, ::cuda::maximum<>{});
  bench.scans<std::uint8_t>("u8 sum", KokkosScan::Sum{}, ::cuda::std::plus<>{});
  bench.scans<std::int16_t>("i16", KokkosScan::Sum{}, ::cuda::std::plus<>{});
  bench.scans<std::int32_t>("i32", KokkosScan::Sum{}, ::cuda::std::plus<>{});
  bench.scans<double>("f64", KokkosScan::Sum{}, ::cuda::std::plus<>{});  // of small integers: exact in any order
  std::printf(bench.is_right() ? "all results are right\n" : "a result is WRONG\n");
  return bench.is_right() ? 0 : 1;
}
