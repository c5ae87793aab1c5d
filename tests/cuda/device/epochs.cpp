// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstddef>
#include <cstdint>

#include "sums.hpp"

// The last epoch, which no program reaches by scanning: its scan clears the states, and the next begins anew.
namespace {

using namespace device;
using KokkosScan::GridScan;
namespace native = KokkosScan::cuda;

template <class T>
void expect_right_beyond_the_last_epoch(GridScan grid, std::size_t n) {
  SCOPED_TRACE(to_string(grid) + ", n = " + std::to_string(n));
  Exec const exec;
  KokkosScan::Options const options{.grid = grid};
  View<T> const from("from", n), other("other", n), dest("dest", n), expected("expected", n);
  fill(exec, from, 1);
  fill(exec, other, 2);
  KokkosScan::inclusive_scan(handle_for(exec, grid), from, expected);

  auto const needs = native::needs<T>(options, n);
  View<std::uint32_t> const states("states", needs.states / sizeof(std::uint32_t));  // zeros
  auto const scan = [&](View<T> const& values) {
    using Scan = KokkosScan::core::ArrayScan<native::Kind::inclusive, T, native::Contiguous<T const>,
                                             native::Contiguous<T>, KokkosScan::Sum>;
    native::run(exec.cuda_stream(), options, Scan{{{values.data()}, {}}, {{dest.data()}}, n, {}, {}, nullptr},
                KokkosScan::core::Memory{nullptr, states.data(), needs.states});
  };
  scan(other);  // leaves states of the first epoch behind, which must not be found when it comes again

  std::uint64_t const next = native::States::behind(native::Tag::epochs - 2);
  auto* const header       = reinterpret_cast<native::States::Header*>(states.data());
  ASSERT_EQ(cudaMemcpyAsync(&header->next, &next, sizeof(next), cudaMemcpyDefault, exec.cuda_stream()), cudaSuccess);
  for (int epoch = 0; epoch < 3; ++epoch) {
    poison(exec, dest);
    scan(from);
    ASSERT_EQ(differences(exec, dest, expected), 0U) << "scan " << epoch;
  }
}

TEST(Epochs, begin_anew_behind_the_last) {
  for (GridScan const grid : single_pass_grids())
    for (std::size_t const n : {std::size_t{70'001}, std::size_t{3'000'001}}) {
      expect_right_beyond_the_last_epoch<float>(grid, n);
      expect_right_beyond_the_last_epoch<double>(grid, n);
    }
}

}  // namespace
