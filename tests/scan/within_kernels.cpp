// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <array>
#include <atomic>
#include <cstddef>

#include "support/backend_choices.hpp"
#include "support/spaces.hpp"

#ifdef KOKKOS_ENABLE_OPENMP
#include <omp.h>
#endif

// Scans by a thread that is at work for a kernel on the same instance, on another one, or for an OpenMP region of the
// user's: it does them alone.
namespace {

using namespace KokkosScan;

/// Scans of one size, all forms of them, each caller with data of its own. Returns whether all is right.
template <class Where>
bool scans_are_right(Where const& where, std::size_t n, long first) {
  std::vector<long> values(n, 1), results(n);
  values[0]    = first;
  using Memory = Kokkos::View<long*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>;
  Memory const from(values.data(), n), dest(results.data(), n);
  long total       = 0;
  bool right       = true;
  auto const check = [&](long before) {
    for (std::size_t i = 0; i < n; ++i) right = right && results[i] == first + static_cast<long>(i) + before;
  };
  inclusive_scan(where, from, dest);
  check(0);
  inclusive_scan(where, from, dest, [](long a, long b) { return a + b; }, Total{total});
  check(0);
  right = right && total == first + static_cast<long>(n) - 1;
  inclusive_scan(where, from, dest, Sum{}, 5L, Total{total});
  check(5);
  right = right && total == first + static_cast<long>(n) + 4;
  return right;
}

template <class Exec>
class WithinKernels : public testing::Test {
 protected:
  static constexpr std::array<std::size_t, 3> lengths{1, 1000, 100'000};

  template <class Outer, class Where>
  static void expect_right(Outer const& outer, Where const& where) {
    for (std::size_t const n : lengths) {
      std::atomic<int> wrong{0};
      Kokkos::parallel_for("kernel", Kokkos::RangePolicy<Outer>(outer, 0, 8), [&](int i) {
        if (!scans_are_right(where, n, 100 + i)) ++wrong;
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

#ifdef KOKKOS_ENABLE_OPENMP
TYPED_TEST(WithinKernels, where_regions_may_nest) {
  int const before = omp_get_max_active_levels();
  omp_set_max_active_levels(2);
  this->expect_right(TypeParam(), TypeParam());
  this->expect_right(TypeParam(), Handle(TypeParam(), Options{.grid = GridScan::hierarchical}));
  this->expect_right(TypeParam(), Kokkos::OpenMP(2));
  omp_set_max_active_levels(before);
}
#endif

/// Which has no way to do so alone, at any size.
#ifdef KOKKOS_ENABLE_OPENMP
TEST(PortableWithinKernels, is_refused) {
  for (std::size_t const n : {0U, 1U, 1000U, 100'000U})
    for (int const levels : {1, 2}) {
      int const before = omp_get_max_active_levels();
      omp_set_max_active_levels(levels);
      Kokkos::OpenMP const exec;
      Handle<Kokkos::OpenMP, portable::Backend> const handle(exec);
      Kokkos::View<long*, Kokkos::HostSpace> const values("values", n);
      long total = 0;
      std::atomic<int> refused{0};
      Kokkos::parallel_for("kernel", Kokkos::RangePolicy<Kokkos::OpenMP>(exec, 0, 4), [&](int i) {
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
#endif

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

#ifdef KOKKOS_ENABLE_OPENMP
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
