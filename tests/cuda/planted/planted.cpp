// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdint>
#include <cstdio>
#include <string>

#include "cuda/scans.hpp"

// Scans by kernels in which a fault was planted (CMakeLists.txt), under many schedules. The program succeeds if the
// fault was caught in the way that its first argument names: "wrong" or a ModelError of that kind; or, for the kernels
// as they are, if nothing was found ("nothing").
namespace {

using KokkosScan::BlockScan;
using KokkosScan::GridScan;
using KokkosScan::Options;
using test::Affine;
using test::RoomyAffine;
using test::Scans;

std::string found(std::uint64_t seed, model::Start start, unsigned resident) {
  model::Model const model(model::Settings{.seed = seed, .resident = resident, .start = start});
  Scans scans;
  try {
    for (std::uint32_t salt : {1U, 2U, 3U}) {
      for (GridScan const grid : {GridScan::lookback, GridScan::chained, GridScan::hierarchical}) {
        if (!scans.are_right<Affine<std::uint32_t>>({grid, BlockScan::automatic}, 11'000, salt)) return "wrong";
        if (!scans.are_right<Affine<std::uint64_t>>({grid, BlockScan::automatic}, 5'000, salt)) return "wrong";
        if (!scans.are_right<Affine<std::uint8_t>>({grid, BlockScan::automatic}, 11'000, salt)) return "wrong";
      }
      if (!scans.are_right<Affine<std::uint32_t>>({GridScan::lookback, BlockScan::kogge_stone}, 300, salt))
        return "wrong";
      if (salt == 1 &&
          !scans.are_right<Affine<std::uint64_t>>({GridScan::lookback, BlockScan::automatic}, 70'000, salt))
        return "wrong";
      if (!scans.are_right<RoomyAffine>({GridScan::lookback, BlockScan::automatic}, 5'000, salt)) return "wrong";
      // Enough tiles that a block goes through its ring, of arrays that begin at multiples of 16 bytes and between.
      Options const pipelined{.grid = GridScan::pipelined};
      if (!scans.are_right<Affine<std::uint64_t>>(pipelined, 50'001, salt)) return "wrong";
      if (salt == 1 && !scans.are_right<Affine<std::uint32_t>>(pipelined, 100'001, salt, {8, 8})) return "wrong";
    }
    // Tiles that are no power of two, and an exclusive algorithm within three phases.
    using Value = Affine<std::uint32_t>;
    using namespace KokkosScan::cuda;
    if (!scans.are_right_by<Block<Value, block::Blelloch<3>, 96>, Value>(GridScan::lookback, 600, 4)) return "wrong";
    using Phases = block::ThreePhase<block::Blelloch<1>, 3>;
    if (!scans.are_right_by<Block<Value, Phases, 96>, Value>(GridScan::lookback, 600, 4)) return "wrong";
    // One wave: as many tiles as one warp looks at, and more.
    for (std::size_t const tiles : {1, 5, 40}) {
      if (!scans.are_right_in_one_wave<Affine<std::uint32_t>>(tiles, 4)) return "wrong";
      if (!scans.are_right_in_one_wave<Affine<std::uint64_t>>(tiles, 5, {16, 16})) return "wrong";
    }
    // More tiles than one look back covers.
    if (!scans.are_right_in_small_tiles<Affine<std::uint32_t>>(GridScan::lookback, (2 * 32 + 3) * 32, 4))
      return "wrong";
    // The last epoch: the states are cleared behind it, and must know nothing when it comes again.
    for (std::uint32_t salt : {4U, 5U, 6U}) {
      scans.skip_to_the_last_epoch();
      if (!scans.are_right_in_small_tiles<Affine<std::uint32_t>>(GridScan::lookback, 40, salt)) return "wrong";
    }
  } catch (model::ModelError const& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return to_string(error.kind());
  }
  return "nothing";
}

}  // namespace

int main(int count, char** arguments) {
  std::string const expected = count > 1 ? arguments[1] : "";
  int const seeds            = expected == "nothing" ? 5 : 100;
  for (int seed = 0; seed < seeds; ++seed) {
    auto const start          = expected == "deadlock" ? model::Start::descending : model::Start::seeded;
    std::string const outcome = found(static_cast<std::uint64_t>(seed), start, expected == "deadlock" ? 2 : 0);
    if (outcome == "nothing") continue;
    std::printf("seed %d: %s\n", seed, outcome.c_str());
    return outcome == expected ? 0 : 1;
  }
  std::printf("nothing found by %d seeds\n", seeds);
  return expected == "nothing" ? 0 : 1;
}
