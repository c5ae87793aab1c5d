// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <cstdlib>
#include <stdexcept>

#include "sums.hpp"

// Scans that do not come to their end, and those behind them, which use the same scratch.
namespace {

using namespace device;
using KokkosScan::GridScan;

auto sums_by(GridScan grid) {
  return Sums(handle_for(Kokkos::Experimental::partition_space(Exec(), 1)[0], grid), 5'000'003);
}

TEST(Aborted, a_capture_that_is_thrown_away) {
  for_each_grid(single_pass_grids(), [](GridScan grid) {
    auto const sums = sums_by(grid);
    for (int time = 0; time < 3; ++time) {
      Graph(sums.exec, [&] { sums.scan(); });
      sums.expect_right();
    }
  });
}

/// To wait for a stream that is captured ends the capture, and CUDA refuses whatever is put on it then.
TEST(Aborted, a_capture_that_the_program_spoiled) {
  for_each_grid(single_pass_grids(), [](GridScan grid) {
    auto const sums = sums_by(grid);
    cudaGraph_t graph{};
    ok(cudaStreamBeginCapture(sums.exec.cuda_stream(), cudaStreamCaptureModeThreadLocal));
    sums.scan();
    ASSERT_NE(cudaStreamSynchronize(sums.exec.cuda_stream()), cudaSuccess);
    EXPECT_THROW(sums.scan(), std::runtime_error);
    ASSERT_NE(cudaStreamEndCapture(sums.exec.cuda_stream(), &graph), cudaSuccess);
    cudaGetLastError();
    sums.expect_right();
  });
}

struct SumUntil {
  float limit;
  KOKKOS_FUNCTION float operator()(float left, float right) const {
    KOKKOS_IF_ON_DEVICE((if (left > limit) __trap();))
    return left + right;
  }
};

/// CUDA takes down the whole context with a kernel that fails: all its memory is lost, our scratch too, so no scan ever
/// finds states that were left half written. Those who wait for the scan must be let go, and the next one must say why
/// it cannot be.
TEST(AbortedDeathTest, a_kernel_that_fails_lets_all_go_and_is_reported) {
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  for_each_grid(single_pass_grids(), [](GridScan grid) {
    auto const fail = [grid] {
      auto const sums = sums_by(grid);
      KokkosScan::inclusive_scan(sums.where, sums.from, sums.dest, SumUntil{1000});
      if (cudaStreamSynchronize(sums.exec.cuda_stream()) == cudaSuccess) std::_Exit(1);
      try {
        sums.scan();
      } catch (std::runtime_error const& error) {
        std::fprintf(stderr, "%s", error.what());
        std::_Exit(0);  // no way to end Kokkos without its device
      }
      std::_Exit(2);
    };
    EXPECT_EXIT(fail(), testing::ExitedWithCode(0), "launch failure|illegal instruction");
  });
}

}  // namespace
