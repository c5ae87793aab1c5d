// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <atomic>

#include "grids.hpp"

// An operator or an input that throws, at any point of any algorithm: the caller gets its exception, every worker comes
// out, also those that waited for what the thrower held, and the next scan is right.
namespace {

using namespace concurrency;

struct Thrown {
  std::size_t at;
};

constexpr std::size_t length = 16, tiles = 30, n = length * tiles + 5;

/// Runs a problem with hooks of which one throws, and once more without. Returns whether it threw.
template <class P>
bool expect_thrown(P const& problem, Grid grid, Workers const& workers, Hooks const& hooks, std::size_t at) {
  bool thrown = false;
  try {
    problem.by(grid, length, workers, hooks);
  } catch (Thrown const& exception) {
    thrown = true;
    EXPECT_EQ(exception.at, at);
  }
  EXPECT_EQ(problem.by(grid, length, workers), problem.serial()) << "the scan behind one that threw";
  return thrown;
}

std::vector<Workers> all_workers() { return {in_turn({0}), in_turn({2, 0, 1}), threads(3)}; }

template <class F>
void for_each_scan(F const& f) {
  for (TileBy const by : tile_by_all)
    for (Workers const& workers : all_workers())
      for (Grid const grid : grids) {
        SCOPED_TRACE(to_string(grid) + ", " + workers.name());
        f(Problem<Kind::inclusive, Affine64>(n, true, by), grid, workers);
        f(Problem<Kind::exclusive, Affine64>(n, true, by, true), grid, workers);
        if (testing::Test::HasFailure()) return;
      }
}

TEST(Throwing, an_input_of_any_tile) {
  for_each_scan([](auto const& problem, Grid grid, Workers const& workers) {
    for (std::size_t const at : {std::size_t{0}, length / 2, 3 * length, tiles / 2 * length + 1, n - 1}) {
      Hooks const hooks{[at](std::size_t i) {
                          if (i % length == 0) std::this_thread::yield();
                          if (i == at) throw Thrown{at};
                        },
                        {}};
      EXPECT_TRUE(expect_thrown(problem, grid, workers, hooks, at)) << "element " << at;
    }
  });
}

TEST(Throwing, the_operator_at_any_time) {
  for_each_scan([](auto const& problem, Grid grid, Workers const& workers) {
    for (std::size_t at = 0; at < 3 * n; at = 4 * at + 1) {
      std::atomic<std::size_t> operations{0};
      Hooks const hooks{{}, [&] {
                          if (operations.fetch_add(1, std::memory_order_relaxed) == at) throw Thrown{at};
                        }};
      EXPECT_TRUE(expect_thrown(problem, grid, workers, hooks, at) || operations <= at) << "operation " << at;
    }
  });
}

/// All of them at once: the caller gets one.
TEST(Throwing, every_worker) {
  for_each_scan([](auto const& problem, Grid grid, Workers const& workers) {
    Hooks const hooks{{}, [] { throw Thrown{7}; }};
    EXPECT_TRUE(expect_thrown(problem, grid, workers, hooks, 7));
  });
}

}  // namespace
