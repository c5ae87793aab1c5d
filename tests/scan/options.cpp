// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
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
GridScan const all_grids[]   = {GridScan::automatic, GridScan::hillis_steele, GridScan::hierarchical,
                                GridScan::chained,   GridScan::lookback,      GridScan::pipelined};

TEST(Names, round_trip) {
  std::set<std::string> names;
  for (BlockScan const block : all_blocks) {
    EXPECT_EQ(from_string<BlockScan>(to_string(block)), block);
    names.insert(to_string(block));
  }
  EXPECT_EQ(names.size(), std::size(all_blocks));
  names.clear();
  for (GridScan const grid : all_grids) {
    EXPECT_EQ(from_string<GridScan>(to_string(grid)), grid);
    names.insert(to_string(grid));
  }
  EXPECT_EQ(names.size(), std::size(all_grids));
}

TEST(Names, are_those_of_the_enumerators) {
  EXPECT_EQ(to_string(BlockScan::kogge_stone_double_buffered), "kogge_stone_double_buffered");
  EXPECT_EQ(to_string(GridScan::lookback), "lookback");
  EXPECT_EQ(from_string<BlockScan>("brent_kung"), BlockScan::brent_kung);
  EXPECT_EQ(from_string<GridScan>("chained"), GridScan::chained);
}

TEST(Names, unknown) {
  EXPECT_TRUE(says(thrown_by<std::invalid_argument>([] { from_string<BlockScan>("brent-kung"); }),
                   {"brent-kung", "BlockScan", "brent_kung", "blelloch"}));
  EXPECT_TRUE(says(thrown_by<std::invalid_argument>([] { from_string<GridScan>("Chained"); }),
                   {"Chained", "GridScan", "chained", "lookback"}));
  EXPECT_TRUE(says(thrown_by<std::invalid_argument>([] { from_string<GridScan>(""); }), {"''", "GridScan"}));
  // A name of one enumeration is none of the other.
  EXPECT_TRUE(says(thrown_by<std::invalid_argument>([] { from_string<GridScan>("brent_kung"); }), {"brent_kung"}));
}

TEST(Names, of_a_number_that_is_no_enumerator) {
  EXPECT_TRUE(
      says(thrown_by<std::invalid_argument>([] { to_string(static_cast<BlockScan>(99)); }), {"BlockScan", "99"}));
  EXPECT_TRUE(says(thrown_by<std::invalid_argument>([] { to_string(static_cast<GridScan>(-1)); }), {"GridScan", "-1"}));
}

template <class Backend, class Enum, std::size_t count>
bool is_served(Enum const (&served)[count], Enum choice) {
  return std::find(std::begin(served), std::end(served), choice) != std::end(served);
}

/// Each choice that a backend does not have is refused when the Handle is made, in words; each other one is accepted.
template <class Backend>
void expect_choices_checked() {
  using AHandle = Handle<Exec, Backend, Options>;
  for (GridScan const grid : all_grids) {
    auto const make = [&] { AHandle(Exec(), {.grid = grid, .block = BlockScan::automatic}); };
    if (is_served<Backend>(Backend::grids, grid))
      EXPECT_NO_THROW(make()) << to_string(grid);
    else
      EXPECT_TRUE(says(thrown_by<std::invalid_argument>(make), {"Options::grid", to_string(grid), Backend::name}));
  }
  for (BlockScan const block : all_blocks) {
    auto const make = [&] { AHandle(Exec(), {.grid = GridScan::hierarchical, .block = block}); };
    if (is_served<Backend>(Backend::blocks, block))
      EXPECT_NO_THROW(make()) << to_string(block);
    else
      EXPECT_TRUE(says(thrown_by<std::invalid_argument>(make), {"Options::block", to_string(block), Backend::name}));
  }
}

TEST(Options, host_backend) { expect_choices_checked<host::Backend>(); }
TEST(Options, portable_backend) { expect_choices_checked<portable::Backend>(); }

TEST(Options, what_cannot_be_served) {
  using OnHost   = Handle<Exec, host::Backend, Options>;
  using Portable = Handle<Exec, portable::Backend, Options>;
  EXPECT_THROW(OnHost(Exec(), {.block = BlockScan::warp_shuffle}), std::invalid_argument);
  EXPECT_THROW(OnHost(Exec(), {.block = BlockScan::kogge_stone_global}), std::invalid_argument);
  EXPECT_THROW(Portable(Exec(), {.grid = GridScan::chained}), std::invalid_argument);
  EXPECT_THROW(Portable(Exec(), {.grid = GridScan::lookback}), std::invalid_argument);
  EXPECT_THROW(Portable(Exec(), {.block = BlockScan::serial}), std::invalid_argument);
}

/// Hillis-Steele has no tiles, so a block algorithm would silently be ignored.
TEST(Options, hillis_steele_takes_no_block_algorithm) {
  for (BlockScan const block : {BlockScan::serial, BlockScan::brent_kung, BlockScan::three_phase})
    EXPECT_TRUE(says(thrown_by<std::invalid_argument>(
                         [&] { Handle(Exec(), Options{.grid = GridScan::hillis_steele, .block = block}); }),
                     {"hillis_steele", to_string(block), "block"}));
}

}  // namespace
