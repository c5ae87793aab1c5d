// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <bit>
#include <cstddef>
#include <cstdint>

// Sums of floats, whose bits tell in what order they were made, and the comparison of such results on the device.
namespace device {

using Exec = Kokkos::Cuda;
template <class T>
using View = Kokkos::View<T*, Kokkos::CudaSpace>;

template <class T>
void fill(Exec const& exec, View<T> const& values, std::uint32_t seed) {
  Kokkos::parallel_for(
      "fill", Kokkos::RangePolicy<Exec>(exec, 0, values.size()), KOKKOS_LAMBDA(std::size_t i) {
        auto const bits = static_cast<std::uint32_t>(i * 2654435761U + seed * 40503U);
        values(i)       = static_cast<T>(static_cast<double>((bits >> 8) % 65536) / 65536. - 0.25);
      });
}

/// How many of the results differ from the expected ones in any bit.
template <class T>
std::size_t differences(Exec const& exec, View<T> const& results, View<T> const& expected) {
  std::size_t count = 0;
  Kokkos::parallel_reduce(
      "compare", Kokkos::RangePolicy<Exec>(exec, 0, results.size()),
      KOKKOS_LAMBDA(std::size_t i, std::size_t& sum) {
        using Bits = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
        sum += Kokkos::bit_cast<Bits>(results(i)) != Kokkos::bit_cast<Bits>(expected(i));
      },
      count);
  return count;
}

/// Nothing that a scan leaves.
template <class T>
void poison(Exec const& exec, View<T> const& results) {
  Kokkos::deep_copy(exec, results, T(-1e30));
}

}  // namespace device
