// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <KokkosScan.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

// The grid and block algorithms of a backend.
namespace test {

using KokkosScan::BlockScan;
using KokkosScan::GridScan;
using KokkosScan::Handle;
using KokkosScan::Options;

/// What tests of every choice are typed by.
template <class Exec_, class Backend_, class Value_>
struct Setup {
  using Exec    = Exec_;
  using Backend = Backend_;
  using Value   = Value_;
  using View    = Kokkos::View<Value*, typename Exec::memory_space>;
};

/// Whether a grid algorithm of a backend scans as many values of that type.
template <class Backend, class Value>
bool takes(GridScan grid, std::size_t n) {
  if constexpr (requires { Backend::template most_values<Value>(grid); })
    return n <= Backend::template most_values<Value>(grid);
  else
    return true;
}

/// As wide as any.
using Widest = std::array<std::int64_t, 8>;

/// All that it serves on the default instance for values of a type; unless that is named, for all of them.
template <class Backend, class Value = Widest>
std::vector<Options> all_choices() {
  std::vector<Options> choices;
  for (GridScan const grid : Backend::grids) {
    if (!takes<Backend, Value>(grid, 1)) continue;
    if constexpr (requires { Backend::serves(Kokkos::DefaultExecutionSpace(), grid); })
      if (!Backend::serves(Kokkos::DefaultExecutionSpace(), grid)) continue;
    for (BlockScan const block : Backend::blocks)
      if (KokkosScan::core::takes_a_block(grid) || block == BlockScan::automatic) choices.push_back({grid, block});
  }
  return choices;
}

/// f(handle) for each of them, on an instance.
template <class Backend, class Exec, class F>
void for_each_choice(Exec const& exec, F const& f) {
  for (Options const& options : all_choices<Backend>()) {
    SCOPED_TRACE("grid " + to_string(options.grid) + ", block " + to_string(options.block));
    f(Handle<Exec, Backend, Options>(exec, options));
  }
}

}  // namespace test
