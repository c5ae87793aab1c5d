// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model_backend.hpp"
#include "seeds.hpp"
#include "support/matrix.hpp"
#include "support/pairs.hpp"

// The matrix of types and operators on the kernels.
namespace test {

/// What automatic takes, each compiled by itself, as all of them for all operators would take many minutes; and small
/// tiles, of one warp, so that few values are many tiles.
enum class Kernels { of_small_arrays, of_small_tiles, of_small_tiles_in_a_chain, of_look_back, of_the_pipeline };

template <Kernels kernels>
struct OneKernelBackend : ModelBackend {
  static constexpr KokkosScan::GridScan grids[]   = {KokkosScan::GridScan::automatic};
  static constexpr KokkosScan::BlockScan blocks[] = {KokkosScan::BlockScan::automatic};

  template <class Value, class Exec, class Choice>
  static KokkosScan::core::Needs needs(Exec const& exec, Choice const& choice, std::size_t n) {
    using namespace KokkosScan::cuda;
    Needs needs        = ModelBackend::needs<Value>(exec, choice, n);
    std::size_t tiles  = Tiles{n, warp_size}.count();
    std::size_t states = States::bytes(Groups<Value>::slots(tiles));
    if (n > 0 && needs.states < states) needs.states = states;
    return needs;
  }
  template <class Exec, class Choice, class Scan>
  static KokkosScan::core::NeedsAlone plan(Exec const& exec, Choice const& choice, Scan const& scan) {
    return {needs<typename Scan::Value>(exec, choice, scan.n)};
  }

  template <class Exec, class Choice, class Scan>
  static void run(Exec const&, std::string const&, Choice const&, KokkosScan::core::NeedsAlone const&, Scan const& scan,
                  KokkosScan::core::Memory const& memory) {
    using namespace KokkosScan::cuda;
    using Value         = typename Scan::Value;
    using OneWarp       = Block<Value, block::WarpShuffle, warp_size>;
    States const states = States::in(memory.states, memory.states_bytes);
    if constexpr (kernels == Kernels::of_the_pipeline)
      pipelined::run(nullptr, scan, states, current_device());
    else if constexpr (kernels == Kernels::of_small_tiles)
      lookback::run<OneWarp>(nullptr, scan, states, nullptr);
    else if constexpr (kernels == Kernels::of_small_tiles_in_a_chain)
      chained::run<OneWarp>(nullptr, scan, states, nullptr);
    else if constexpr (kernels == Kernels::of_small_arrays && one_wave::most_values<Value> > 0)
      one_wave::run(nullptr, scan, states, one_wave::Partition::of<Value>(scan.n));
    else
      lookback::run<ThreePhaseBlock<Value>>(nullptr, scan, states, nullptr);
  }
};

template <Kernels kernels, class T, class Op>
void expect_by(std::vector<std::size_t> const& lengths) {
  using Exec = Kokkos::DefaultHostExecutionSpace;
  expect_scans<T, Op>(KokkosScan::Handle<Exec, OneKernelBackend<kernels>>(Exec()), lengths);
}

/// A row of the matrix: each operator over small lengths, in one block and in several small tiles; the first also by
/// the other kernels, over several of their tiles. for_each_of_row calls f.operator()<Op>() for each operator.
template <class T, class First, class Row>
void expect_row_of(Row const& for_each_of_row) {
  std::size_t turn = 0;
  using KokkosScan::GridScan;
  auto const tile_of = [](GridScan grid) { return ModelBackend::tile_length<T>(KokkosScan::Options{.grid = grid}); };
  for_each_seed(seeds_of(200, 80), [&] {
    std::size_t const far = 3 * turn;  // from the lengths of the turn before
    for_each_of_row([&]<class Op>() {
      expect_by<Kernels::of_small_arrays, T, Op>({1 + far % 140});
      expect_by<Kernels::of_small_tiles, T, Op>({33 + far % 61});
    });
    expect_by<Kernels::of_small_tiles_in_a_chain, T, First>({64 + far % 70});
    if (turn % 10 == 0) expect_by<Kernels::of_small_arrays, T, First>({513 + turn % 140});
    if (turn % 10 == 0) expect_by<Kernels::of_look_back, T, First>({2 * tile_of(GridScan::lookback) + 1 + turn % 3});
    if (turn % 40 == 0) expect_by<Kernels::of_the_pipeline, T, First>({tile_of(GridScan::pipelined) + 1 + turn % 3});
    ++turn;
  });
}

template <class T, class First, class... Others>
void expect_row() {
  expect_row_of<T, First>([](auto const& f) { List<First, Others...>::for_each(f); });
}

}  // namespace test
