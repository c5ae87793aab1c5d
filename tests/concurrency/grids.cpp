// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "grids.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "../support/random.hpp"

// Whatever the workers, the result is the serial one, in every bit.
namespace {

using namespace concurrency;

constexpr int team_sizes[] = {1, 2, 3, 7, 16};

/// Offers the core to another worker at the beginning of each tile of 16, or else one would scan all before the next
/// is awake.
Hooks const taking_turns{[](std::size_t i) {
                           if (i % 16 == 0) std::this_thread::yield();
                         },
                         {}};

template <class F>
void for_each_problem(std::size_t n, F const& f) {
  for (TileBy const by : tile_by_all) {
    f(Problem<Kind::inclusive, Bicyclic>(n, true, by));
    f(Problem<Kind::exclusive, Bicyclic>(n, true, by));
    f(Problem<Kind::inclusive, Affine64>(n, false, by));
    f(Problem<Kind::exclusive, Affine64>(n, true, by));
    f(Problem<Kind::inclusive, Affine64>(n, true, by, true));
    f(Problem<Kind::exclusive, Bicyclic>(n, true, by, true));
  }
}

TEST(Grids, are_right_with_any_number_of_threads) {
  int const most = test::repetitions_up_to(3);
  for_each_problem(16 * 200 + 5, [most](auto const& problem) {
    auto const expected = problem.serial();
    for (int const size : team_sizes)
      for (Grid const grid : grids)
        // Hillis-Steele starts its workers 14 times, and nobody waits for anybody.
        for (int repetition = 0; repetition < (grid == Grid::hillis_steele ? 1 : most); ++repetition)
          ASSERT_EQ(problem.by(grid, 16, threads(size), taking_turns), expected)
              << to_string(grid) << ", " << size << " threads";
  });
}

TEST(Grids, are_right_at_every_edge_of_a_tile) {
  for (std::size_t const n : {1U, 2U, 3U, 4U, 5U, 7U, 8U, 9U, 12U, 13U, 24U, 31U})
    for_each_problem(n, [&](auto const& problem) {
      auto const expected = problem.serial();
      for (std::size_t const length : {1U, 4U, 11U})
        for (Grid const grid : grids)
          ASSERT_EQ(problem.by(grid, length, threads(3)), expected) << to_string(grid) << ", " << n << " elements";
    });
}

TEST(Grids, are_right_with_workers_in_any_order_one_after_the_other) {
  for_each_problem(80, [](auto const& problem) {
    auto const expected = problem.serial();
    std::vector<int> order(4);
    std::iota(order.begin(), order.end(), 0);
    do
      for (Grid const grid : grids)
        ASSERT_EQ(problem.by(grid, 8, in_turn(order)), expected) << to_string(grid) << ", " << in_turn(order).name();
    while (std::next_permutation(order.begin(), order.end()));
  });
}

TEST(Grids, round_alike_with_any_workers_by_any_algorithm) {
  for (std::size_t const n : {1000U, 16U * 77U})
    for (TileBy const by : tile_by_all) {
      Problem<Kind::inclusive, Rounded> const problem(n, true, by);
      auto const expected = problem.by(Grid::chained, 16, in_turn({0}));
      EXPECT_FALSE(expected == problem.serial()) << "these sums do not show a difference in the grouping";
      EXPECT_TRUE(expected.values.back() == expected.total) << "the last result and the total are the same sum";
      for (int const size : team_sizes)
        for (int repetition = 0; repetition < 5; ++repetition)
          for (Grid const grid : tiled)
            ASSERT_EQ(problem.by(grid, 16, threads(size), taking_turns), expected)
                << to_string(grid) << ", " << size << " threads";
    }
  Problem<Kind::inclusive, Rounded> const problem(1000);
  auto const doubling = problem.by(Grid::hillis_steele, 16, in_turn({0}));
  for (int const size : team_sizes) ASSERT_EQ(problem.by(Grid::hillis_steele, 16, threads(size)), doubling);
}

struct Numbers {
  int operator()(std::size_t i) const { return static_cast<int>(i) + 1; }
};
struct Calls {
  std::vector<int>* calls;
  std::vector<int>* results;
  void operator()(std::size_t i, int result) const {
    ++(*calls)[i];
    (*results)[i] = result;
  }
};

TEST(ChainTiles, store_each_result_once) {
  using namespace KokkosScan::host;
  using KokkosScan::core::Tile;
  using From = KokkosScan::core::FromIndex<int, Numbers>;
  using To   = KokkosScan::core::ToFunction<Kind::inclusive, int, Calls>;
  for (std::size_t n = 1; n <= 70; ++n)
    for (int const prefix : {0, 100}) {
      std::vector<int> calls(n), results(n), expected(n);
      for (std::size_t i = 0; i < n; ++i) expected[i] = prefix + static_cast<int>((i + 1) * (i + 2) / 2);
      using Scan = KokkosScan::core::Problem<int, From, KokkosScan::Sum, To>;
      Scan const scan{{{}}, {{&calls, &results}}, n, {}, {}, nullptr};
      Maybe<int> const before = prefix ? Maybe<int>(prefix) : Maybe<int>();
      ChainTile<Scan, 2 * chains> const tiles{scan, simd::Store::cached};
      EXPECT_EQ(tiles.scan_tile(0, Tile{0, n}, before), expected.back());
      EXPECT_EQ(results, expected) << n;
      EXPECT_EQ(calls, std::vector<int>(n, 1)) << n << " elements";
    }
}

}  // namespace
