// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "support/backend_choices.hpp"
#include "support/interval.hpp"
#include "support/matrix.hpp"
#include "support/random.hpp"
#include "support/time.hpp"

// Every grid algorithm with every block algorithm that a backend serves. The operator does not commute, and for
// Interval it records what it is handed.
namespace test {

template <Kind kind, class Value, class ExecOrHandle>
void expect_choice(ExecOrHandle const& exec, std::size_t n, Lie lie, bool with_init) {
  Shape const shape{.n = n, .lie = lie};
  if constexpr (std::is_same_v<Value, Interval>) {
    using Exec = std::remove_cvref_t<decltype(KokkosScan::driver::instance(exec))>;
    Neighbours<typename Exec::memory_space> const neighbours;
    auto const init = with_init ? std::optional(neighbours.init()) : std::nullopt;
    expect_scan<kind, Value, ContiguousViewTotal>(exec, neighbours.values(n), Call<Value>{shape, init, TotalTo::view},
                                                  neighbours.op());
    neighbours.expect_no_mistakes();
  } else {
    auto const init = with_init ? std::optional(make_values<Then, Value>(1, 99)[0]) : std::nullopt;
    expect_scan<kind, Value, ContiguousViewTotal>(exec, make_values<Then, Value>(n, n),
                                                  Call<Value>{shape, init, TotalTo::view}, Then{});
  }
}

template <class Setup>
class Choices : public testing::Test {};
TYPED_TEST_SUITE_P(Choices);

TYPED_TEST_P(Choices, every_grid_with_every_block) {
  using Exec       = typename TypeParam::Exec;
  using Backend    = typename TypeParam::Backend;
  using Value      = typename TypeParam::Value;
  std::size_t call = 0;
  for (Options const& options : all_choices<Backend, Value>()) {
    SCOPED_TRACE("grid " + to_string(options.grid) + ", block " + to_string(options.block));
    Handle<Exec, Backend, Options> const handle(Exec(), options);
    std::size_t const tile = Backend::template tile_length<Value>(options);
    auto lengths           = edge_lengths(tile);
    lengths.push_back((is_sanitized ? 3 : 7) * tile + tile / 3);
    std::size_t i = 0;
    for (std::size_t const n : lengths) {
      if (is_sanitized && call++ % 3 != 0) continue;
      Lie const lie = i % 2 ? Lie::in_place : Lie::apart;
      expect_choice<Kind::exclusive, Value>(handle, n, lie, true);
      expect_choice<Kind::inclusive, Value>(handle, n, lie, i / 2 % 2);
      ++i;
    }
    if (this->HasFailure()) break;
  }
}

/// Where tiles are small, as those of the portable backend, so many that their totals are scanned tile by tile, too.
TYPED_TEST_P(Choices, many_tiles) {
  using Exec    = typename TypeParam::Exec;
  using Backend = typename TypeParam::Backend;
  using Value   = typename TypeParam::Value;
  for (GridScan const grid : Backend::grids) {
    SCOPED_TRACE("grid " + to_string(grid));
    Options const options{.grid = grid, .block = BlockScan::automatic};
    Handle<Exec, Backend, Options> const handle(Exec(), options);
    std::size_t const tile = Backend::template tile_length<Value>(options);
    std::size_t const n    = tile <= 1024 && !is_sanitized ? tile * tile + tile + 17 : 40 * tile + 17;
    if (!takes<Backend, Value>(grid, n)) continue;
    expect_choice<Kind::inclusive, Value>(handle, n, Lie::apart, true);
  }
}

REGISTER_TYPED_TEST_SUITE_P(Choices, every_grid_with_every_block, many_tiles);

}  // namespace test
