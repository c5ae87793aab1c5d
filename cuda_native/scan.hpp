// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
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

// From a choice of algorithms to launches: what a scan needs of memory, and its start on a stream.
namespace KokkosScan::cuda {

inline constexpr GridScan grid_algorithms[]   = {GridScan::automatic, GridScan::hillis_steele, GridScan::hierarchical,
                                                 GridScan::chained,   GridScan::lookback,      GridScan::pipelined};
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
  return with_block_of<Value>(choice, [](auto block) { return std::size_t(decltype(block)::tile_length); });
}

/// What a scan of n > 0 values needs.
template <class Value, class Choice>
Needs needs(Choice const& choice, std::size_t n) {
  if (choice.grid == GridScan::hillis_steele)
    return {.scratch = core::bytes_of(hillis_steele::scratch_values(n), sizeof(Value))};
  std::size_t const pipeline_slots = pipelined::Spans<Value>::slots(Tiles{n, pipelined::Shape<Value>::tile}.count());
  if (choice.grid == GridScan::pipelined) return {.scratch = 0, .states = States::bytes(pipeline_slots)};
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

/// Enqueues a scan of n > 0 values.
template <class Choice, class Problem>
void run(Stream stream, Choice const& choice, Problem const& problem, Memory const& memory) {
  using Value         = typename Problem::Value;
  auto* const values  = static_cast<Value*>(memory.scratch);
  States const states = States::in(memory.states, memory.states_bytes);
  if constexpr (std::is_same_v<Choice, Options>)
    if (choice.grid == GridScan::hillis_steele) return hillis_steele::run(stream, problem, values);
  bool const open = choice.grid == GridScan::automatic && choice.block == BlockScan::automatic;
  if constexpr (std::is_same_v<Choice, Options>)
    if (choice.grid == GridScan::pipelined) return pipelined::run(stream, problem, states, current_device());
  if constexpr (one_wave::most_values<Value> > 0)
    if (open && problem.n <= one_wave::most_values<Value>)
      return one_wave::run(stream, problem, states, one_wave::Partition::of<Value>(problem.n));
  if constexpr (pipelined::pays<Problem>)
    if (open && problem.n >= pipeline_pays_bytes(sizeof(Value)) / sizeof(Value)) {
      Device const device = current_device();
      if (pipelined::is_served(device) && pipelined::is_compiled<Problem>())
        return pipelined::run(stream, problem, states, device);
    }
  with_block_of<Value>(choice, [&](auto block) {
    using Block = decltype(block);
    if constexpr (std::is_same_v<Choice, Options>) {
      std::size_t const staged = Block::staged_values(Tiles{problem.n, Block::tile_length}.count());
      if (choice.grid == GridScan::hierarchical)
        return hierarchical::run<Block>(stream, problem, values + staged, values);
      if (choice.grid == GridScan::chained) return chained::run<Block>(stream, problem, states, values);
    }
    lookback::run<Block>(stream, problem, states, values);
  });
}

}  // namespace KokkosScan::cuda
