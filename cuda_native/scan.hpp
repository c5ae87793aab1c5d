// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "plan.hpp"

// From a plan to launches.
namespace KokkosScan::cuda {

/// Enqueues a scan of n > 0 values.
template <class Choice, class Problem>
void run(Stream stream, Choice const& choice, Plan const& plan, Problem const& problem, Memory const& memory) {
  using Value         = typename Problem::Value;
  auto* const values  = static_cast<Value*>(memory.scratch);
  States const states = States::in(memory.states, memory.states_bytes);
  // A choice that leaves everything open compiles what it may come to.
  constexpr bool is_open = !std::is_same_v<Choice, Options>;
  if constexpr (one_wave::most_values<Value> > 0)
    if (plan.grid == Plan::Grid::one_wave) return one_wave::run(stream, problem, states, plan.wave);
  if constexpr (pipelined::pays<Problem> || !is_open)
    if (plan.grid == Plan::Grid::pipelined) return pipelined::run(stream, problem, states, current_device());
  if constexpr (!is_open)
    if (plan.grid == Plan::Grid::hillis_steele) return hillis_steele::run(stream, problem, values);
  if constexpr (core::OfChosen<Problem>) {
    if (plan.by_marks)
      return lookback::run<MarkedBlock<Value, typename Problem::Sink>>(stream, problem, states, values);
    if constexpr (is_open) return;
  }
  with_block_of<Value>(choice, [&](auto block) {
    using Block                               = decltype(block);
    [[maybe_unused]] std::size_t const staged = Block::staged_values(Tiles{problem.n, Block::tile_length}.count());
    if constexpr (reduction::serves<Problem>)
      if (plan.grid == Plan::Grid::reduction)
        return reduction::run<Block>(stream, problem, states, values + staged, values);
    if constexpr (!is_open) {
      if (plan.grid == Plan::Grid::hierarchical)
        return hierarchical::run<Block>(stream, problem, values + staged, values);
      if (plan.grid == Plan::Grid::chained) return chained::run<Block>(stream, problem, states, values);
    }
    lookback::run<Block>(stream, problem, states, values);
  });
}

/// The same by the plan for the device that is current.
template <class Choice, class Problem>
void run(Stream stream, Choice const& choice, Problem const& problem, Memory const& memory) {
  run(stream, choice, plan(choice, problem, current_device), problem, memory);
}

}  // namespace KokkosScan::cuda
