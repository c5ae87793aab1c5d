// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_native/scan.hpp>
#include <src/core/options.hpp>
#include <src/core/runs.hpp>

#include <cub/cub.cuh>
#include <cuda/iterator>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include "bench.hpp"

// Compaction, partition and runs by cuda_native alone, beside CUB and a copy of as many bytes as must move: medians of
// nine, every result compared with CUB's. Short ones are twenty nodes of a graph, one behind the other. Returns 1 if
// one differs.
//
//   nvcc -std=c++20 -O3 -arch=sm_90 --expt-relaxed-constexpr -I . -I include perf/experiments/compaction.cu -o
//   compaction
//   ./compaction [elements]
namespace {

namespace core = KokkosScan::core;
using bench::check;
using KokkosScan::Sum;
using In  = core::Contiguous<int const>;
using Out = core::Contiguous<int>;

__device__ std::uint32_t mixed(std::uint64_t i) { return static_cast<std::uint32_t>(bench::mixed(i) >> 32); }
template <class T, class F>
__global__ void fill(T* values, std::size_t n, F const f) {
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    values[i] = static_cast<T>(f(i));
}
struct Random {
  __device__ std::uint32_t operator()(std::size_t i) const { return mixed(i); }
};
struct InRuns {
  std::size_t length;
  __device__ std::size_t operator()(std::size_t i) const { return i / length; }
};
struct Bit {
  __device__ std::uint32_t operator()(std::size_t i) const { return mixed(i) & 1U; }
};
struct Below {
  std::uint64_t limit;
  __host__ __device__ bool operator()(int x) const { return static_cast<std::uint32_t>(x) < limit; }
};

struct BelowAt {
  int const* from;
  Below below;
  __host__ __device__ bool operator()(std::size_t i) const { return below(from[i]); }
};
struct BelowFirst {
  Below below;
  template <class Pair>
  __host__ __device__ bool operator()(Pair const& pair) const {
    return below(cuda::std::get<0>(pair));
  }
};
struct WriteBoth {
  int const *a, *b;
  int *first, *second;
  __host__ __device__ void operator()(std::size_t i, std::size_t place) const {
    first[place] = a[i], second[place] = b[i];
  }
};

struct Two {
  int first, second;
};
struct LoadBoth {
  int const *a, *b;
  __host__ __device__ Two operator()(std::size_t i) const { return {a[i], b[i]}; }
};
struct StoreBoth {
  int *first, *second;
  __host__ __device__ void operator()(std::size_t place, Two const& both) const {
    first[place] = both.first, second[place] = both.second;
  }
};

class Bench {
 public:
  explicit Bench(std::size_t n) : n_(n) {
    check(cudaStreamCreate(&stream_));
    for (int** array : {&from_, &values_, &dest_, &rest_, &expected_, &expected_rest_})
      check(cudaMalloc(array, n * sizeof(int) + 1024));
    check(cudaMalloc(&flags_, n));
    check(cudaMalloc(&counts_, 64));
    check(cudaMalloc(&states_, states_bytes));
    check(cudaMemset(states_, 0, states_bytes));
    check(cudaMalloc(&scratch_, scratch_bytes));
    check(cudaMalloc(&temporary_, temporary_bytes));
  }

  void run() {
    fill<<<1024, 256, 0, stream_>>>(from_, n_, Random{});
    fill<<<1024, 256, 0, stream_>>>(flags_, n_, Bit{});
    for (std::size_t const n : {n_, std::size_t{100'000'000}, std::size_t{1} << 20, std::size_t{1} << 16})
      if (n <= n_)
        for (double const share : {0.5, 0., 0.01, 0.99, 1.})
          if (n == n_ || share == 0.5) copy_if(n, 0, 0, share);
    copy_if(n_ - 1, 1, 3, 0.5);
    copy_flagged();
    partition_copy();
    select();
    for (std::size_t const length : {1, 2, 4, 1000}) {
      fill<<<1024, 256, 0, stream_>>>(from_, n_, InRuns{length});
      unique_copy(length);
      run_length_encode(length);
      reduce_by_key(length);
    }
  }
  bool is_right() const { return is_right_; }

 private:
  static constexpr std::size_t states_bytes = 64 << 20, scratch_bytes = 64 << 20, temporary_bytes = 512 << 20;

  template <class F>
  float median(int calls, F const& f) {
    if (calls == 1) return bench::median(stream_, 9, [] {}, f);
    f();
    return bench::median_in_graph(stream_, 9, calls, f);
  }
  /// Of so many bytes, read and written; in pieces, if there are more than an array has.
  float time_of_copy(double bytes) {
    double half = bytes / 2, pieces = 1;
    while (half > static_cast<double>(n_ * sizeof(int))) half /= 2, pieces *= 2;
    return static_cast<float>(pieces) * median(1, [&] {
             check(cudaMemcpyAsync(rest_, values_, static_cast<std::size_t>(half), cudaMemcpyDeviceToDevice, stream_));
           });
  }
  int value_of(int const* address) {
    int value = 0;
    check(cudaMemcpyAsync(&value, address, sizeof(int), cudaMemcpyDeviceToHost, stream_));
    check(cudaStreamSynchronize(stream_));
    return value;
  }
  unsigned differences(int const* a, int const* b, int n) {
    return bench::differences(stream_, a, b, static_cast<std::size_t>(n));
  }

  /// Times a problem beside `cub(temporary, bytes)`. `second`: whether rest_ has results, too.
  template <class Problem, class Cub>
  void time(char const* name, double parameter, Problem const& problem, Cub const& cub, int const* dest, bool second,
            double bytes_read, double bytes_each) {
    int const calls   = problem.n < (std::size_t{1} << 24) ? 20 : 1;
    std::size_t bytes = 0;
    cub(nullptr, bytes);
    if (bytes > temporary_bytes) std::exit(2);
    float const by_cub = median(calls, [&] { cub(temporary_, bytes); });
    float const own    = median(calls, [&] {
      KokkosScan::cuda::run(KokkosScan::cuda::Stream(stream_, nullptr), core::Automatic{}, problem,
                               core::Memory{scratch_, states_, states_bytes});
    });
    int const count = value_of(counts_), expected = value_of(counts_ + 4);
    unsigned wrong = count == expected ? differences(dest, expected_, count) : ~0U;
    if (second) wrong += differences(rest_, expected_rest_, count);
    is_right_        = is_right_ && wrong == 0;
    float const copy = time_of_copy(bytes_read + bytes_each * expected);
    std::printf("%-17s n %zu, %g: %.4f ms, %.3f of a copy; CUB %.4f ms, %.3f; %u wrong of %d\n", name, problem.n,
                parameter, own, copy / own, by_cub, copy / by_cub, wrong, expected);
    std::fflush(stdout);
  }

  void copy_if(std::size_t n, int from, int dest, double share) {
    Below const below{static_cast<std::uint64_t>(share * 4294967296.0)};
    core::Problem<int, core::FromChosen<int, In, core::Chooses<Below>>, Sum, core::ToCompacted<int, In, Out>> const
        problem{{{from_ + from}, {below}}, {{from_ + from}, {{dest_ + dest}, n}}, n, {}, core::Maybe<int>(0), counts_};
    auto const cub = [&](void* temporary, std::size_t& bytes) {
      check(cub::DeviceSelect::If(temporary, bytes, from_ + from, expected_, counts_ + 4, static_cast<long long>(n),
                                  below, stream_));
    };
    time(from > 0 ? "copy_if, odd" : "copy_if", share, problem, cub, dest_ + dest, false, 4. * static_cast<double>(n),
         4);
  }
  void copy_flagged() {
    using Flags = core::Contiguous<unsigned char const>;
    core::Problem<int, core::FromFlagged<int, In, Flags>, Sum, core::ToCompacted<int, In, Out>> const problem{
        {{from_}, {flags_}}, {{from_}, {{dest_}, n_}}, n_, {}, core::Maybe<int>(0), counts_};
    auto const cub = [&](void* temporary, std::size_t& bytes) {
      check(cub::DeviceSelect::Flagged(temporary, bytes, from_, flags_, expected_, counts_ + 4,
                                       static_cast<long long>(n_), stream_));
    };
    time("copy_flagged", 0.5, problem, cub, dest_, false, 5. * static_cast<double>(n_), 4);
  }
  /// CUB has the rest in the same array, from its end on: only what is chosen is compared.
  void partition_copy() {
    Below const below{std::uint64_t{1} << 31};
    core::Problem<int, core::FromChosen<int, In, core::Chooses<Below>>, Sum, core::ToParted<int, In, Out, Out>> const
        problem{{{from_}, {below}}, {{from_}, {{dest_}, n_}, {{rest_}, n_}}, n_, {}, core::Maybe<int>(0), counts_};
    auto const cub = [&](void* temporary, std::size_t& bytes) {
      check(cub::DevicePartition::If(temporary, bytes, from_, expected_, counts_ + 4, static_cast<long long>(n_), below,
                                     stream_));
    };
    time("partition_copy", 0.5, problem, cub, dest_, false, 8. * static_cast<double>(n_), 0);
  }
  /// Two arrays, by one of them, in one function or in two halves; CUB has them as one of pairs.
  void select() {
    fill<<<1024, 256, 0, stream_>>>(values_, n_, Random{});
    Below const below{std::uint64_t{1} << 31};
    auto const both = [](int* a, int* b) { return cuda::make_zip_iterator(a, b); };
    auto const cub  = [&](void* temporary, std::size_t& bytes) {
      check(cub::DeviceSelect::If(temporary, bytes, both(from_, values_), both(expected_, expected_rest_), counts_ + 4,
                                   static_cast<long long>(n_), BelowFirst{below}, stream_));
    };
    auto const time_by = [&]<class Out>(char const* name, Out const& out) {
      core::Problem<int, core::FromIndex<int, BelowAt>, Sum, core::ToChosen<int, Out>> const problem{
          {{from_, below}}, {out}, n_, {}, core::Maybe<int>(0), counts_};
      time(name, 0.5, problem, cub, dest_, true, 8. * static_cast<double>(n_), 8);
    };
    time_by("select", WriteBoth{from_, values_, dest_, rest_});
    time_by("select, in halves", core::LoadThenStore<LoadBoth, StoreBoth>{{from_, values_}, {dest_, rest_}});
  }
  void unique_copy(std::size_t length) {
    core::Problem<int, core::FromChanges<int, In, core::EqualTo>, Sum, core::ToCompacted<int, In, Out>> const problem{
        {{from_}, {}}, {{from_}, {{dest_}, n_}}, n_, {}, core::Maybe<int>(0), counts_};
    auto const cub = [&](void* temporary, std::size_t& bytes) {
      check(cub::DeviceSelect::Unique(temporary, bytes, from_, expected_, counts_ + 4, static_cast<long long>(n_),
                                      stream_));
    };
    time("unique_copy", static_cast<double>(length), problem, cub, dest_, false, 4. * static_cast<double>(n_), 4);
  }
  template <class From>
  using Runs = core::Problem<core::Run<int, int>, core::FromCountedRuns<int, int, In, From, Sum, core::EqualTo>,
                             core::WithinCountedRuns<int, int, Sum>, core::ToRuns<int, int, In, Out, Out>>;
  void run_length_encode(std::size_t length) {
    Runs<core::Ones> const problem{
        {{from_}, {}, {}, {}}, {{from_}, {{dest_}, n_}, {{rest_}, n_}, n_}, n_, {}, {}, counts_};
    auto const cub = [&](void* temporary, std::size_t& bytes) {
      check(cub::DeviceRunLengthEncode::Encode(temporary, bytes, from_, expected_, expected_rest_, counts_ + 4,
                                               static_cast<long long>(n_), stream_));
    };
    time("run_length_encode", static_cast<double>(length), problem, cub, dest_, true, 4. * static_cast<double>(n_), 8);
  }
  void reduce_by_key(std::size_t length) {
    fill<<<1024, 256, 0, stream_>>>(values_, n_, Random{});
    Runs<In> const problem{
        {{from_}, {values_}, {}, {}}, {{from_}, {{dest_}, n_}, {{rest_}, n_}, n_}, n_, {}, {}, counts_};
    auto const cub = [&](void* temporary, std::size_t& bytes) {
      check(cub::DeviceReduce::ReduceByKey(temporary, bytes, from_, expected_, values_, expected_rest_, counts_ + 4,
                                           Sum{}, static_cast<long long>(n_), stream_));
    };
    time("reduce_by_key", static_cast<double>(length), problem, cub, dest_, true, 8. * static_cast<double>(n_), 8);
  }

  std::size_t n_;
  cudaStream_t stream_ = nullptr;
  int *from_ = nullptr, *values_ = nullptr, *dest_ = nullptr, *rest_ = nullptr, *expected_ = nullptr,
      *expected_rest_ = nullptr, *counts_ = nullptr;
  unsigned char* flags_ = nullptr;
  void *states_ = nullptr, *scratch_ = nullptr, *temporary_ = nullptr;
  bool is_right_ = true;
};

}  // namespace

int main(int count, char** arguments) {
  std::size_t const n = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : std::size_t{1} << 28;
  cudaDeviceProp device{};
  check(cudaGetDeviceProperties(&device, 0));
  std::printf("%s\n", device.name);
  Bench bench(n);
  bench.run();
  return bench.is_right() ? 0 : 1;
}
