// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <memory>

#include "grids.hpp"

// Workers are stopped at every point where the library calls them, for as long as it takes the others to get ahead.
// What the others can do without them they must do; and the result is the same.
namespace {

using namespace concurrency;
using namespace std::chrono_literals;

/// Those whose workers come to one tile after the other.
constexpr Grid in_order[]    = {Grid::hierarchical, Grid::chained, Grid::lookback};
constexpr std::size_t length = 4;
constexpr std::size_t tiles  = 40;
using Inclusive              = Problem<Kind::inclusive, Affine64>;
using Exclusive              = Problem<Kind::exclusive, Affine64>;

// The tests' own atomics are relaxed: they order nothing, so ThreadSanitizer sees a race that the library leaves open.
int add_one(std::atomic<int>& count) { return count.fetch_add(1, std::memory_order_relaxed); }

/// Waits until that many are there. False if it takes so long that they will not come.
bool wait_for(std::atomic<int> const& count, int enough) {
  auto const give_up = std::chrono::steady_clock::now() + 10s;
  while (count.load(std::memory_order_relaxed) < enough) {
    if (std::chrono::steady_clock::now() > give_up) return false;
    std::this_thread::yield();
  }
  return true;
}

template <class P>
void expect_right_when_each_tile_waits_for_the_next_to_be_started(Grid grid, int size) {
  P const problem(length * tiles);
  // A worker reads the first element of its tile after it has looked whether its predecessor is done. So here none is:
  // every single tile must wait.
  std::unique_ptr<std::atomic<int>[]> const started(new std::atomic<int>[tiles + 1] {});
  std::atomic<int> left_alone{0};
  Hooks hooks;
  hooks.at_element = [&](std::size_t i) {
    if (i % length != 0) return;
    std::size_t const tile = i / length;
    started[tile].store(1, std::memory_order_relaxed);
    if (tile + 1 < tiles && !wait_for(started[tile + 1], 1)) add_one(left_alone);
  };
  EXPECT_EQ(problem.by(grid, length, threads(size), hooks), problem.serial());
  EXPECT_EQ(left_alone, 0) << "a worker did not take its tile while another was at work on the one before";
}

TEST(Stalls, each_tile_waits_for_the_next_to_be_started) {
  for (Grid const grid : in_order)
    for (int const size : {2, 3, 7}) {
      SCOPED_TRACE(to_string(grid) + ", " + std::to_string(size) + " threads");
      expect_right_when_each_tile_waits_for_the_next_to_be_started<Inclusive>(grid, size);
      expect_right_when_each_tile_waits_for_the_next_to_be_started<Exclusive>(grid, size);
    }
}

TEST(Stalls, one_tile_waits_until_all_other_workers_hold_later_ones) {
  constexpr int size = 4;
  Inclusive const problem(length * tiles);
  auto const expected = problem.serial();
  for (Grid const grid : in_order)
    for (std::size_t stalled = 0; stalled < tiles; ++stalled) {
      std::atomic<int> later{0};
      std::atomic<int> left_alone{0};
      int const others = std::min(size - 1, static_cast<int>(tiles - 1 - stalled));
      Hooks hooks;
      hooks.at_element = [&](std::size_t i) {
        if (i % length != 0) return;
        if (i / length > stalled) add_one(later);
        if (i / length == stalled && !wait_for(later, others)) add_one(left_alone);
      };
      ASSERT_EQ(problem.by(grid, length, threads(size), hooks), expected) << to_string(grid) << ", tile " << stalled;
      ASSERT_EQ(left_alone, 0) << to_string(grid) << ", tile " << stalled;
    }
}

TEST(Stalls, others_begin_what_a_stopped_worker_would_have_begun) {
  Inclusive const problem(length * tiles);
  auto const expected = problem.serial();
  for (int const size : {2, 3, 7}) {
    std::size_t const started_first = tiles * static_cast<std::size_t>(size - 1) / static_cast<std::size_t>(size);
    for (std::size_t stalled = 0; stalled < started_first; ++stalled) {
      std::atomic<int> started{0}, left_alone{0};
      Hooks hooks;
      hooks.at_element = [&](std::size_t i) {
        if (i % length != 0 || i / length >= started_first) return;
        if (i / length != stalled) add_one(started);
        if (i / length == stalled && !wait_for(started, static_cast<int>(started_first) - 1)) add_one(left_alone);
      };
      ASSERT_EQ(problem.by(Grid::shares, length, threads(size), hooks), expected) << size << ", tile " << stalled;
      ASSERT_EQ(left_alone, 0) << size << " threads, tile " << stalled;
    }
  }
}

TEST(Stalls, at_every_operation) {
  Exclusive const problem(24);
  auto const expected = problem.serial();
  for (Grid const grid : grids) {
    std::atomic<int> operations{0};
    int stalled = -1;
    Hooks hooks;
    hooks.at_operation = [&] {
      if (add_one(operations) == stalled) std::this_thread::sleep_for(300us);
    };
    ASSERT_EQ(problem.by(grid, length, threads(3), hooks), expected);
    int const all = operations;
    ASSERT_GT(all, 24);
    for (stalled = 0; stalled < all; ++stalled) {
      operations = 0;
      ASSERT_EQ(problem.by(grid, length, threads(3), hooks), expected) << to_string(grid) << ", operation " << stalled;
    }
  }
}

TEST(Stalls, a_worker_that_comes_when_all_is_done) {
  Inclusive const problem(length * tiles);
  for (Grid const grid : tiled) {
    // In each of its launches the last worker starts when the others have ended.
    Workers const workers("a late worker", 3, [](Workers::Work const& work) {
      std::thread first([&] { work(0); }), second([&] { work(1); });
      first.join(), second.join();
      work(2);
    });
    EXPECT_EQ(problem.by(grid, length, workers), problem.serial()) << to_string(grid);
  }
}

}  // namespace
