// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_native/sort/merge_sort.hpp>

#include <cub/cub.cuh>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <type_traits>
#include "bench.hpp"

// Merge sort by cuda_native alone, beside CUB's merge sort, stable and not: medians of seven, every result compared
// with CUB's stable one. Keys are brought back before each sort, which is not timed; short sorts are ten nodes of a
// graph, each behind such a copy, and the time of the copies is taken off. Returns 1 if a result differs.
//
//   nvcc -std=c++20 -O3 -arch=sm_90 --expt-relaxed-constexpr -I . -I include perf/experiments/merge_sort.cu -o
//   merge_sort
//   ./merge_sort [elements]
namespace {

namespace core  = KokkosScan::core;
namespace merge = KokkosScan::cuda::merge;
using bench::array;
using bench::check;
using bench::mixed;

/// Keys that a sort by digits does not serve: compared by a function, and of any size.
template <class Word, int words>
struct Record {
  Word word[words];
};
using Pair = Record<double, 2>;
struct ByWords {
  template <class Word, int words>
  __device__ bool operator()(Record<Word, words> const& left, Record<Word, words> const& right) const {
    for (int w = 0; w < words - 1; ++w) {
      if (left.word[w] < right.word[w]) return true;
      if (right.word[w] < left.word[w]) return false;
    }
    return left.word[words - 1] < right.word[words - 1];
  }
  template <class Word>
  __device__ bool operator()(Word const& left, Word const& right) const {
    return left < right;
  }
};
/// Records by their first word alone, and words but for their lowest bits: what is equal to it differs.
struct ByFirst {
  template <class Word, int words>
  __device__ bool operator()(Record<Word, words> const& left, Record<Word, words> const& right) const {
    return left.word[0] < right.word[0];
  }
  template <class Word>
  __device__ bool operator()(Word const& left, Word const& right) const {
    return left / 16 < right / 16;
  }
};

enum class Keys { random, few, equal, ascending, descending };
__device__ std::uint64_t number(std::size_t i, std::size_t n, Keys kind) {
  return kind == Keys::random      ? mixed(i)
         : kind == Keys::few       ? mixed(mixed(i) % 16)
         : kind == Keys::equal     ? 12345
         : kind == Keys::ascending ? i
                                   : n - i;
}
template <class Word, int words>
__device__ void put(Record<Word, words>& key, std::size_t i, std::size_t n, Keys kind) {
  for (int w = 0; w < words; ++w)
    key.word[w] = static_cast<Word>(w == 0 ? number(i, n, kind) : i + static_cast<std::size_t>(w));
}
template <class Word>
__device__ void put(Word& key, std::size_t i, std::size_t n, Keys kind) {
  key = static_cast<Word>(number(i, n, kind));
}
template <class Key>
__global__ void fill(Key* keys, std::size_t n, Keys kind) {
  for (std::size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
    put(keys[i], i, n, kind);
}
cudaStream_t stream;
bool is_right = true;

template <class Key, class Value, class Less>
void run(char const* name, std::size_t n, Keys kind) {
  constexpr bool with_values = !std::is_same_v<Value, core::NoValues>;
  using Sort                 = core::MergeSort<Key, Value, Less>;
  using Moved                = std::conditional_t<with_values, Value, char>;
  std::size_t const values_n = with_values ? n : 1;
  Key *const from = array<Key>(n), *const by_cub = array<Key>(n);
  Moved *const values = array<Moved>(values_n), *const values_by_cub = array<Moved>(values_n);
  fill<<<1024, 256, 0, stream>>>(from, n, kind);
  if constexpr (with_values) fill<<<1024, 256, 0, stream>>>(values, n, Keys::ascending);
  Sort sort{};
  sort.keys       = array<Key>(n);
  sort.other_keys = array<Key>(n);
  sort.n          = n;
  if constexpr (with_values) {
    sort.values       = array<Value>(n);
    sort.other_values = array<Value>(n);
  }
  auto const copy = [&](auto* to, auto const* of, std::size_t count) {
    check(cudaMemcpyAsync(to, of, count * sizeof(*of), cudaMemcpyDeviceToDevice, stream));
  };
  auto const bring = [&] {
    copy(sort.keys, from, n);
    if constexpr (with_values) copy(sort.values, values, n);
  };
  bool const is_short = n < (std::size_t{1} << 24);
  float const own     = bench::median_of_sorts(stream, is_short, bring, [&] { merge::run(stream, sort); });

  std::size_t bytes       = 0;
  auto const bring_to_cub = [&] {
    copy(by_cub, from, n);
    if constexpr (with_values) copy(values_by_cub, values, n);
  };
  auto const length = static_cast<long long>(n);
  auto const stable = [&](void* temporary) {
    if constexpr (with_values)
      check(cub::DeviceMergeSort::StableSortPairs(temporary, bytes, by_cub, values_by_cub, length, Less{}, stream));
    else
      check(cub::DeviceMergeSort::StableSortKeys(temporary, bytes, by_cub, length, Less{}, stream));
  };
  auto const unstable = [&](void* temporary) {
    if constexpr (with_values)
      check(cub::DeviceMergeSort::SortPairs(temporary, bytes, by_cub, values_by_cub, length, Less{}, stream));
    else
      check(cub::DeviceMergeSort::SortKeys(temporary, bytes, by_cub, length, Less{}, stream));
  };
  unstable(nullptr);
  std::size_t const of_unstable = bytes;
  stable(nullptr);
  bytes                     = std::max(bytes, of_unstable);
  void* const temporary     = array<char>(bytes);
  float const unstable_time = bench::median_of_sorts(stream, is_short, bring_to_cub, [&] { unstable(temporary); });
  float const stable_time   = bench::median_of_sorts(stream, is_short, bring_to_cub, [&] { stable(temporary); });

  bring();
  merge::run(stream, sort);
  bring_to_cub();
  stable(temporary);
  unsigned wrong = bench::differences(stream, sort.keys, by_cub, n);
  if constexpr (with_values) wrong += bench::differences(stream, sort.values, values_by_cub, n);
  is_right                      = is_right && wrong == 0;
  constexpr char const* kinds[] = {"random", "16 keys", "equal", "ascending", "descending"};
  std::printf(
      "%-14s %-10s n %10zu: %9.4f ms, %6.2f Gitem/s; CUB %9.4f, stable %9.4f ms; %.2f, %.2f times CUB; %u wrong\n",
      name, kinds[static_cast<int>(kind)], n, own, static_cast<double>(n) / own * 1e-6, unstable_time, stable_time,
      unstable_time / own, stable_time / own, wrong);
  std::fflush(stdout);
  for (void* p : {static_cast<void*>(from), static_cast<void*>(by_cub), static_cast<void*>(values),
                  static_cast<void*>(values_by_cub), static_cast<void*>(sort.keys), static_cast<void*>(sort.other_keys),
                  temporary})
    check(cudaFree(p));
  if constexpr (with_values) {
    check(cudaFree(sort.values));
    check(cudaFree(sort.other_values));
  }
}

}  // namespace

int main(int count, char** arguments) {
  using core::NoValues;
  using Indices       = std::uint32_t;
  std::size_t const n = count > 1 ? std::strtoull(arguments[1], nullptr, 10) : std::size_t{1} << 26;
  cudaDeviceProp device{};
  check(cudaGetDeviceProperties(&device, 0));
  check(cudaStreamCreate(&stream));
  std::printf("%s\n", device.name);
  for (Keys const kind : {Keys::random, Keys::ascending, Keys::descending, Keys::equal, Keys::few}) {
    run<Pair, NoValues, ByWords>("2 f64", n, kind);
    run<std::uint32_t, NoValues, ByWords>("u32", 4 * n, kind);
    run<std::uint64_t, Indices, ByWords>("u64+u32", n, kind);
    run<std::uint64_t, Indices, ByFirst>("u64 / 16+u32", n - 4321, kind);
  }
  for (std::size_t const length :
       {n, n / 16, n / 64, n / 64 + 777, n / 1024, n / 8192, std::size_t{1000}, std::size_t{100}}) {
    if (length != n) run<Pair, NoValues, ByWords>("2 f64", length, Keys::random);
    run<std::uint32_t, NoValues, ByWords>("u32", length, Keys::random);
    if (length != n) run<std::uint64_t, Indices, ByWords>("u64+u32", length, Keys::random);
  }
  // Of other sizes, by their first words.
  std::size_t const fewer = n / 8 + 12345;
  run<Record<std::uint8_t, 1>, NoValues, ByFirst>("1 byte", fewer, Keys::random);
  run<Record<std::uint8_t, 3>, Indices, ByFirst>("3 bytes+u32", fewer, Keys::random);
  run<Record<std::uint32_t, 3>, Indices, ByFirst>("12 bytes+u32", fewer, Keys::random);
  run<Pair, Pair, ByFirst>("2 f64+16 bytes", fewer, Keys::random);
  run<Record<std::uint32_t, 7>, NoValues, ByFirst>("28 bytes", fewer, Keys::random);
  run<Record<std::uint64_t, 8>, Indices, ByFirst>("64 bytes+u32", fewer, Keys::random);
  return is_right ? 0 : 1;
}
