// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <unistd.h>

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <stdexcept>

#include "support/backend_choices.hpp"
#include "support/spaces.hpp"

// Scans by a thread that is at work for a kernel on the same instance, on another one, or for an OpenMP region of the
// user's: it does them alone.
namespace {

using namespace KokkosScan;

/// Scans of one size, all forms of them, each caller with data of its own. Returns whether all is right.
bool scans_are_right(auto const& exec, std::size_t n, long first) {
  std::vector<long> values(n, 1), results(n);
  values[0]    = first;
  using Memory = Kokkos::View<long*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  Memory const from(values.data(), n), dest(results.data(), n);
  long total       = 0;
  bool right       = true;
  auto const check = [&](long before) {
    for (std::size_t i = 0; i < n; ++i) right = right && results[i] == first + static_cast<long>(i) + before;
  };
  inclusive_scan(exec, from, dest);
  check(0);
  inclusive_scan(exec, from, dest, [](long a, long b) { return a + b; }, Total{total});
  check(0);
  right = right && total == first + static_cast<long>(n) - 1;
  inclusive_scan(exec, from, dest, Sum{}, 5L, Total{total});
  check(5);
  right = right && total == first + static_cast<long>(n) + 4;

  std::array<long, 3> offsets{0, static_cast<long>(n), static_cast<long>(n)};
  std::array<long, 2> totals{};
  Memory const rows(offsets.data(), 3), of_rows(totals.data(), 2);
  segmented_inclusive_scan(exec, from, rows, dest, Totals{of_rows});
  check(0);
  right = right && totals == std::array{results.back(), 0L};
  segmented_reduce(exec, from, rows, of_rows, Sum{}, 3L);
  return right && totals == std::array{results.back() + 3, 3L};
}

template <class Exec>
class WithinKernels : public testing::Test {
 protected:
  static constexpr std::array<std::size_t, 3> lengths{1, 1000, 100'000};

  template <class Outer>
  static void expect_right(Outer const& outer, auto const& exec) {
    for (std::size_t const n : lengths) {
      std::atomic<int> wrong{0};
      Kokkos::parallel_for("kernel", Kokkos::RangePolicy<Outer>(outer, 0, 8), [&](int i) {
        if (!scans_are_right(exec, n, 100 + i)) ++wrong;
      });
      EXPECT_EQ(wrong, 0) << n << " values";
    }
  }
};
TYPED_TEST_SUITE(WithinKernels, test::HostSpaces::Types);

TYPED_TEST(WithinKernels, on_the_instance_of_the_kernel) {
#ifdef KOKKOS_ENABLE_THREADS
  if (std::is_same_v<TypeParam, Kokkos::Threads>) GTEST_SKIP() << "Kokkos::Threads throws, in words of its own";
#endif
  this->expect_right(TypeParam(), TypeParam());
  for (GridScan const grid : driver::Backend<TypeParam>::grids)
    this->expect_right(TypeParam(), Handle(TypeParam(), Options{.grid = grid}));
}

TYPED_TEST(WithinKernels, on_another_instance_or_space) {
#ifdef KOKKOS_ENABLE_SERIAL
  this->expect_right(TypeParam(), Kokkos::Serial());
  this->expect_right(Kokkos::Serial(), TypeParam());
#endif
#ifdef KOKKOS_ENABLE_OPENMP
  this->expect_right(TypeParam(), Kokkos::OpenMP(2));
  this->expect_right(Kokkos::OpenMP(2), TypeParam());
  this->expect_right(Kokkos::OpenMP(1), Kokkos::OpenMP(2));
#endif
}

/// Scans by a functor and all others, on the same instance, from whatever a scan calls.
template <class ExecOrHandle>
bool nested_scans_are_right(ExecOrHandle const& exec_or_handle) {
  bool right = true;
  for (long const n : {1L, 100L, 100'000L}) {
    long wrong = 0, total = -1;
    KokkosScan::parallel_scan(
        exec_or_handle, n,
        [&](std::int64_t i, long& update, bool final) {
          if (final && update != i) ++wrong;
          ++update;
        },
        total);
    right = right && wrong == 0 && total == n && scans_are_right(exec_or_handle, static_cast<std::size_t>(n), 100);
  }
  return right;
}

/// By each function that the user gives to a scan on exec or a Handle. `nested` is not known when that is compiled: it
/// would be inlined wherever an operator is.
template <class ExecOrHandle>
void expect_right_within_scans(ExecOrHandle const& exec_or_handle, std::function<bool()> const& nested) {
  for (std::size_t const n : {1U, 10U, 100'000U}) {
    std::atomic<int> wrong{0}, scans{0};
    auto const scan = [&] {
      if (scans++ < 5 && !nested()) ++wrong;
    };
    KokkosScan::parallel_scan(exec_or_handle, n, [&](std::size_t i, long& update, bool final) {
      if (final && i % 3 == 0) scan();
      ++update;
    });
    EXPECT_GT(scans, 0);
    Kokkos::View<long*, Kokkos::HostSpace> const values("values", n);
    scans = 0;
    inclusive_scan(exec_or_handle, values, values, [&](long left, long right) {
      scan();
      return left + right;
    });
    EXPECT_TRUE(scans > 0 || n == 1);
    EXPECT_EQ(wrong, 0) << n << " values";
  }
}

TYPED_TEST(WithinKernels, of_the_library_on_their_instance) {
#ifdef KOKKOS_ENABLE_THREADS
  if (std::is_same_v<TypeParam, Kokkos::Threads>) GTEST_SKIP() << "Kokkos::Threads throws, in words of its own";
#endif
  alarm(200);  // who waits for oneself does so for ever
  TypeParam const exec;
  Handle<TypeParam, portable::Backend> const portable(exec);
  expect_right_within_scans(exec, [&] { return nested_scans_are_right(exec); });
  expect_right_within_scans(portable, [&] { return nested_scans_are_right(exec); });
  expect_right_within_scans(portable, [&] {
    try {
      nested_scans_are_right(portable);
    } catch (std::runtime_error const&) {
      return true;  // it has no way to do so alone
    }
    return false;
  });
  alarm(0);
}

#ifdef KOKKOS_ENABLE_OPENMP
TYPED_TEST(WithinKernels, where_regions_may_nest) {
  int const before = omp_get_max_active_levels();
  omp_set_max_active_levels(2);
  this->expect_right(TypeParam(), TypeParam());
  this->expect_right(TypeParam(), Handle(TypeParam(), Options{.grid = GridScan::hierarchical}));
  this->expect_right(TypeParam(), Kokkos::OpenMP(2));
  omp_set_max_active_levels(before);
}

/// The portable backend has no way to do so alone, at any size.
TEST(PortableWithinKernels, is_refused) {
  for (std::size_t const n : {0U, 1U, 1000U, 100'000U})
    for (int const levels : {1, 2}) {
      int const before = omp_get_max_active_levels();
      omp_set_max_active_levels(levels);
      Handle<Kokkos::OpenMP, portable::Backend> const handle;
      Kokkos::View<long*, Kokkos::HostSpace> const values("values", n);
      long total = 0;
      std::atomic<int> refused{0};
      Kokkos::parallel_for("kernel", Kokkos::RangePolicy<Kokkos::OpenMP>(handle.exec(), 0, 4), [&](int i) {
        long own = 0;
        try {
          inclusive_scan(handle, values, values, Sum{}, Total{i == 0 ? total : own});
        } catch (std::runtime_error const&) {
          ++refused;
        }
      });
      omp_set_max_active_levels(before);
      EXPECT_EQ(refused, 4) << n << " values, " << levels << " levels";
    }
}

TEST(WithinRegions, of_the_users) {
  for (int const levels : {1, 2})
    for (int const threads : {1, 3})
      for (std::size_t const n : {1U, 1000U, 100'000U}) {
        SCOPED_TRACE(testing::Message() << threads << " threads, " << levels << " levels, " << n << " values");
        int const before = omp_get_max_active_levels();
        omp_set_max_active_levels(levels);
        std::atomic<int> wrong{0};
#pragma omp parallel num_threads(threads)
        if (!scans_are_right(Kokkos::OpenMP(), n, omp_get_thread_num())) ++wrong;
        omp_set_max_active_levels(before);
        EXPECT_EQ(wrong, 0);
      }
}
#endif

}  // namespace
