// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <vector>

#include "sums.hpp"

// Scans captured into a graph: what the graph holds, and that it can be replayed between other scans.
namespace {

using namespace device;
using KokkosScan::GridScan;
using KokkosScan::Handle;

void ok(cudaError_t status) { ASSERT_EQ(status, cudaSuccess) << cudaGetErrorString(status); }

struct Stream {
  Stream() { ok(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)); }
  ~Stream() { cudaStreamDestroy(stream); }
  Stream(Stream const&)            = delete;
  Stream& operator=(Stream const&) = delete;
  cudaStream_t stream{};
};

/// The calls that are made while a stream is captured.
class Graph {
 public:
  template <class F>
  Graph(cudaStream_t stream, F const& calls) {
    ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    calls();
    ok(cudaStreamEndCapture(stream, &graph_));
    ok(cudaGraphInstantiate(&replay_, graph_, 0));
  }
  ~Graph() {
    cudaGraphExecDestroy(replay_);
    cudaGraphDestroy(graph_);
  }
  Graph(Graph const&)            = delete;
  Graph& operator=(Graph const&) = delete;

  void launch(cudaStream_t stream) const { ok(cudaGraphLaunch(replay_, stream)); }

  std::vector<cudaGraphNodeType> nodes() const {
    std::size_t count = 0;
    ok(cudaGraphGetNodes(graph_, nullptr, &count));
    std::vector<cudaGraphNode_t> nodes(count);
    ok(cudaGraphGetNodes(graph_, nodes.data(), &count));
    std::vector<cudaGraphNodeType> types(count);
    for (std::size_t i = 0; i < count; ++i) ok(cudaGraphNodeGetType(nodes[i], &types[i]));
    return types;
  }

 private:
  cudaGraph_t graph_{};
  cudaGraphExec_t replay_{};
};

/// Floats, room for their sums, and these as the library finds them outside any capture.
struct Sums {
  explicit Sums(Exec const& exec) {
    fill(exec, from, 7);
    KokkosScan::inclusive_scan(exec, from, expected);
  }
  static constexpr std::size_t n = 1 << 20;
  View<float> from{"from", n}, dest{"dest", n}, expected{"expected", n};
};

TEST(Capture, is_replayed_with_other_input_and_between_other_scans) {
  Stream const stream;
  Exec const exec(stream.stream);
  for (std::size_t const n : {1000, 1 << 16, 1 << 19, 1 << 22}) {
    View<float> const from("from", n), dest("dest", n), expected("expected", n);
    Kokkos::View<float, Kokkos::CudaSpace> const total("total");
    for (GridScan const grid : KokkosScan::cuda::Backend::grids) {
      if (!KokkosScan::cuda::Backend::serves(exec, grid)) continue;
      SCOPED_TRACE(to_string(grid) + ", n = " + std::to_string(n));
      Handle const handle(exec, Options{.grid = grid});
      handle.reserve<float>(n);
      View<double> const others("others", 100'000);
      handle.reserve<double>(others.size());
      Graph const graph(stream.stream, [&] {
        KokkosScan::inclusive_scan(handle, from, dest, KokkosScan::Sum{}, KokkosScan::Total{total});
      });

      for (std::uint32_t replay = 0; replay < 5; ++replay) {
        fill(exec, from, replay);
        KokkosScan::inclusive_scan(handle, from, expected);
        if (replay % 2) KokkosScan::inclusive_scan(handle, others, others);  // the same memory, another epoch
        poison(exec, dest);
        graph.launch(stream.stream);
        ASSERT_EQ(differences(exec, dest, expected), 0U) << "replay " << replay;
        float sum = 0, last = 0;
        Kokkos::deep_copy(exec, sum, total);
        Kokkos::deep_copy(exec, last, Kokkos::subview(expected, n - 1));
        exec.fence();
        ASSERT_EQ(sum, last);
      }
    }
  }
}

TEST(Capture, of_a_single_pass_holds_one_kernel_and_nothing_else) {
  Stream const stream;
  Exec const exec(stream.stream);
  for (GridScan const grid : {GridScan::automatic, GridScan::chained, GridScan::lookback, GridScan::pipelined}) {
    if (!KokkosScan::cuda::Backend::serves(exec, grid)) continue;
    for (std::size_t n = 1; n <= std::size_t(1) << 22; n *= 4) {
      View<double> const from("from", n), dest("dest", n);
      Kokkos::View<double, Kokkos::CudaSpace> const total("total");
      Handle const handle(exec, Options{.grid = grid});
      handle.reserve<double>(n);
      Graph const graph(stream.stream, [&] {
        KokkosScan::exclusive_scan(handle, from, dest, 1.5, KokkosScan::Sum{}, KokkosScan::Total{total});
      });
      ASSERT_EQ(graph.nodes(), std::vector<cudaGraphNodeType>{cudaGraphNodeTypeKernel}) << "n = " << n;
    }
  }
}

/// Without a Handle the library's own scratch serves, once a scan of that size was made.
TEST(Capture, needs_no_handle_after_the_first_call) {
  Stream const stream;
  Exec const exec(stream.stream);
  auto const [from, dest, expected] = Sums(exec);
  Graph const graph(stream.stream, [&] { KokkosScan::inclusive_scan(exec, from, dest); });
  EXPECT_EQ(graph.nodes().size(), 1U);
  for (int replay = 0; replay < 3; ++replay) {
    poison(exec, dest);
    graph.launch(stream.stream);
    ASSERT_EQ(differences(exec, dest, expected), 0U);
  }
}

/// Else CUDA would lose the capture, or make what is to be done once a part of the graph.
TEST(Capture, without_scratch_is_refused_and_goes_on) {
  Stream const stream;
  Exec const exec(stream.stream);
  auto const [from, dest, expected] = Sums(exec);
  for (cudaStreamCaptureMode const mode : {cudaStreamCaptureModeGlobal, cudaStreamCaptureModeRelaxed}) {
    Handle<Exec> const handle(exec);
    poison(exec, dest);
    cudaGraph_t graph{};
    ok(cudaStreamBeginCapture(stream.stream, mode));
    EXPECT_THROW(KokkosScan::inclusive_scan(handle, from, dest), std::runtime_error);
    ok(cudaStreamEndCapture(stream.stream, &graph));
    std::size_t nodes = 1;
    ok(cudaGraphGetNodes(graph, nullptr, &nodes));
    EXPECT_EQ(nodes, 0U);
    cudaGraphDestroy(graph);

    KokkosScan::inclusive_scan(handle, from, dest);
    EXPECT_EQ(differences(exec, dest, expected), 0U);
  }
}

}  // namespace
