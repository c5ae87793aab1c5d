// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <atomic>
#include <memory>
#include <random>
#include <vector>

#include "support/backend_choices.hpp"
#include "support/oracle.hpp"
#include "support/spaces.hpp"
#include "support/values.hpp"
#include "workers.hpp"

// Several host threads scan at once: on one instance, on one handle, on instances of their own, and from inside an
// OpenMP region. Each has data of its own; all share the library's scratch.
namespace {

using concurrency::threads;
using KokkosScan::GridScan;

/// No kernel is compiled for it, of integers neither.
struct Op : test::Then {
  using Then::operator();
  KOKKOS_FUNCTION int operator()(int left, int right) const { return left + right; }
};

/// Views of one type and size, and what an exclusive scan must leave in them.
template <class Exec, class T>
class Task {
 public:
  Task(std::size_t n) : from_("from", n), dest_("dest", n) {
    std::vector<T> values = test::make_values<Op, T>(n + 1, n);
    init_                 = values.back();
    values.pop_back();
    expected_ = test::serial_scan<T>(test::Kind::exclusive, values, Op(), init_);
    Kokkos::deep_copy(from_, Kokkos::View<T const*, Kokkos::HostSpace>(values.data(), n));
  }

  /// Whether all is right.
  template <class ExecOrHandle>
  bool scan(ExecOrHandle const& exec) const {
    T total{};
    KokkosScan::exclusive_scan(exec, from_, dest_, init_, Op(), KokkosScan::Total{total});
    if (!(total == expected_.total)) return false;
    auto const host = Kokkos::create_mirror_view(dest_);
    if (host.data() != dest_.data()) Kokkos::deep_copy(host, dest_);
    for (std::size_t i = 0; i < host.extent(0); ++i) {
      if (!(host(i) == expected_.values[i])) return false;
      host(i) = test::anything_but(host(i));  // so that the next scan has to write it
    }
    return true;
  }

 private:
  Kokkos::View<T*, typename Exec::memory_space> from_, dest_;
  test::Expected<T> expected_;
  T init_;
};

/// What one host thread does: scans of two types and of sizes that take no scratch, little and more.
template <class Exec>
class Tasks {
 public:
  template <class ExecOrHandle>
  void run(ExecOrHandle const& exec, int repetitions, unsigned seed) const {
    std::mt19937 random(seed);
    for (int repetition = 0; repetition < repetitions; ++repetition) {
      std::size_t const k = random() % 4;
      bool const right    = random() % 2 ? integers_[k].scan(exec) : wides_[k].scan(exec);
      if (!right) ++wrong;
    }
  }
  std::atomic<int> mutable wrong{0};

 private:
  static constexpr std::size_t tile    = 1 << 15;  // at least one of the library's for int and Affine64
  Task<Exec, int> integers_[4]         = {1, 1000, 2 * tile + 1, 5 * tile};
  Task<Exec, test::Affine64> wides_[4] = {1, 1000, tile / 2 + 1, tile};
};

template <class Exec>
class HostThreads : public testing::Test {
 protected:
  static constexpr int size = 4;

  static void SetUpTestSuite() {
    for (int k = 0; k < size; ++k) tasks.push_back(std::make_unique<Tasks<Exec>>());
  }
  static void TearDownTestSuite() { tasks.clear(); }

  void SetUp() override {
#ifdef KOKKOS_ENABLE_THREADS
    if constexpr (std::is_same_v<Exec, Kokkos::Threads>)
      GTEST_SKIP() << "Kokkos::Threads refuses to launch from any thread but the one that started Kokkos";
#endif
    for (auto const& each : tasks) each->wrong = 0;
  }

  /// Each thread calls on what place(thread) returns.
  template <class PlaceOf>
  static void expect_right(int most, PlaceOf const& place) {
    int const repetitions = test::repetitions_up_to(most);
    threads(size).run([&](int thread) {
      tasks[static_cast<std::size_t>(thread)]->run(place(thread), repetitions, static_cast<unsigned>(thread));
    });
    for (auto const& each : tasks) EXPECT_EQ(each->wrong, 0);
  }

  static inline std::vector<std::unique_ptr<Tasks<Exec>>> tasks;
};
TYPED_TEST_SUITE(HostThreads, test::Spaces::Types);

TYPED_TEST(HostThreads, on_one_instance) {
  TypeParam const exec;
  this->expect_right(500, [&](int) { return exec; });
}

TYPED_TEST(HostThreads, on_one_handle) {
  for (KokkosScan::Options const& options :
       test::all_choices<KokkosScan::driver::Backend<TypeParam>, test::Affine64>()) {
    if (options.block != KokkosScan::BlockScan::automatic) continue;
    KokkosScan::Handle const handle(TypeParam(), options);
    this->expect_right(50, [&](int) { return handle; });
  }
}

TYPED_TEST(HostThreads, on_one_portable_handle) {
  KokkosScan::Handle<TypeParam, KokkosScan::portable::Backend> const handle;
  this->expect_right(100, [&](int) { return handle; });
}

TYPED_TEST(HostThreads, on_instances_of_their_own) {
  TypeParam const whole;
  // Instances of OpenMP share the threads out among them; where there are too few, some are the whole.
  std::vector<TypeParam> instances(this->size, whole);
#ifdef KOKKOS_ENABLE_OPENMP
  if constexpr (std::is_same_v<TypeParam, Kokkos::OpenMP>) {
    std::vector<int> const weights(static_cast<std::size_t>(std::min(this->size, whole.concurrency())), 1);
    auto const parts = Kokkos::Experimental::partition_space(whole, weights);
    std::copy(parts.begin(), parts.end(), instances.begin());
  } else
#endif
    instances = Kokkos::Experimental::partition_space(whole, std::vector<int>(this->size, 1));
  this->expect_right(500, [&](int thread) { return instances[static_cast<std::size_t>(thread)]; });
}

TYPED_TEST(HostThreads, each_with_handles_that_come_and_go) {
  this->expect_right(50, [&](int thread) {
    return KokkosScan::Handle(TypeParam(),
                              KokkosScan::Options{.grid = thread % 2 ? GridScan::lookback : GridScan::automatic});
  });
}

#ifdef KOKKOS_ENABLE_OPENMP
TEST(OpenMPRegion, each_thread_scans_its_own_data) {
  std::vector<std::unique_ptr<Tasks<Kokkos::OpenMP>>> tasks;
  for (int thread = 0; thread < 3; ++thread) tasks.push_back(std::make_unique<Tasks<Kokkos::OpenMP>>());
  Kokkos::OpenMP const exec;
  KokkosScan::Handle const handle(exec, KokkosScan::Options{.grid = GridScan::lookback});
  // Kokkos 5 aborts where its own region inside this one would be inactive.
  int const levels = omp_get_max_active_levels();
  omp_set_max_active_levels(2);
  int at_work = 0;
#pragma omp parallel num_threads(3)
  {
#pragma omp single
    at_work           = omp_get_num_threads();
    auto const& mine  = *tasks[static_cast<std::size_t>(omp_get_thread_num())];
    auto const thread = static_cast<unsigned>(omp_get_thread_num());
    mine.run(exec, 20, thread);
    mine.run(handle, 20, thread);
  }
  omp_set_max_active_levels(levels);
  EXPECT_EQ(at_work, 3);
  for (auto const& each : tasks) EXPECT_EQ(each->wrong, 0);
}
#endif

}  // namespace
