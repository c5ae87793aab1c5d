// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cores.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <bit>
#include <chrono>
#include <cstdint>

#include "buffer.hpp"

namespace perf::host {
namespace {

using Word = std::uint64_t;

constexpr int steps = 1000;

template <class F>
double least_seconds(F const& f) {
  double least = 1;
  for (int attempt = 0; attempt < 5; ++attempt) {
    auto const begin = std::chrono::steady_clock::now();
    f();
    least = std::min(least, std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count());
  }
  return least;
}

/// Eight chains of instructions keep a core busy, one does not: what they take at a time is 3 to 4 times as much where
/// nobody else is there, and the frequency of the core makes no difference.
double width_of_core() {
  Word word = 1;
  benchmark::DoNotOptimize(word);
  double const wide  = least_seconds([word] {
    Word a = word, b = a + 1, c = a + 2, d = a + 3, e = a + 4, f = a + 5, g = a + 6, h = a + 7;
    for (int step = 0; step < steps; ++step) {
      a = std::rotl(a, 3) + word;
      b = std::rotl(b, 5) + word;
      c = std::rotl(c, 7) + word;
      d = std::rotl(d, 9) + word;
      e = std::rotl(e, 11) + word;
      f = std::rotl(f, 13) + word;
      g = std::rotl(g, 15) + word;
      h = std::rotl(h, 17) + word;
    }
    benchmark::DoNotOptimize(a ^ b ^ c ^ d ^ e ^ f ^ g ^ h);
  });
  double const chain = least_seconds([word] {
    Word a = word;
    for (int step = 0; step < steps; ++step) a = std::rotl(std::rotl(a, 3) + word, 5) + word;
    benchmark::DoNotOptimize(a);
  });
  return 4 * chain / wide;
}

}  // namespace

double share_of_cores() {
  static double best = 0;
  double least       = 0;
  Kokkos::parallel_reduce(
      "perf: width of the cores",
      Kokkos::RangePolicy<Space, Kokkos::IndexType<int>>(0, threads(), Kokkos::ChunkSize(1)),
      [](int, double& width) { width = std::min(width, width_of_core()); }, Kokkos::Min<double>(least));
  best = std::max(best, least);
  return least / best;
}

}  // namespace perf::host
