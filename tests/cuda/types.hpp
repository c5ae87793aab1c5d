// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "model_backend.hpp"
#include "seeds.hpp"
#include "support/matrix.hpp"

// The matrix of types and operators on the kernels.
namespace test {

/// What automatic takes, each compiled by itself: all of them for all operators would take many minutes.
enum class Kernels { of_small_arrays, of_look_back, of_the_pipeline };

template <Kernels kernels>
struct OneKernelBackend : ModelBackend {
  static constexpr KokkosScan::GridScan grids[]   = {KokkosScan::GridScan::automatic};
  static constexpr KokkosScan::BlockScan blocks[] = {KokkosScan::BlockScan::automatic};

  template <class Exec, class Choice, class Scan>
  static void run(Exec const&, std::string const&, Choice const&, Scan const& scan,
                  KokkosScan::driver::Memory const& memory) {
    using namespace KokkosScan::cuda;
    using Value         = typename Scan::Value;
    States const states = States::in(memory.states, memory.states_bytes);
    if constexpr (kernels == Kernels::of_the_pipeline)
      pipelined::run(nullptr, scan, states, current_device());
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

/// A row of the matrix: each operator in turn over small lengths, the first also over several tiles.
template <class T, class First, class... Others>
void expect_row() {
  std::size_t turn           = 0;
  auto const expect_operator = [&]<class Op>(Op const&) {
    expect_by<Kernels::of_small_arrays, T, Op>({turn % 7, 33 + turn % 5, 100 + turn});
  };
  using KokkosScan::GridScan;
  auto const tile_of = [](GridScan grid) { return ModelBackend::tile_length<T>(KokkosScan::Options{.grid = grid}); };
  for_each_seed(200, [&] {
    std::size_t which  = 0;
    auto const in_turn = [&](auto const& op) {
      if (which++ == turn % (1 + sizeof...(Others))) expect_operator(op);
    };
    in_turn(First{});
    (in_turn(Others{}), ...);
    if (turn % 10 == 0) expect_by<Kernels::of_look_back, T, First>({2 * tile_of(GridScan::lookback) + 1 + turn % 3});
    if (turn % 40 == 0) expect_by<Kernels::of_the_pipeline, T, First>({tile_of(GridScan::pipelined) + 1 + turn % 3});
    ++turn;
  });
}

}  // namespace test
