// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <atomic>
#include <type_traits>
#include <utility>

#include "recorder.hpp"
#include "support/spaces.hpp"

// How many launches a scan takes, and whose threads they wake.
namespace {

using namespace contract;

/// Each launch is an event of its own: doubling takes one for each step, one that fetches and one that delivers.
template <class Handle>
void expect_launches(std::size_t n, std::size_t expected) {
  using Exec = std::remove_cvref_t<decltype(std::declval<Handle>().exec())>;
  Handle const handle(Exec(), KokkosScan::Options{.grid = KokkosScan::GridScan::hillis_steele}, "mine: ");
  Kokkos::View<int*, typename Exec::memory_space> const values("values", n);
  Recorder const recorder;
  KokkosScan::inclusive_scan(handle, values, values);
  handle.exec().fence();
  auto const kernels = recorder.all(Event::Kind::kernel);
  EXPECT_EQ(kernels.size(), expected) << Handle::Backend::name << ", " << n << " values";
  for (Event const& kernel : kernels) EXPECT_EQ(kernel.name(), "mine: KokkosScan::inclusive_scan");
  for (Event const& block : recorder.all(Event::Kind::allocation)) EXPECT_EQ(block.name(), "mine: KokkosScan::scratch");
}

TEST(Visible, each_launch) {
  using Exec    = Kokkos::DefaultExecutionSpace;
  using Options = KokkosScan::Options;
  expect_launches<KokkosScan::Handle<Exec, KokkosScan::driver::Backend<Exec>, Options>>(1000, 10 + 2);
  expect_launches<KokkosScan::Handle<Exec, KokkosScan::portable::Backend, Options>>(1000, 10 + 2);
}

#ifdef KOKKOS_ENABLE_OPENMP
/// Keeps how many threads were at work: instances of the host show one and the same id to a tool, but differ in this.
struct WatchedSum {
  std::atomic<int>* most_threads;
  template <class T>
  T operator()(T left, T right) const {
    int const now = omp_get_num_threads();
    int most      = most_threads->load();
    while (most < now && !most_threads->compare_exchange_weak(most, now)) {
    }
    return left + right;
  }
};

struct WatchedValue {
  WatchedSum watched;
  template <class T>
  T operator()(T value) const {
    return watched(value, T{});
  }
};

template <class T>
void expect_no_thread_woken() {
  Kokkos::OpenMP const exec;
  std::size_t const tile  = test::automatic_tile<Kokkos::OpenMP, T>();
  std::size_t const alone = 4 * KokkosScan::host::short_tile_bytes / sizeof(T);
  ASSERT_GE(alone, 4096U);
  for (std::size_t const n : {std::size_t{1}, std::size_t{256}, std::size_t{4096}, alone, alone + 1, 2 * tile}) {
    Kokkos::View<T*, Kokkos::HostSpace> const from("from", n), dest("dest", n);
    std::atomic<int> most{0};
    KokkosScan::inclusive_scan(exec, from, dest, WatchedSum{&most});
    KokkosScan::transform_exclusive_scan(exec, from, dest, 0, KokkosScan::Sum{}, WatchedValue{{&most}});
    EXPECT_EQ(n > alone, most > 1) << n << " values, " << most << " threads";
  }
}

/// To wake one would take longer than the scan.
TEST(Visible, short_calls_wake_no_thread) {
  if (test::threads_of(Kokkos::OpenMP()) < 2) GTEST_SKIP() << "needs a thread that could be woken";
  expect_no_thread_woken<int>();
  expect_no_thread_woken<double>();
}

TEST(Visible, work_is_done_by_the_threads_of_the_instance) {
  Kokkos::OpenMP const whole;
  if (test::threads_of(whole) < 3) GTEST_SKIP() << "needs three threads to make two instances of different sizes";
  std::size_t const n = 8 * test::automatic_tile<Kokkos::OpenMP, int>();
  Kokkos::View<int*, Kokkos::HostSpace> const from("from", n), dest("dest", n);
  auto const parts = Kokkos::Experimental::partition_space(whole, 1, 2);
  for (Kokkos::OpenMP const& exec : {parts[0], parts[1], whole}) {
    auto const expect = [&](auto const& exec_or_handle) {
      std::atomic<int> most{0};
      KokkosScan::inclusive_scan(exec_or_handle, from, dest, WatchedSum{&most});
      EXPECT_EQ(most, test::threads_of(exec));
    };
    expect(exec);
    expect(KokkosScan::Handle<Kokkos::OpenMP>(exec));
  }
}
#endif

}  // namespace
