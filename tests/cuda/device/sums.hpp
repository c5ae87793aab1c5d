// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

// Scans of floating-point values, whose bits tell in what order they were made, and the comparison of such results on
// the device.
namespace device {

using Exec = Kokkos::Cuda;
template <class T>
using View = Kokkos::View<T*, Kokkos::CudaSpace>;

/// The value that belongs to a share between 0 and 1.
template <class T>
struct Inputs {
  KOKKOS_FUNCTION static T at(double share) { return static_cast<T>(share - 0.25); }
};

template <class T>
void fill(Exec const& exec, View<T> const& values, std::uint32_t seed) {
  Kokkos::parallel_for(
      "fill", Kokkos::RangePolicy<Exec>(exec, 0, values.size()), KOKKOS_LAMBDA(std::size_t i) {
        auto const bits = static_cast<std::uint32_t>(i * 2654435761U + seed * 40503U);
        values(i)       = Inputs<T>::at(static_cast<double>((bits >> 8) % 65536) / 65536.);
      });
}

template <class T>
KOKKOS_FUNCTION bool same_bits(T const& left, T const& right) {
  struct Words {
    std::uint32_t word[sizeof(T) / 4];
  };
  auto const of_left = Kokkos::bit_cast<Words>(left), of_right = Kokkos::bit_cast<Words>(right);
  for (std::size_t w = 0; w < sizeof(T) / 4; ++w)
    if (of_left.word[w] != of_right.word[w]) return false;
  return true;
}

/// How many of the results differ from the expected ones in any bit.
template <class T>
std::size_t differences(Exec const& exec, View<T> const& results, View<T> const& expected) {
  std::size_t count = 0;
  Kokkos::parallel_reduce(
      "compare", Kokkos::RangePolicy<Exec>(exec, 0, results.size()),
      KOKKOS_LAMBDA(std::size_t i, std::size_t& sum) { sum += !same_bits(results(i), expected(i)); }, count);
  return count;
}

/// Nothing that a scan leaves.
template <class T>
void poison(Exec const& exec, View<T> const& results) {
  cudaMemsetAsync(results.data(), 0xa5, results.size() * sizeof(T), exec.cuda_stream());
}

/// The algorithms that a device runs in one launch.
inline std::vector<KokkosScan::GridScan> single_pass_grids() {
  using KokkosScan::GridScan;
  std::vector<GridScan> grids{GridScan::automatic, GridScan::lookback, GridScan::chained};
  if (KokkosScan::cuda::Backend::serves(Exec(), GridScan::pipelined)) grids.push_back(GridScan::pipelined);
  return grids;
}

}  // namespace device
