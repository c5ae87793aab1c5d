// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

// Small scans on a host: to wake a thread would take longer than the scan.
namespace {

using Exec = Kokkos::DefaultHostExecutionSpace;

/// A sum that counts the operations which are not made by the thread that asked for the scan.
struct SumElsewhere {
  std::thread::id here                = std::this_thread::get_id();
  std::atomic<std::size_t>* elsewhere = nullptr;

  template <class T>
  T operator()(T left, T right) const {
    if (std::this_thread::get_id() != here) ++*elsewhere;
    return left + right;
  }
};

template <class T>
std::size_t operations_elsewhere(std::size_t n) {
  Kokkos::View<T*, Kokkos::HostSpace> const from("from", n), dest("dest", n);
  Kokkos::deep_copy(from, T(1));
  std::atomic<std::size_t> elsewhere = 0;
  KokkosScan::inclusive_scan(Exec(), from, dest, SumElsewhere{.elsewhere = &elsewhere});
  EXPECT_EQ(dest(n - 1), static_cast<T>(n));
  return elsewhere;
}

TEST(Small, scans_are_made_by_the_thread_that_asks) {
  for (std::size_t const n : {1U, 63U, 64U, 1000U, 4096U}) {
    EXPECT_EQ(operations_elsewhere<int>(n), 0U) << n;
    EXPECT_EQ(operations_elsewhere<float>(n), 0U) << n;
    EXPECT_EQ(operations_elsewhere<double>(n), 0U) << n;
  }
}

}  // namespace
