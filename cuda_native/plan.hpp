// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>
#include "../src/core/memory.hpp"
#include "../src/core/operators.hpp"
#include "../src/core/options.hpp"

#include "grid/chained.hpp"
#include "grid/hierarchical.hpp"
#include "grid/hillis_steele.hpp"
#include "grid/lookback.hpp"
#include "grid/one_wave.hpp"
#include "grid/pipelined.hpp"
#include "grid/reduction.hpp"
#include "marked_tile.hpp"

// Which algorithm a scan is run by, and what memory it needs.
namespace KokkosScan::cuda {

inline constexpr GridScan grid_algorithms[]   = {GridScan::automatic, GridScan::hillis_steele, GridScan::hierarchical,
                                                 GridScan::chained,   GridScan::lookback,      GridScan::pipelined,
                                                 GridScan::one_wave};
inline constexpr BlockScan block_algorithms[] = {BlockScan::automatic,   BlockScan::kogge_stone_global,
                                                 BlockScan::kogge_stone, BlockScan::kogge_stone_double_buffered,
                                                 BlockScan::brent_kung,  BlockScan::blelloch,
                                                 BlockScan::three_phase, BlockScan::warp_shuffle};

using core::Memory;
using core::Needs;

/// Calls f(Block{}) with the block algorithm of a choice. One that leaves everything open compiles one.
template <class Value, class Choice, class F>
decltype(auto) with_block_of(Choice const& choice, F&& f) {
  if constexpr (std::is_same_v<Choice, Options>)
    return with_block<Value>(choice.block, f);
  else
    return f(ThreePhaseBlock<Value>{});
}

template <class Value, class Choice>
std::size_t tile_length(Choice const& choice) {
  if (choice.grid == GridScan::pipelined) return pipelined::Shape<Value>::tile;
  if (choice.grid == GridScan::one_wave) return std::size_t{one_wave_units} * one_wave::Shape<Value>::unit;
  return with_block_of<Value>(choice, [](auto block) { return std::size_t(decltype(block)::tile_length); });
}

/// How many values a grid algorithm scans at most; none where it does not serve their type.
template <class Value>
constexpr std::size_t most_values(GridScan grid) {
  return grid == GridScan::one_wave ? one_wave::most_values<Value> : static_cast<std::size_t>(-1);
}

/// What a scan of n > 0 values needs, and what is kept of each.
template <class Value, class Kept = Value, class Choice>
Needs needs(Choice const& choice, std::size_t n) {
  if (choice.grid == GridScan::hillis_steele)
    return {.scratch = core::bytes_of(hillis_steele::scratch_values(n), sizeof(Value))};
  constexpr std::size_t tile       = std::min(pipelined::Shape<Value>::tile, pipelined::Shape<Kept>::tile);
  std::size_t const pipeline_slots = TileSpans<Value>::slots(Tiles{n, tile}.count());
  if (choice.grid == GridScan::pipelined) return {.scratch = 0, .states = States::bytes(pipeline_slots)};
  if (choice.grid == GridScan::one_wave) return {.scratch = 0, .states = States::bytes(one_wave_tiles)};
  return with_block_of<Value>(choice, [&](auto block) -> Needs {
    using Block              = decltype(block);
    std::size_t const tiles  = Tiles{n, Block::tile_length}.count();
    std::size_t const staged = Block::staged_values(tiles);
    if (choice.grid == GridScan::hierarchical)
      return {.scratch = core::bytes_of(staged + hierarchical::scratch_values<Block>(n), sizeof(Value))};
    // Automatic may be any of three; which of them needs most depends on the type.
    std::size_t slots = Groups<Value>::slots(tiles);
    if (choice.grid == GridScan::automatic) slots = std::max({slots, pipeline_slots, std::size_t{one_wave_tiles}});
    return {core::bytes_of(staged, sizeof(Value)), States::bytes(slots)};
  });
}

/// How a scan is run, decided once: what memory it needs and what is launched both read it.
struct Plan {
  enum class Grid { hillis_steele, hierarchical, chained, lookback, one_wave, pipelined, reduction };

  Grid grid                = Grid::lookback;
  BlockScan block          = BlockScan::automatic;
  bool by_marks            = false;  // tiles are of marks
  bool makes_boundaries    = false;  // of segments, as it goes
  std::size_t tile         = 0;      // its length; 0 where there are none
  one_wave::Partition wave = {};
  Needs needs              = {};
  char const* reason       = "nothing to do";
};

inline std::string to_string(Plan const& plan) {
  constexpr char const* names[] = {"hillis_steele", "hierarchical", "chained",  "lookback",
                                   "one_wave",      "pipelined",    "reduction"};
  return std::string(names[static_cast<int>(plan.grid)]) + " with block " +
         (plan.by_marks ? "of marks" : to_string(plan.block)) + ", tiles of " + std::to_string(plan.tile) + ", " +
         std::to_string(plan.needs.scratch) + " bytes of scratch and " + std::to_string(plan.needs.states) +
         " of states: " + plan.reason;
}

/// In one wave.
template <class Kept>
Plan one_wave_plan(std::size_t n, Plan plan, char const* reason) {
  plan.grid   = Plan::Grid::one_wave;
  plan.wave   = one_wave::Partition::of<Kept>(n);
  plan.tile   = plan.wave.tile<Kept>();
  plan.reason = reason;
  return plan;
}

/// What is named in a choice.
template <class Value, class Kept>
Plan named_plan(Options const& options, std::size_t n, Plan plan) {
  plan.reason = "named in the options";
  if (std::size_t const most = most_values<Value>(options.grid); n > most)
    throw std::invalid_argument(
        "KokkosScan: Options::grid = " + to_string(options.grid) + " cannot serve " + std::to_string(n) +
        " values of " + std::to_string(sizeof(Value)) + " bytes; " +
        (most > 0 ? "of that size it takes up to " + std::to_string(most)
                  : "it takes values of up to " + std::to_string(one_wave_value_bytes_most) + " bytes"));
  switch (options.grid) {
    case GridScan::hillis_steele: plan.grid = Plan::Grid::hillis_steele; break;
    case GridScan::hierarchical: plan.grid = Plan::Grid::hierarchical; break;
    case GridScan::chained: plan.grid = Plan::Grid::chained; break;
    case GridScan::pipelined:
      plan.grid = Plan::Grid::pipelined;
      plan.tile = pipelined::Shape<Kept>::tile;
      return plan;
    case GridScan::one_wave: return one_wave_plan<Kept>(n, plan, plan.reason);
    default: plan.grid = Plan::Grid::lookback; break;
  }
  plan.tile = options.grid == GridScan::hillis_steele ? 0 : tile_length<Value>(options);
  return plan;
}

/// More values than so many are for the pipeline.
template <class Problem, class Kept = cuda::Kept<Problem>>
inline constexpr std::size_t pipeline_from =
    pipeline_pays_bytes(core::arrays_of<typename Problem::Source>, keeps_chosen<Problem>, sizeof(Kept)) / sizeof(Kept);

/// By which grid algorithm.
template <class Choice, class Problem, class DeviceNow>
Plan plan_of_grid(Choice const& choice, Problem const& problem, DeviceNow const& device) {
  using Value = typename Problem::Value;
  using Kept  = cuda::Kept<Problem>;
  Plan plan{.block = choice.block, .needs = needs<Value, Kept>(choice, problem.n)};
  if constexpr (std::is_same_v<Choice, Options>)
    if (choice.grid != GridScan::automatic || choice.block != BlockScan::automatic)
      return named_plan<Value, Kept>(choice, problem.n, plan);
  bool const is_long = problem.n > pipeline_from<Problem>;
  if constexpr (pipelined::pays<Problem>)
    if (is_long && pipelined::is_served(device()) && pipelined::is_compiled<Problem>()) {
      plan.grid   = Plan::Grid::pipelined;
      plan.tile   = pipelined::Shape<Kept>::tile;
      plan.reason = "enough tiles for the pipeline";
      return plan;
    }
  if constexpr (one_wave::most_values<Value, Kept> > 0)
    if (problem.n <= one_wave::most_values<Value, Kept>)
      return one_wave_plan<Kept>(problem.n, plan, "a large device has all tiles at once");
  if constexpr (reduction::serves<Problem>) {
    plan.grid   = Plan::Grid::reduction;
    plan.tile   = reduction::Part<Problem>::length;
    plan.reason = "nothing is stored";
    plan.needs.scratch += core::bytes_of(reduction_blocks, sizeof(Value));
    return plan;
  }
  plan.tile   = tile_length<Value>(choice);
  plan.reason = !pipelined::pays<Problem>
                    ? "too long for one wave; the pipeline is for results that fill arrays, of elements that lie side "
                      "by side and, all together, are not much wider than the values, of up to 16 bytes"
                : is_long ? "too long for one wave; the device, or what it was compiled for, has no bulk copies"
                          : "too long for one wave, too short for the pipeline";
  return plan;
}

/// The plan of a scan of n > 0 values; device() tells of the device that is current, and is asked where that matters.
template <class Choice, class Problem, class DeviceNow>
Plan plan(Choice const& choice, Problem const& problem, DeviceNow const& device) {
  Plan plan = plan_of_grid(choice, problem, device);
  if constexpr (core::OfChosen<Problem>)
    if (plan.grid == Plan::Grid::lookback && plan.block == BlockScan::automatic) {
      using Value   = typename Problem::Value;
      plan.by_marks = true;
      plan.tile     = MarkedTile::length;
      static_assert(MarkedTile::length >= ThreePhaseBlock<Value>::tile_length, "of its tiles states were asked for");
    }
  plan.makes_boundaries = keeps_mark_words<Problem> && plan.grid == Plan::Grid::one_wave;
  return plan;
}

}  // namespace KokkosScan::cuda
