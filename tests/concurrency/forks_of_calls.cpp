// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <latch>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>
#ifdef KOKKOS_ENABLE_OPENMP
#include <omp.h>
#endif

#include "assumed_forks.hpp"
#include "support/thrown.hpp"

// Calls measure what a launch takes where several tiles are to be shared, and not before; and no bit of a result
// depends on whether several threads or one work.
namespace {

using namespace KokkosScan;
using Exec = Kokkos::DefaultHostExecutionSpace;
using test::AssumeFork;
using test::at_once;
using test::never;
using test::Unknown;
using Values = Kokkos::View<float*, Exec>;

TEST(ForksOfCalls, are_not_measured_before_a_scan_of_several_tiles) {
  AssumeFork const measured(std::nullopt);
  int const threads = Exec().concurrency();
  auto const known  = [&] { return host::forks_of<Exec>.known(threads); };
  if (known() > 0) GTEST_SKIP() << "measured before";
  std::size_t const tile = host::tile_length(BlockScan::automatic, sizeof(float));
  Values const from("from", 2 * tile), dest("dest", 2 * tile);
  auto const scan = [&](std::size_t n) {
    auto const part = std::pair<std::size_t, std::size_t>(0, n);
    inclusive_scan(Exec(), Kokkos::subview(from, part), Kokkos::subview(dest, part));
  };
  for (std::size_t const n : {std::size_t{0}, std::size_t{1}, tile}) scan(n);
  Handle(Exec()).reserve<float>(2 * tile);
  EXPECT_EQ(known(), 0);
#ifdef KOKKOS_ENABLE_OPENMP
  double within = -1;
#pragma omp parallel num_threads(1)
  scan(2 * tile);
  // In regions within which others may start, calls have threads of their own.
  int const levels = omp_get_max_active_levels();
  omp_set_max_active_levels(levels + 1);
#pragma omp parallel num_threads(1)
  within = host::fork_seconds(Kokkos::OpenMP());
  omp_set_max_active_levels(levels);
  EXPECT_EQ(within, 0);
  EXPECT_EQ(known(), 0) << "within a region";
#endif
  Kokkos::parallel_for(Kokkos::RangePolicy<Exec>(0, 1), [&](int) { scan(2 * tile); });
  EXPECT_EQ(known(), 0) << "within a kernel";
#ifdef KOKKOS_ENABLE_OPENMP
  std::latch is_locked(1), is_seen(1);
  std::thread other([&] {
    std::unique_lock const kernel(*exec::mutex_of(Kokkos::OpenMP()));
    is_locked.count_down();
    is_seen.wait();
  });
  is_locked.wait();
  EXPECT_EQ(host::fork_seconds(Kokkos::OpenMP()), 0) << "behind another thread's kernel";
  is_seen.count_down();
  other.join();
#endif
  scan(tile + 1);
  double const once = known();
  EXPECT_EQ(once > 0, threads > 1);
  scan(2 * tile);
  EXPECT_EQ(known(), once);
}

/// What a call leaves in an array, as bytes.
template <class View>
std::string bytes_of(View const& view) {
  return {reinterpret_cast<char const*>(view.data()), view.span() * sizeof(*view.data())};
}
template <class T>
Kokkos::View<T*, Exec> numbers(std::size_t n, T scale) {
  Kokkos::View<T*, Exec> const values("values", n);
  std::uint64_t x = 12345;
  for (std::size_t i = 0; i < n; ++i) {
    x         = x * 6364136223846793005U + 1442695040888963407U;
    values(i) = static_cast<T>(static_cast<T>(x >> 40) * scale);
  }
  return values;
}

/// Every kind of work that threads share on hosts: f(name, what it leaves).
template <class F>
void for_every_kind(F const& f) {
  constexpr std::size_t n = 300007;
  auto const floats = numbers<float>(n, 0.37F), small = numbers<float>(n, 1e-8F);
  auto const integers = numbers<int>(n, 1);
  auto const is_odd   = [](int value) { return value % 2 != 0; };
  Exec const exec;

  Values const to("to", n);
  auto const floats_of = [&](char const* name) { f(name, bytes_of(to)); };
  inclusive_scan(exec, floats, to);
  floats_of("kernels");
  exclusive_scan(exec, floats, to, 1.0F, Unknown());
  floats_of("chains");
  inclusive_scan_by_key(exec, integers, floats, to);
  floats_of("by key");
  window_scan(exec, floats, to, Window{40, 3}, Sum());
  floats_of("windows");
  linear_recurrence(exec, small, floats, to, 1.0F);
  floats_of("recurrences");
  using Rows = Kokkos::View<float**, Kokkos::LayoutRight, Exec>;
  inclusive_scan(exec, Rows(floats.data(), 500, 600), Rows(to.data(), 500, 600), Axis{1});
  floats_of("lines");

  std::size_t count = 0;
  Kokkos::View<int*, Exec> const whole("whole", n);
  auto const integers_of = [&](char const* name) {
    f(name, bytes_of(whole));
    Kokkos::deep_copy(whole, integers);
  };
  inclusive_scan(exec, integers, whole, Unknown());
  integers_of("serial");
  stable_partition(exec, whole, is_odd, Total{count});
  integers_of("in place");
  sort(exec, whole);
  integers_of("digits");
  sort(exec, whole, [](int a, int b) { return a > b; });
  integers_of("merges");
  copy_if(exec, integers, whole, is_odd, Total{count});
  integers_of("marks");
  histogram(exec, floats, Kokkos::subview(whole, std::pair<int, int>(0, 100)), 0.0, 1e7);
  integers_of("counts");
}

TEST(ForksOfCalls, change_no_bit) {
  std::vector<std::pair<std::string, std::string>> by_one;
  {
    AssumeFork const assumed(never);
    for_every_kind([&](char const* name, std::string const& result) { by_one.emplace_back(name, result); });
  }
  AssumeFork const assumed(at_once);
  std::size_t k = 0;
  for_every_kind([&](char const* name, std::string const& result) {
    EXPECT_EQ(by_one[k].first, name);
    EXPECT_TRUE(by_one[k++].second == result) << name;
  });
}

/// How many threads call the operator of a sum of so many floats. Each rests at its first call, so that those that wake
/// late find work as well.
std::size_t threads_for_sum_of(std::size_t n) {
  Values const from("from", n), dest("dest", n);
  std::mutex mutex;
  std::set<std::thread::id> threads;
  inclusive_scan(Exec(), from, dest, [&](float left, float right) {
    bool const is_first = [&] {
      std::lock_guard const lock(mutex);
      return threads.insert(std::this_thread::get_id()).second;
    }();
    if (is_first) std::this_thread::sleep_for(std::chrono::milliseconds(2));
    return left + right;
  });
  return threads.size();
}

/// The same, in three calls or until so many threads took part: on a machine that is busy one may come to a call when
/// all of it is done.
std::size_t threads_for_sum_of(std::size_t n, std::size_t expected) {
  std::size_t most = 0;
  for (int call = 0; call < 3 || (call < 200 && most < expected); ++call) most = std::max(most, threads_for_sum_of(n));
  return most;
}

TEST(ForksOfCalls, give_parts_of_short_arrays_to_several_threads) {
  AssumeFork const assumed(at_once);
  auto const all         = static_cast<std::size_t>(Exec().concurrency());
  std::size_t const tile = host::short_tile_bytes / sizeof(float);
  auto const expect      = [](std::size_t n, std::size_t threads) {
    EXPECT_EQ(threads_for_sum_of(n, threads), threads) << n << " elements";
  };
  expect(4 * tile, 1);
  expect(4 * tile + 1, std::min<std::size_t>(all, 5));
  expect(32 * tile, std::min<std::size_t>(all, 32));  // long tiles would be four
  expect(64 * tile, std::min<std::size_t>(all, 64));
  expect(64 * tile + 1, std::min<std::size_t>(all, 9));
}

TEST(ForksOfCalls, carry_what_an_operator_throws) {
  auto const values = numbers<int>(200000, 1), to = numbers<int>(200000, 1);
  int const last = values(199990);
  for (double const fork : {never, at_once}) {
    AssumeFork const assumed(fork);
    auto const op = [last](int left, int right) {
      if (right == last) throw std::runtime_error("enough");
      return left ^ right;
    };
    EXPECT_EQ(test::thrown_by<std::runtime_error>([&] { inclusive_scan(Exec(), values, to, op); }), "enough");
  }
}

}  // namespace
