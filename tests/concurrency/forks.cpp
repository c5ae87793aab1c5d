// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <thread>

#include "assumed_forks.hpp"

// Whether several threads or one work depends on what a launch takes: the choice, and the measurement.
namespace {

using namespace KokkosScan;
using host::Forks;
using host::Shared;
using Exec = Kokkos::DefaultHostExecutionSpace;
using test::AssumeFork;
using test::at_once;
using test::never;
using test::Unknown;

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
  bool const by_kernels      = scanner == host::Scanner::simd;
  std::size_t const one_tile = by_kernels ? tile : 4 * host::short_tile_bytes / sizeof(Value);
  EXPECT_EQ(planned_workers<Value>(one_tile, at_once, op, scanner), 1);
  EXPECT_EQ(planned_workers<Value>(one_tile + 1, at_once, op, scanner), by_kernels ? 2 : std::min(workers, 5));
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

}  // namespace
