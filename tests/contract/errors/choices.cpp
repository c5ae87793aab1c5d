// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan.hpp>
#include <stdexcept>
#include <type_traits>
#include <vector>

#include "thrown.hpp"

// A choice that a backend cannot serve is refused by the Handle, never silently replaced.
namespace {

using namespace contract;
using KokkosScan::BlockScan;
using KokkosScan::GridScan;
using KokkosScan::Options;

using Host     = KokkosScan::Handle<Kokkos::DefaultHostExecutionSpace, KokkosScan::host::Backend, KokkosScan::Options>;
using Portable = KokkosScan::Handle<Exec, KokkosScan::portable::Backend, KokkosScan::Options>;

template <class Handle>
std::string refusal(Options const& options) {
  SCOPED_TRACE(to_string(options.grid) + " x " + to_string(options.block));
  return thrown_by<std::invalid_argument>([&] { Handle({}, options); });
}

TEST(Options, that_the_host_has_not_are_refused) {
  for (BlockScan const block : {BlockScan::warp_shuffle, BlockScan::kogge_stone_global})
    for (GridScan const grid : {GridScan::automatic, GridScan::chained})
      EXPECT_TRUE(says(refusal<Host>({.grid = grid, .block = block}),
                       {"Options::block = " + to_string(block), "host", "three_phase"}));
}

TEST(Options, that_the_portable_backend_has_not_are_refused) {
  for (GridScan const grid : {GridScan::chained, GridScan::lookback})
    EXPECT_TRUE(
        says(refusal<Portable>({.grid = grid}), {"Options::grid = " + to_string(grid), "portable", "hierarchical"}));
  for (BlockScan const block : {BlockScan::serial, BlockScan::warp_shuffle, BlockScan::kogge_stone_global})
    EXPECT_TRUE(says(refusal<Portable>({.block = block}), {"Options::block = " + to_string(block), "portable"}));
}

TEST(Options, hillis_steele_has_no_tiles_and_takes_no_block) {
  for (BlockScan const block : {BlockScan::kogge_stone, BlockScan::kogge_stone_double_buffered, BlockScan::brent_kung,
                                BlockScan::blelloch, BlockScan::three_phase}) {
    Options const both{.grid = GridScan::hillis_steele, .block = block};
    EXPECT_TRUE(says(refusal<Host>(both), {"Options::block = " + to_string(block), "hillis_steele"}));
    EXPECT_TRUE(says(refusal<Portable>(both), {"Options::block = " + to_string(block), "hillis_steele"}));
  }
}

TEST(Options, that_have_no_name_are_refused) {
  EXPECT_THROW(Host({}, {.grid = static_cast<GridScan>(77)}), std::invalid_argument);
  EXPECT_THROW(Host({}, {.block = static_cast<BlockScan>(77)}), std::invalid_argument);
  EXPECT_THROW(Portable({}, {.grid = static_cast<GridScan>(-1)}), std::invalid_argument);
}

TEST(Options, that_a_backend_has_are_taken_as_they_are) {
  auto const take = []<class Handle>(std::type_identity<Handle>, std::vector<GridScan> const& grids,
                                     std::vector<BlockScan> const& blocks) {
    for (GridScan const grid : grids)
      for (BlockScan const block : blocks) {
        Handle const handle({}, {.grid = grid, .block = block});
        EXPECT_EQ(handle.options().grid, grid);
        EXPECT_EQ(handle.options().block, block);
      }
    EXPECT_EQ(Handle({}, {.grid = GridScan::hillis_steele}).options().grid, GridScan::hillis_steele);
  };
  std::vector const networks{BlockScan::automatic,  BlockScan::kogge_stone, BlockScan::kogge_stone_double_buffered,
                             BlockScan::brent_kung, BlockScan::blelloch,    BlockScan::three_phase};
  take(std::type_identity<Portable>(), {GridScan::automatic, GridScan::hierarchical}, networks);
  take(std::type_identity<Host>(), {GridScan::automatic, GridScan::hierarchical, GridScan::chained, GridScan::lookback},
       networks);
  EXPECT_NO_THROW(Host({}, {.block = BlockScan::serial}));
}

}  // namespace
