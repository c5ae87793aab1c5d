// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>

#include "../core/recurrence.hpp"
#include "boundaries.hpp"

// A linear recurrence in blocks of a length that the caller names: maps are combined within a block alone, and from the
// values at the end of one block the next goes on. No product has more factors than a block has elements, so that what
// grows does no harm as long as it stays finite within a block; in blocks of one element the results are those of the
// plain loop.
//
//   launches    3: the map of each block but the last; the blocks one after the other, by one thread; the results
//   bytes       the coefficients and b twice, the result once, and twice a map for each block
//   steps       2 block lengths, and one for each block
namespace KokkosScan::driver {

/// The map of one block, in its place.
template <class Source, class Map>
struct MapOfBlock {
  Source source;
  Map* maps;
  std::size_t length;

  KOKKOS_FUNCTION void operator()(std::size_t block) const {
    Map map(core::equation_of(source, block * length));
    for (std::size_t i = block * length + 1; i < (block + 1) * length; ++i) map.go_on(core::equation_of(source, i));
    maps[block] = map;
  }
};

/// From block to block: the state before each, in the place of its map's offset. That behind the last block but one
/// stands in a map of its own.
template <class Map, class Start>
struct StatesOfBlocks {
  using T = typename Map::Number;

  Map* maps;
  std::size_t count;  // of blocks
  Start start;

  KOKKOS_FUNCTION void operator()(std::size_t) const {
    Map const before = *core::value_of_start<Map>(start);
    T state[Map::order];
    for (std::size_t row = 0; row < Map::order; ++row) state[row] = before.offset[row];
    for (std::size_t block = 0; block < count; ++block) {
      Map& place = maps[block];
      T next[Map::order];
      if (block + 1 < count)
        for (std::size_t row = 0; row < Map::order; ++row) {
          next[row] = place.offset[row];
          for (std::size_t j = Map::order; j-- > 0;)
            next[row] = core::through_element<core::Zeros::cut>(place.scale[row * Map::order + j], state[j], next[row]);
        }
      for (std::size_t row = 0; row < Map::order; ++row) place.offset[row] = state[row];
      if (block + 1 < count)
        for (std::size_t row = 0; row < Map::order; ++row) state[row] = next[row];
    }
  }
};

template <class Source, class Map, class Array>
struct ResultsOfBlock {
  Source source;
  Map const* maps;
  Array array;
  std::size_t length, n;

  KOKKOS_FUNCTION void operator()(std::size_t block) const {
    typename Map::Number state[Map::order];
    for (std::size_t row = 0; row < Map::order; ++row) state[row] = maps[block].offset[row];
    std::size_t const end = n - block * length > length ? (block + 1) * length : n;
    for (std::size_t i = block * length; i < end; ++i) {
      core::equation_of(source, i).step(state);
      core::put(array[i], static_cast<core::ElementOf<Array>>(state[0]));
    }
  }
};

template <class ExecOrHandle, class Problem>
void run_in_blocks(std::string const& label, ExecOrHandle const& exec_or_handle, Problem const& problem,
                   std::size_t length) {
  using Map    = typename Problem::Value;
  using Source = typename Problem::Source;
  using Array  = typename Problem::Sink::Array;
  if (problem.n == 0) return;
  std::size_t const blocks = problem.n / length + (problem.n % length != 0 ? 1 : 0);
  auto const leases        = driver::lease(exec_or_handle, core::Needs{.scratch = core::bytes_of(blocks, sizeof(Map))});
  auto* const maps         = static_cast<Map*>(leases.memory().scratch);
  if (blocks > 1)
    driver::for_each_index(label, exec_or_handle, blocks - 1, problem.n,
                           MapOfBlock<Source, Map>{problem.source, maps, length});
  driver::for_each_index(label, exec_or_handle, 1, blocks,
                         StatesOfBlocks<Map, typename Problem::Start>{maps, blocks, problem.before_all});
  driver::for_each_index(
      label, exec_or_handle, blocks, problem.n,
      ResultsOfBlock<Source, Map, Array>{problem.source, maps, problem.sink.array, length, problem.n});
}

}  // namespace KokkosScan::driver
