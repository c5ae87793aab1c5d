// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <latch>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>
#ifdef KOKKOS_ENABLE_OPENMP
#include <omp.h>
#endif

#include "support/thrown.hpp"

// Whether several threads or one work depends on what a launch takes: the measurement, the choice, and that no bit of a
// result depends on it.
namespace {

using namespace KokkosScan;
using host::Forks;
using host::Shared;
using Exec = Kokkos::DefaultHostExecutionSpace;

/// As long as it lives, launches are taken to take so many seconds, or are measured.
class AssumeFork {
 public:
  explicit AssumeFork(std::optional<double> seconds) { host::assume_fork(seconds); }
  AssumeFork(AssumeFork const&)            = delete;
  AssumeFork& operator=(AssumeFork const&) = delete;
  ~AssumeFork() { host::assume_fork(before_); }

 private:
  std::optional<double> before_ = host::assumed_fork();
};
constexpr double never = 1e9, at_once = 0;

// ---------------------------------------------------------------- the choice

TEST(Forks, pay_if_several_workers_are_done_first) {
  // What a launch of work takes, in launches of nothing.
  auto const pays = [](Shared const& work, int workers, double seconds_of_launch) {
    return host::pays(work, workers, seconds_of_launch / host::forks_of_nothing);
  };
  Shared const plain{.seconds = 8, .parts = 16};
  EXPECT_FALSE(pays(plain, 2, 4));  // 4 + 8 / 2
  EXPECT_TRUE(pays(plain, 2, 3.99));
  EXPECT_FALSE(pays(plain, 16, 7.5));  // 7.5 + 8 / 16
  EXPECT_TRUE(pays(plain, 16, 7.49));
  EXPECT_FALSE(pays(plain, 15, 7));  // somebody has two of them
  EXPECT_TRUE(pays(plain, 15, 6.99));
  Shared const twice_read{.seconds = 8, .parts = 4, .read_again = 0.5};
  EXPECT_FALSE(pays(twice_read, 4, 5));  // 5 + 2 + 1
  EXPECT_TRUE(pays(twice_read, 4, 4.99));
  EXPECT_FALSE(pays(twice_read, 2, 3));  // 3 + 4 + 1: the last two are read once
  EXPECT_TRUE(pays(twice_read, 2, 2.99));
  Shared const thrice{.seconds = 8, .parts = 4, .launches = 3};
  EXPECT_FALSE(pays(thrice, 4, 2));  // 6 + 8 / 4
  EXPECT_TRUE(pays(thrice, 4, 1.99));
  for (std::size_t parts = 2; parts < 40; ++parts)
    for (int workers = 2; workers <= static_cast<int>(parts); ++workers)
      EXPECT_TRUE(pays({.seconds = 1, .parts = parts, .read_again = host::share_of_reduction}, workers, at_once));
  EXPECT_FALSE(pays({.seconds = 1, .parts = 1000}, 1000, never));
}

TEST(Forks, take_all_threads_or_none) {
  int const threads = Exec().concurrency();
  auto const of     = [](double fork, std::size_t parts) {
    AssumeFork const assumed(fork);
    return host::workers_for(Exec(), {.seconds = 1, .parts = parts});
  };
  EXPECT_EQ(of(at_once, 0), 1);
  EXPECT_EQ(of(at_once, 1), 1);
  EXPECT_EQ(of(at_once, 2), std::min(threads, 2));
  EXPECT_EQ(of(at_once, 1000), threads);
  EXPECT_EQ(of(never, 1000), 1);
  double const saved = (1 - 1.0 / threads) / host::forks_of_nothing;
  EXPECT_EQ(of(saved * 1.01, 1000 * static_cast<std::size_t>(threads)), 1);
  EXPECT_EQ(of(saved * 0.99, 1000 * static_cast<std::size_t>(threads)), threads);
}

template <class Value, class Op>
int planned_workers(std::size_t n, double fork, Op, host::Scanner scanner, Options const& options = {}) {
  AssumeFork const assumed(fork);
  core::ArrayScan<core::Kind::inclusive, Value, core::Contiguous<Value const>, core::Contiguous<Value>, Op> scan{};
  scan.n          = n;
  auto const plan = host::Plan<Value>::of(Exec(), options, scan);
  if (n > plan.tiles.length) {
    EXPECT_EQ(plan.scanner, scanner);
  }
  // What is reserved serves whatever a launch takes.
  EXPECT_LE(plan.needs.scratch, host::Backend::needs<Value>(Exec(), options, n).scratch);
  return plan.workers;
}

struct Unknown {
  template <class T>
  KOKKOS_FUNCTION T operator()(T const& left, T const& right) const {
    if constexpr (std::is_integral_v<T>) {
      using Unsigned = std::make_unsigned_t<T>;  // sums of many wrap around
      return static_cast<T>(static_cast<Unsigned>(left) + static_cast<Unsigned>(right));
    } else {
      return left + right;
    }
  }
};

/// What several workers take for nine tiles, in those that one takes: their own, and those that each reduces before.
double tiles_of_several(int workers) {
  switch (workers) {
    case 2: return 5 + 2 * host::share_of_reduction;
    case 3: return 3 + 2 * host::share_of_reduction;
    case 7: return 2 + 1 * host::share_of_reduction;
    default: return 0;
  }
}

template <class Value, class Op>
void expect_cut_over(double seconds_of_one, Op op, host::Scanner scanner) {
  std::size_t const tile = host::tile_length(BlockScan::automatic, sizeof(Value)), n = 9 * tile;
  int const workers  = Exec().concurrency();
  double const saved = 1 - tiles_of_several(workers) / 9;
  double const fork  = seconds_of_one * static_cast<double>(n) * saved / host::forks_of_nothing;
  EXPECT_EQ(planned_workers<Value>(n, fork * 1.001, op, scanner), 1);
  EXPECT_EQ(planned_workers<Value>(n, fork * 0.999, op, scanner), workers);
  EXPECT_EQ(planned_workers<Value>(n / 2, fork * 0.999, op, scanner), 1);
  EXPECT_EQ(planned_workers<Value>(4 * n, fork, op, scanner), workers);
  EXPECT_EQ(planned_workers<Value>(tile, at_once, op, scanner), 1);
  EXPECT_EQ(planned_workers<Value>(tile + 1, at_once, op, scanner), 2);
}

TEST(Forks, plans_have_as_many_workers_as_are_done_first) {
  if (tiles_of_several(Exec().concurrency()) == 0) GTEST_SKIP() << "for 2, 3 or 7 threads";
  using host::Scanner;
  expect_cut_over<float>(4 * host::seconds_by_kernels, Sum(), Scanner::simd);
  expect_cut_over<std::uint8_t>(host::seconds_by_kernels, Max(), Scanner::simd);
  expect_cut_over<double>(host::seconds_of_element + 8 * host::seconds_of_byte, Unknown(), Scanner::chain);
  expect_cut_over<int>(host::seconds_of_element + 4 * host::seconds_of_byte, Unknown(), Scanner::serial);
  for (GridScan const grid : {GridScan::shares, GridScan::chained, GridScan::lookback, GridScan::hierarchical})
    EXPECT_EQ(planned_workers<float>(1 << 20, never, Sum(), Scanner::simd, {.grid = grid}), 1) << to_string(grid);
}

// ---------------------------------------------------------------- the measurement

double fake_time = 0;  // sums of powers of two, which are exact
double fake_now() { return fake_time; }

TEST(Forks, are_measured_once_for_each_number_of_threads) {
  Forks forks;
  int launches     = 0;
  auto const takes = [&](double seconds) {
    return [&, seconds] {
      ++launches;
      fake_time += launches % 3 == 0 ? 50 * seconds : seconds;  // now and then something comes between
    };
  };
  EXPECT_EQ(forks.known(4), 0);
  EXPECT_EQ(forks.measured(4, takes(0x1p-18), fake_now), 0x1p-18);
  EXPECT_GE(launches, 4);  // the first is not timed
  int const before = launches;
  EXPECT_EQ(forks.measured(4, takes(0x1p-16), fake_now), 0x1p-18);
  EXPECT_EQ(launches, before);
  EXPECT_EQ(forks.measured(8, takes(0x1p-17), fake_now), 0x1p-17);
  EXPECT_GT(launches, before);
  EXPECT_EQ(forks.known(4), 0x1p-18);
  EXPECT_EQ(forks.known(8), 0x1p-17);
  EXPECT_EQ(forks.known(16), 0);
}

TEST(Forks, are_measured_a_few_times_where_they_take_long) {
  Forks forks;
  int launches = 0;
  EXPECT_EQ(forks.measured(
                2,
                [&] {
                  ++launches;
                  fake_time += 0.25;
                },
                fake_now),
            0.25);
  EXPECT_EQ(launches, 4);
}

TEST(Forks, of_a_measurement_that_failed_may_be_measured_again) {
  Forks forks;
  EXPECT_THROW(forks.measured(3, [] { throw std::runtime_error("no threads"); }, fake_now), std::runtime_error);
  EXPECT_EQ(forks.known(3), 0);
  EXPECT_EQ(forks.measured(3, [] { fake_time += 0x1p-20; }, fake_now), 0x1p-20);
}

TEST(Forks, are_unknown_while_another_thread_measures) {
  Forks forks;
  auto const takes_1 = [] { fake_time += 1; };
  double meanwhile = -1, of_others = -1;
  double const own = forks.measured(
      2,
      [&] {
        takes_1();
        if (meanwhile < 0) std::thread([&] { meanwhile = forks.measured(2, takes_1, fake_now); }).join();
        if (of_others < 0) std::thread([&] { of_others = forks.measured(3, takes_1, fake_now); }).join();
      },
      fake_now);
  EXPECT_EQ(own, 1);
  EXPECT_EQ(meanwhile, 0);
  EXPECT_EQ(of_others, 0);
  EXPECT_EQ(forks.known(3), 0);
}

TEST(Forks, of_more_numbers_than_there_is_room_for_stay_unknown) {
  Forks forks;
  int launches    = 0;
  auto const take = [&] { fake_time += 1e-6 * ++launches; };
  for (int threads = 1; threads <= 40; ++threads) forks.measured(threads, take, fake_now);
  EXPECT_GT(forks.known(32), 0);
  EXPECT_EQ(forks.known(33), 0);
  int const before = launches;
  EXPECT_EQ(forks.measured(33, take, fake_now), 0);
  EXPECT_EQ(launches, before);
}

// ---------------------------------------------------------------- scans

using Values = Kokkos::View<float*, Exec>;

TEST(Forks, are_not_measured_before_a_scan_of_several_tiles) {
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

TEST(Forks, change_no_bit) {
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

TEST(Forks, carry_what_an_operator_throws) {
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
