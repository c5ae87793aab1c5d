// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdio>
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "sums.hpp"

// Scans that do not come to their end, and those behind them, which use the same scratch.
namespace {

using namespace device;
using KokkosScan::GridScan;
using KokkosScan::Handle;

/// A handle, floats, and their sums as the library finds them when nothing is given up.
struct Sums {
  explicit Sums(GridScan grid) : handle(exec, KokkosScan::Options{.grid = grid}) {
    fill(exec, from, 3);
    KokkosScan::inclusive_scan(handle, from, expected);
    exec.fence();
  }
  void expect_right() const {
    poison(exec, dest);
    KokkosScan::inclusive_scan(handle, from, dest);
    EXPECT_EQ(differences(exec, dest, expected), 0U);
  }
  Exec const exec = Kokkos::Experimental::partition_space(Exec(), 1)[0];
  decltype(Handle(Exec(), KokkosScan::Options{})) const handle;
  View<float> const from{"from", 5'000'003}, dest{"dest", from.size()}, expected{"expected", from.size()};
};

TEST(Aborted, a_capture_that_is_thrown_away) {
  for (GridScan const grid : single_pass_grids()) {
    SCOPED_TRACE(to_string(grid));
    Sums const sums(grid);
    for (int time = 0; time < 3; ++time) {
      cudaGraph_t graph{};
      ASSERT_EQ(cudaStreamBeginCapture(sums.exec.cuda_stream(), cudaStreamCaptureModeThreadLocal), cudaSuccess);
      KokkosScan::inclusive_scan(sums.handle, sums.from, sums.dest);
      ASSERT_EQ(cudaStreamEndCapture(sums.exec.cuda_stream(), &graph), cudaSuccess);
      cudaGraphDestroy(graph);
      sums.expect_right();
    }
  }
}

/// To wait for a stream that is captured ends the capture, and CUDA refuses whatever is put on it then.
TEST(Aborted, a_capture_that_the_program_spoiled) {
  for (GridScan const grid : single_pass_grids()) {
    SCOPED_TRACE(to_string(grid));
    Sums const sums(grid);
    cudaGraph_t graph{};
    ASSERT_EQ(cudaStreamBeginCapture(sums.exec.cuda_stream(), cudaStreamCaptureModeThreadLocal), cudaSuccess);
    KokkosScan::inclusive_scan(sums.handle, sums.from, sums.dest);
    ASSERT_NE(cudaStreamSynchronize(sums.exec.cuda_stream()), cudaSuccess);
    EXPECT_THROW(KokkosScan::inclusive_scan(sums.handle, sums.from, sums.dest), std::runtime_error);
    ASSERT_NE(cudaStreamEndCapture(sums.exec.cuda_stream(), &graph), cudaSuccess);
    cudaGetLastError();
    sums.expect_right();
  }
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
  for (GridScan const grid : single_pass_grids()) {
    SCOPED_TRACE(to_string(grid));
    auto const fail = [grid] {
      Sums const sums(grid);
      KokkosScan::inclusive_scan(sums.handle, sums.from, sums.dest, SumUntil{1000});
      cudaError_t const waited = cudaStreamSynchronize(sums.exec.cuda_stream());
      if (waited == cudaSuccess) std::_Exit(1);
      try {
        KokkosScan::inclusive_scan(sums.handle, sums.from, sums.dest);
      } catch (std::runtime_error const& error) {
        std::fprintf(stderr, "%s", error.what());
        std::_Exit(0);  // no way to end Kokkos without its device
      }
      std::_Exit(2);
    };
    EXPECT_EXIT(fail(), testing::ExitedWithCode(0), "launch failure|illegal instruction");
  }
}

}  // namespace
