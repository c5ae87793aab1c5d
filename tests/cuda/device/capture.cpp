// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <chrono>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "stream.hpp"
#include "sums.hpp"

// Scans captured into a graph: what the graph holds, and that it can be replayed between other scans.
namespace {

using namespace device;
using KokkosScan::GridScan;
using KokkosScan::Handle;
using KokkosScan::Options;

/// The calls that are made while a stream is captured.
class Graph {
 public:
  template <class F>
  Graph(cudaStream_t stream, F const& calls) {
    ok(cudaStreamBeginCapture(stream, cudaStreamCaptureModeGlobal));
    try {
      calls();
    } catch (...) {
      // Or Views could not be freed on the way out, and nobody would hear what was thrown.
      cudaStreamEndCapture(stream, &graph_);
      throw;
    }
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

/// It would have to wait, which ends the capture.
TEST(Capture, with_a_total_on_the_host_is_refused_and_goes_on) {
  Stream const stream;
  Exec const exec(stream.stream);
  Sums const sums(exec);
  Handle<Exec> const handle(exec);
  float total        = -1;
  auto const refused = [&](auto const& where, std::size_t n) {
    auto const part = std::pair<std::size_t, std::size_t>(0, n);
    auto const call = [&] {
      KokkosScan::inclusive_scan(where, Kokkos::subview(sums.from, part), Kokkos::subview(sums.dest, part),
                                 KokkosScan::Sum{}, KokkosScan::Total{total});
    };
    call();  // nothing is missing but the wait
    total = -1;
    expect_refused_and_capture_goes_on(exec, call);
    EXPECT_EQ(total, -1);
  };
  for (std::size_t const n : {std::size_t{0}, std::size_t{1}, sums.n}) {
    refused(exec, n);
    refused(handle, n);
  }

  // In a capture that goes on with what can be captured.
  Graph const graph(stream.stream, [&] {
    EXPECT_THROW(KokkosScan::inclusive_scan(handle, sums.from, sums.dest, KokkosScan::Sum{}, KokkosScan::Total{total}),
                 std::runtime_error);
    KokkosScan::inclusive_scan(handle, sums.from, sums.dest);
  });
  poison(exec, sums.dest);
  graph.launch(stream.stream);
  EXPECT_EQ(differences(exec, sums.dest, sums.expected), 0U);
}

/// Whatever the backend: scratch is a matter of the execution space.
TEST(Capture, without_scratch_is_refused_by_the_portable_backend_too) {
  Stream const stream;
  Exec const exec(stream.stream);
  Sums const sums(exec);
  Handle<Exec, KokkosScan::portable::Backend> const handle(exec);
  expect_refused_and_capture_goes_on(exec, [&] { KokkosScan::inclusive_scan(handle, sums.from, sums.dest); });
  KokkosScan::inclusive_scan(handle, sums.from, sums.dest);
  exec.fence();
}

TEST(Capture, keeps_its_scratch_from_being_released) {
  Stream const stream;
  Exec const exec(stream.stream);
  Sums const sums(exec);
  Handle<Exec> const handle(exec);
  handle.reserve<float>(sums.n);
  expect_refused_and_capture_goes_on(exec, [&] { handle.release(); });
  expect_refused_and_capture_goes_on(exec, [&] { KokkosScan::release_scratch(exec); });
}

/// Calls that need more scratch come to a Handle, or an instance, whose scratch a graph uses.
template <class Where>
void expect_replayed_after_growth(Stream const& stream, Exec const& exec, Where const& where) {
  Sums const sums(exec);
  KokkosScan::inclusive_scan(where, sums.from, sums.dest);
  KokkosScan::inclusive_scan(where, sums.from, sums.expected);
  Graph const graph(stream.stream, [&] { KokkosScan::inclusive_scan(where, sums.from, sums.dest); });
  for (std::size_t n = 2 * sums.n; n <= 64 * sums.n; n *= 2) {
    View<float> const more("more", n);
    KokkosScan::inclusive_scan(where, more, more);
    // What was freed is soon somebody else's.
    void* others = nullptr;
    ok(cudaMallocAsync(&others, 64 << 20, stream.stream));
    ok(cudaMemsetAsync(others, 0xa5, 64 << 20, stream.stream));
    poison(exec, sums.dest);
    graph.launch(stream.stream);
    ASSERT_EQ(differences(exec, sums.dest, sums.expected), 0U) << "behind a call of " << n;
    std::vector<unsigned char> found(64 << 20);
    ok(cudaMemcpyAsync(found.data(), others, found.size(), cudaMemcpyDefault, stream.stream));
    ok(cudaFreeAsync(others, stream.stream));
    exec.fence();
    ASSERT_EQ(found, std::vector<unsigned char>(found.size(), 0xa5)) << "a graph wrote what is no longer its own";
  }
}

TEST(Capture, is_replayed_after_the_scratch_has_grown) {
  for (GridScan const grid : KokkosScan::cuda::Backend::grids) {
    Stream const stream;
    Exec const exec(stream.stream);
    if (!KokkosScan::cuda::Backend::serves(exec, grid)) continue;
    SCOPED_TRACE(to_string(grid));
    expect_replayed_after_growth(stream, exec, Handle(exec, Options{.grid = grid}));
  }
}

TEST(Capture, without_a_handle_is_replayed_after_the_scratch_has_grown_and_others_have_come) {
  Stream const stream;
  Exec const exec(stream.stream);
  expect_replayed_after_growth(stream, exec, exec);

  Sums const sums(exec);
  Graph const graph(stream.stream, [&] { KokkosScan::inclusive_scan(exec, sums.from, sums.dest); });
  for (int others = 0; others < 100; ++others) {
    Stream const other_stream;
    Exec const other(other_stream.stream);
    KokkosScan::inclusive_scan(other, sums.expected, View<float>("other", sums.n));
    other.fence();
  }
  poison(exec, sums.dest);
  graph.launch(stream.stream);
  EXPECT_EQ(differences(exec, sums.dest, sums.expected), 0U);
}

/// Where a graph is gone, so is what it kept; CUDA tells that a little later.
TEST(Capture, gives_its_scratch_back_when_the_graph_is_gone) {
  Stream const stream;
  Exec const exec(stream.stream);
  Sums const sums(exec);
  Handle<Exec> const handle(exec);
  KokkosScan::core::Needs const needs = KokkosScan::cuda::needs<float>(handle.options(), sums.n);
  handle.reserve<float>(sums.n);
  void const* const of_graph = handle.lease(needs).memory().states;
  {
    Graph const graph(stream.stream, [&] { KokkosScan::inclusive_scan(handle, sums.from, sums.dest); });
    handle.release();
    EXPECT_EQ(handle.lease(needs).memory().states, of_graph) << "a graph uses it";
    poison(exec, sums.dest);
    graph.launch(stream.stream);
    EXPECT_EQ(differences(exec, sums.dest, sums.expected), 0U);
  }
  // While the stream is captured nothing is taken anew, so that the call says whether it was there.
  bool given_back = false;
  for (int patience = 0; patience < 1000 && !given_back; ++patience) {
    exec.fence();
    handle.release();
    cudaGraph_t graph{};
    ok(cudaStreamBeginCapture(stream.stream, cudaStreamCaptureModeRelaxed));
    try {
      KokkosScan::inclusive_scan(handle, sums.from, sums.dest);
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
