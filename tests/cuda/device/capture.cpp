// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <chrono>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "sums.hpp"

// Scans captured into a graph: what the graph holds, and that it can be replayed between other scans.
namespace {

using namespace device;
using KokkosScan::GridScan;
using KokkosScan::Handle;

/// On a stream of its own.
class Capture : public testing::Test, protected Instance {};

TEST_F(Capture, is_replayed_with_other_input_and_between_other_scans) {
  for (std::size_t const n : {1000, 1 << 16, 1 << 19, 1 << 22}) {
    View<float> const from("from", n), dest("dest", n), expected("expected", n);
    Kokkos::View<float, Kokkos::CudaSpace> const total("total");
    auto const expect_replayed = [&](GridScan grid) {
      SCOPED_TRACE("n = " + std::to_string(n));
      auto const handle = handle_for(exec, grid);
      handle.template reserve<float>(n);
      View<double> const others("others", 100'000);
      handle.template reserve<double>(others.size());
      Graph const graph(
          exec, [&] { KokkosScan::inclusive_scan(handle, from, dest, KokkosScan::Sum{}, KokkosScan::Total{total}); });

      for (std::uint32_t replay = 0; replay < 5; ++replay) {
        fill(exec, from, replay);
        KokkosScan::inclusive_scan(handle, from, expected);
        if (replay % 2) KokkosScan::inclusive_scan(handle, others, others);  // the same memory, another epoch
        poison(exec, dest);
        graph.launch();
        ASSERT_EQ(differences(exec, dest, expected), 0U) << "replay " << replay;
        ASSERT_EQ(on_host(exec, total), on_host(exec, Kokkos::subview(expected, n - 1)));
      }
    };
    for_each_grid(KokkosScan::cuda::Backend::grids, expect_replayed, n);
  }
}

/// Kernels alone read a length, at each replay.
TEST_F(Capture, is_replayed_with_other_lengths) {
  constexpr std::size_t n = 1 << 19;
  View<std::int32_t> const from("from", n), dest("dest", n), expected("expected", n);
  Kokkos::View<std::int32_t, Kokkos::CudaSpace> const total("total"), expected_total("expected total");
  Kokkos::View<std::int64_t, Kokkos::CudaSpace> const length("length");
  fill(exec, from, 3);
  auto const expect_replayed = [&](GridScan grid) {
    auto const handle = handle_for(exec, grid);
    handle.template reserve<std::int32_t>(n);
    Graph const graph(exec, [&] {
      KokkosScan::inclusive_scan(handle, from, dest, KokkosScan::Length{length}, KokkosScan::Total{total});
    });
    for (std::int64_t const count : {1 << 19, 0, 5, 100'000, 1 << 20, (1 << 19) - 1, -1}) {
      auto const least = static_cast<std::size_t>(std::max(count, std::int64_t{0}));
      Kokkos::deep_copy(exec, length, count);
      Kokkos::deep_copy(exec, dest, -1);
      Kokkos::deep_copy(exec, expected, -1);
      KokkosScan::inclusive_scan(handle, part(from, 0, std::min(least, n)), expected,
                                 KokkosScan::Total{expected_total});
      graph.launch();
      ASSERT_EQ(differences(exec, dest, expected), 0U) << count;
      ASSERT_EQ(on_host(exec, total), on_host(exec, expected_total)) << count;
    }
  };
  for_each_grid(KokkosScan::cuda::Backend::grids, expect_replayed, n);
}

TEST_F(Capture, of_a_single_pass_holds_one_kernel_and_nothing_else) {
  for_each_grid(single_pass_grids(), [&](GridScan grid) {
    for (std::size_t n = 1; n <= std::size_t(1) << 22; n *= 4) {
      View<double> const from("from", n), dest("dest", n);
      Kokkos::View<double, Kokkos::CudaSpace> const total("total");
      auto const handle = handle_for(exec, grid);
      handle.template reserve<double>(n);
      Graph const graph(exec, [&] {
        KokkosScan::exclusive_scan(handle, from, dest, 1.5, KokkosScan::Sum{}, KokkosScan::Total{total});
      });
      ASSERT_EQ(graph.nodes(), std::vector<cudaGraphNodeType>{cudaGraphNodeTypeKernel}) << "n = " << n;
    }
  });
}

/// Without a Handle the library's own scratch serves, once a scan of that size was made.
TEST_F(Capture, needs_no_handle_after_the_first_call) {
  Sums const sums(exec);
  Graph const graph(exec, [&] { sums.scan(); });
  EXPECT_EQ(graph.nodes().size(), 1U);
  for (int replay = 0; replay < 3; ++replay) sums.expect_right_by([&] { graph.launch(); });
}

/// The call throws, and the capture is as if it had not been made.
template <class F>
void expect_refused_and_capture_goes_on(Exec const& exec, F const& call) {
  for (cudaStreamCaptureMode const mode : {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeRelaxed}) {
    cudaGraph_t graph{};
    ok(cudaStreamBeginCapture(exec.cuda_stream(), mode));
    EXPECT_THROW(call(), std::runtime_error);
    ok(cudaStreamEndCapture(exec.cuda_stream(), &graph));
    std::size_t nodes = 1;
    ok(cudaGraphGetNodes(graph, nullptr, &nodes));
    EXPECT_EQ(nodes, 0U);
    cudaGraphDestroy(graph);
  }
}

/// Else CUDA would lose the capture, or make what is to be done once a part of the graph.
TEST_F(Capture, without_scratch_is_refused_and_goes_on) {
  Sums const sums(exec);
  Handle<Exec> const handle(exec);
  auto const scan = [&] { KokkosScan::inclusive_scan(handle, sums.from, sums.dest); };
  expect_refused_and_capture_goes_on(exec, scan);
  sums.expect_right_by(scan);
}

/// It would have to wait, which ends the capture.
TEST_F(Capture, with_a_total_on_the_host_is_refused_and_goes_on) {
  Sums const sums(exec);
  Handle<Exec> const handle(exec);
  float total        = -1;
  auto const scan_of = [&](auto const& where, std::size_t n) {
    KokkosScan::inclusive_scan(where, part(sums.from, 0, n), part(sums.dest, 0, n), KokkosScan::Sum{},
                               KokkosScan::Total{total});
  };
  auto const refused = [&](auto const& where, std::size_t n) {
    scan_of(where, n);  // nothing is missing but the wait
    total = -1;
    expect_refused_and_capture_goes_on(exec, [&] { scan_of(where, n); });
    EXPECT_EQ(total, -1);
  };
  for (std::size_t const n : {std::size_t{0}, std::size_t{1}, sums.from.size()}) {
    refused(exec, n);
    refused(handle, n);
  }

  // In a capture that goes on with what can be captured.
  Graph const graph(exec, [&] {
    EXPECT_THROW(scan_of(handle, sums.from.size()), std::runtime_error);
    KokkosScan::inclusive_scan(handle, sums.from, sums.dest);
  });
  sums.expect_right_by([&] { graph.launch(); });
}

/// Whatever the backend: scratch is a matter of the execution space.
TEST_F(Capture, without_scratch_is_refused_by_the_portable_backend_too) {
  Sums const sums(exec);
  Handle<Exec, KokkosScan::portable::Backend> const handle(exec);
  expect_refused_and_capture_goes_on(exec, [&] { KokkosScan::inclusive_scan(handle, sums.from, sums.dest); });
  KokkosScan::inclusive_scan(handle, sums.from, sums.dest);
  exec.fence();
}

TEST_F(Capture, keeps_its_scratch_from_being_released) {
  Handle<Exec> const handle(exec);
  handle.reserve<float>(1 << 20);
  expect_refused_and_capture_goes_on(exec, [&] { handle.release(); });
  expect_refused_and_capture_goes_on(exec, [&] { KokkosScan::release_scratch(exec); });
}

/// Calls that need more scratch come to a Handle, or an instance, whose scratch a graph uses.
template <class Where>
void expect_replayed_after_growth(Where const& where) {
  Sums const sums(where);
  Exec const& exec = sums.exec;
  sums.scan();
  Graph const graph(exec, [&] { sums.scan(); });
  for (std::size_t n = 2 * sums.from.size(); n <= 64 * sums.from.size(); n *= 2) {
    View<float> const more("more", n);
    KokkosScan::inclusive_scan(where, more, more);
    // What was freed is soon somebody else's.
    void* others = nullptr;
    ok(cudaMallocAsync(&others, 64 << 20, exec.cuda_stream()));
    ok(cudaMemsetAsync(others, 0xa5, 64 << 20, exec.cuda_stream()));
    sums.expect_right_by([&] { graph.launch(); });
    if (testing::Test::HasFailure()) FAIL() << "behind a call of " << n;
    std::vector<unsigned char> found(64 << 20);
    ok(cudaMemcpyAsync(found.data(), others, found.size(), cudaMemcpyDefault, exec.cuda_stream()));
    ok(cudaFreeAsync(others, exec.cuda_stream()));
    exec.fence();
    ASSERT_EQ(found, std::vector<unsigned char>(found.size(), 0xa5)) << "a graph wrote what is no longer its own";
  }
}

TEST(CaptureOfEach, is_replayed_after_the_scratch_has_grown) {
  for_each_grid(KokkosScan::cuda::Backend::grids, [](GridScan grid) {
    Instance const own;
    expect_replayed_after_growth(handle_for(own.exec, grid));
  });
}

TEST_F(Capture, without_a_handle_is_replayed_after_the_scratch_has_grown_and_others_have_come) {
  expect_replayed_after_growth(exec);

  Sums const sums(exec);
  Graph const graph(exec, [&] { sums.scan(); });
  for (int others = 0; others < 100; ++others) {
    Instance const other;
    KokkosScan::inclusive_scan(other.exec, sums.expected, View<float>("other", sums.from.size()));
    other.exec.fence();
  }
  sums.expect_right_by([&] { graph.launch(); });
}

/// Where a graph is gone, so is what it kept; CUDA tells that a little later.
TEST_F(Capture, gives_its_scratch_back_when_the_graph_is_gone) {
  Sums const sums(exec);
  Handle<Exec> const handle(exec);
  KokkosScan::core::Needs const needs = KokkosScan::cuda::needs<float>(handle.options(), sums.from.size());
  handle.reserve<float>(sums.from.size());
  void const* const of_graph = handle.lease(needs).memory().states;
  auto const scan            = [&] { KokkosScan::inclusive_scan(handle, sums.from, sums.dest); };
  {
    Graph const graph(exec, scan);
    handle.release();
    EXPECT_EQ(handle.lease(needs).memory().states, of_graph) << "a graph uses it";
    sums.expect_right_by([&] { graph.launch(); });
  }
  // While the stream is captured nothing is taken anew, so that the call says whether it was there.
  bool given_back = false;
  for (int attempt = 0; attempt < 1000 && !given_back; ++attempt) {
    exec.fence();
    handle.release();
    cudaGraph_t graph{};
    ok(cudaStreamBeginCapture(stream.stream, cudaStreamCaptureModeRelaxed));
    try {
      scan();
    } catch (std::runtime_error const&) {
      given_back = true;
    }
    ok(cudaStreamEndCapture(stream.stream, &graph));
    cudaGraphDestroy(graph);
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
  }
  EXPECT_TRUE(given_back);
}

}  // namespace
