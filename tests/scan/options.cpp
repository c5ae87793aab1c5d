// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <set>
#include <stdexcept>
#include <string>

#include "support/thrown.hpp"

namespace {

using namespace KokkosScan;
using test::says;
using test::thrown_by;
using Exec = Kokkos::DefaultHostExecutionSpace;

BlockScan const all_blocks[] = {BlockScan::automatic,
                                BlockScan::serial,
                                BlockScan::kogge_stone_global,
                                BlockScan::kogge_stone,
                                BlockScan::kogge_stone_double_buffered,
                                BlockScan::brent_kung,
                                BlockScan::blelloch,
                                BlockScan::three_phase,
                                BlockScan::warp_shuffle};
GridScan const all_grids[]   = {GridScan::automatic, GridScan::hillis_steele, GridScan::hierarchical, GridScan::chained,
                                GridScan::lookback,  GridScan::pipelined,     GridScan::one_wave,     GridScan::shares};

template <class Enum, std::size_t count>
void expect_round_trip(Enum const (&all)[count]) {
  std::set<std::string> names;
  for (Enum const one : all) {
    EXPECT_EQ(from_string<Enum>(to_string(one)), one);
    names.insert(to_string(one));
  }
  EXPECT_EQ(names.size(), count);
}

TEST(Names, round_trip) {
  expect_round_trip(all_blocks);
  expect_round_trip(all_grids);
}

TEST(Names, are_those_of_the_enumerators) {
  EXPECT_EQ(to_string(BlockScan::kogge_stone_double_buffered), "kogge_stone_double_buffered");
  EXPECT_EQ(to_string(GridScan::lookback), "lookback");
  EXPECT_EQ(from_string<BlockScan>("brent_kung"), BlockScan::brent_kung);
  EXPECT_EQ(from_string<GridScan>("chained"), GridScan::chained);
}

TEST(Names, unknown) {
  auto const expect_refused = [](auto const& call, std::initializer_list<std::string> words) {
    EXPECT_TRUE(says(thrown_by<std::invalid_argument>(call), words));
  };
  expect_refused([] { from_string<BlockScan>("brent-kung"); }, {"brent-kung", "BlockScan", "brent_kung", "blelloch"});
  expect_refused([] { from_string<GridScan>("Chained"); }, {"Chained", "GridScan", "chained", "lookback"});
  expect_refused([] { from_string<GridScan>(""); }, {"''", "GridScan"});
  expect_refused([] { from_string<GridScan>("brent_kung"); }, {"brent_kung"});  // of the other enumeration
  expect_refused([] { to_string(static_cast<BlockScan>(99)); }, {"BlockScan", "99"});
  expect_refused([] { to_string(static_cast<GridScan>(-1)); }, {"GridScan", "-1"});
}

template <class Enum>
bool is_one_of(std::initializer_list<Enum> some, Enum one) {
  return std::find(some.begin(), some.end(), one) != some.end();
}

/// A Handle takes the choices that its backend has as they are, and refuses the others in words. Hillis-Steele has no
/// tiles, so a block algorithm would silently be ignored.
template <class Backend>
void expect_checked(std::initializer_list<GridScan> grids, std::initializer_list<BlockScan> blocks) {
  for (GridScan const grid : all_grids)
    for (BlockScan const block : all_blocks) {
      SCOPED_TRACE(to_string(grid) + " x " + to_string(block));
      auto const options = [&] {
        return Handle<Exec, Backend, Options>(Exec(), {.grid = grid, .block = block}).options();
      };
      if (!is_one_of(grids, grid)) {
        EXPECT_TRUE(says(thrown_by<std::invalid_argument>(options),
                         {"Options::grid = " + to_string(grid), Backend::name, "hierarchical"}));
      } else if (!is_one_of(blocks, block)) {
        EXPECT_TRUE(says(thrown_by<std::invalid_argument>(options),
                         {"Options::block = " + to_string(block), Backend::name, "three_phase"}));
      } else if (grid == GridScan::hillis_steele && block != BlockScan::automatic) {
        EXPECT_TRUE(
            says(thrown_by<std::invalid_argument>(options), {"Options::block = " + to_string(block), "hillis_steele"}));
      } else {
        EXPECT_EQ(options().grid, grid);
        EXPECT_EQ(options().block, block);
      }
    }
  EXPECT_THROW((Handle<Exec, Backend, Options>({}, {.grid = static_cast<GridScan>(77)})), std::invalid_argument);
  EXPECT_THROW((Handle<Exec, Backend, Options>({}, {.block = static_cast<BlockScan>(-1)})), std::invalid_argument);
}

TEST(Options, of_the_host) {
  expect_checked<host::Backend>(
      {GridScan::automatic, GridScan::hillis_steele, GridScan::hierarchical, GridScan::chained, GridScan::lookback,
       GridScan::shares},
      {BlockScan::automatic, BlockScan::serial, BlockScan::kogge_stone, BlockScan::kogge_stone_double_buffered,
       BlockScan::brent_kung, BlockScan::blelloch, BlockScan::three_phase});
}

TEST(Options, of_the_portable_backend) {
  expect_checked<portable::Backend>(
      {GridScan::automatic, GridScan::hillis_steele, GridScan::hierarchical},
      {BlockScan::automatic, BlockScan::kogge_stone, BlockScan::kogge_stone_double_buffered, BlockScan::brent_kung,
       BlockScan::blelloch, BlockScan::three_phase});
}

TEST(Options, what_is_named_is_what_hosts_run) {
  using Scan = core::ArrayScan<core::Kind::inclusive, int, core::Contiguous<int const>, core::Contiguous<int>, Sum>;
  using Plan = host::Plan<int>;
  using Grid = Plan::Grid;
  auto const grid = [](GridScan named, std::size_t n) {
    Scan problem{};
    problem.n = n;
    return Plan::of(Exec(), Options{.grid = named}, problem).grid;
  };
  for (std::size_t const n : {std::size_t{1} << 20, std::size_t{1} << 36}) {  // in the caches, and in no memory
    EXPECT_EQ(grid(GridScan::shares, n), Grid::shares);
    EXPECT_EQ(grid(GridScan::chained, n), Grid::chained);
    EXPECT_EQ(grid(GridScan::lookback, n), Grid::lookback);
    EXPECT_EQ(grid(GridScan::hierarchical, n), Grid::hierarchical);
    EXPECT_EQ(grid(GridScan::hillis_steele, n), Grid::hillis_steele);
  }
  EXPECT_EQ(grid(GridScan::automatic, std::size_t{1} << 36), Grid::chained);
}

/// An array that goes in a chain of tiles has the scratch of a chain, however long it is. Only where code of the user's
/// takes the result are integers in shares whatever their number, of which each tile has a record.
TEST(Options, long_scans_of_views_take_the_scratch_of_a_chain) {
  auto const scratch = []<class Value>(Value, std::size_t n) {
    core::ArrayScan<core::Kind::inclusive, Value, core::Contiguous<Value const>, core::Contiguous<Value>, Sum> scan{};
    scan.n          = n;
    auto const plan = host::Plan<Value>::of(Exec(), core::Automatic{}, scan);
    EXPECT_EQ(plan.grid, host::Plan<Value>::Grid::chained);
    EXPECT_LE(plan.needs.scratch, host::Backend::needs<Value>(Exec(), core::Automatic{}, n).scratch);
    return plan.needs.scratch;
  };
  constexpr std::size_t n = std::size_t{1} << 36;
  EXPECT_EQ(scratch(int(), n), scratch(int(), n / 16));
  EXPECT_EQ(scratch(std::int64_t(), n), scratch(std::int64_t(), n / 16));
  EXPECT_EQ(scratch(int(), n), scratch(float(), n));
}

/// A backend whose device has not what one of the grid algorithms needs.
struct Small : portable::Backend {
  static char const* lacks(Exec const&, GridScan grid) {
    return grid == GridScan::hierarchical ? "a second floor" : nullptr;
  }
};

TEST(Options, that_a_device_cannot_serve_say_what_it_lacks) {
  auto const choose = [](GridScan grid) { return Handle<Exec, Small, Options>(Exec(), {.grid = grid}); };
  EXPECT_NO_THROW(choose(GridScan::hillis_steele));
  EXPECT_TRUE(says(thrown_by<std::invalid_argument>([&] { choose(GridScan::hierarchical); }),
                   {"Options::grid = hierarchical", "this device; it needs a second floor"}));
}

}  // namespace
