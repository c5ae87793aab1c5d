// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../machine.hpp"
#include "backend.hpp"

#include <algorithm>
#include <array>
#include <chrono>

namespace perf::cuda {
namespace {

/// Of the stream, for what f puts there.
template <class F>
double seconds(F const& f) {
  static auto const events = [] {
    std::array<cudaEvent_t, 2> made{};
    for (cudaEvent_t& event : made) require(cudaEventCreate(&event));
    return made;
  }();
  auto const [begin, end] = events;
  float milliseconds      = 0;
  require(cudaEventRecord(begin, stream()));
  f();
  require(cudaEventRecord(end, stream()));
  require(cudaEventSynchronize(end));
  require(cudaEventElapsedTime(&milliseconds, begin, end));
  return 1e-3 * static_cast<double>(milliseconds);
}

double time_on_stream(Call const& call, std::size_t buffers, long calls) {
  return seconds([&] {
    for (long k = 0; k < calls; ++k) call(static_cast<std::size_t>(k) % buffers);
  });
}

double time_with_sync(Call const& call, std::size_t buffers, long calls) {
  auto const begin = std::chrono::steady_clock::now();
  for (long k = 0; k < calls; ++k) {
    call(static_cast<std::size_t>(k) % buffers);
    require(cudaStreamSynchronize(stream()));
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// A graph of several calls, one behind the other.
class Graph {
 public:
  Graph(Call const& call, std::size_t buffers) {
    call(0);  // whatever is taken or compiled at the first call cannot be captured
    require(cudaStreamSynchronize(stream()));
    cudaGraph_t graph{};
    require(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeThreadLocal));
    try {
      for (std::size_t k = 0; k < std::max(buffers, fewest); ++k, ++calls_) call(k % buffers);
    } catch (std::exception const& error) {
      cudaStreamEndCapture(stream(), &graph);
      cudaGetLastError();
      throw CannotRun(std::string("cannot be captured into a graph: ") + error.what());
    }
    if (cudaStreamEndCapture(stream(), &graph) != cudaSuccess)
      throw CannotRun(std::string("cannot be captured into a graph: ") + cudaGetErrorString(cudaGetLastError()));
    require(cudaGraphInstantiate(&replay_, graph, 0));
    require(cudaGraphDestroy(graph));
  }
  ~Graph() { cudaGraphExecDestroy(replay_); }
  Graph(Graph const&)            = delete;
  Graph& operator=(Graph const&) = delete;

  double time(long calls) const {
    long const launches = (calls + calls_ - 1) / calls_;
    double const took   = seconds([&] {
      for (long i = 0; i < launches; ++i) require(cudaGraphLaunch(replay_, stream()));
    });
    return took * static_cast<double>(calls) / static_cast<double>(launches * calls_);
  }

 private:
  static constexpr std::size_t fewest = 16;  // or the launch of the graph itself would count
  cudaGraphExec_t replay_{};
  long calls_ = 0;
};

}  // namespace

void require(cudaError_t status, std::source_location where) {
  if (status != cudaSuccess)
    throw std::runtime_error(std::string(where.file_name()) + ":" + std::to_string(where.line()) + ": " +
                             cudaGetErrorString(status));
}

cudaStream_t stream() {
  static cudaStream_t const one = [] {
    cudaStream_t made{};
    require(cudaStreamCreateWithFlags(&made, cudaStreamNonBlocking));
    return made;
  }();
  return one;
}

Exec const& instance() {
  static Exec* const one = [] {
    auto* const made = new Exec(stream());
    Kokkos::push_finalize_hook([made] { delete made; });
    return made;
  }();
  return *one;
}

std::size_t copies_of(double bytes) {
  int device = 0, cache = 0;
  require(cudaGetDevice(&device));
  require(cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, device));
  return static_cast<std::size_t>(std::clamp(3.0 * cache / bytes + 1, 1.0, 256.0));
}

Contestant contestant(Traits const& traits, Mode mode, std::size_t buffers, Call const& call) {
  if (mode == Mode::graph && traits.no_graph) return {.name = traits.name, .missing = traits.no_graph};
  Contestant one{.name = traits.name, .run = [call] {
                   call(0);
                   require(cudaStreamSynchronize(stream()));
                 }};
  if (mode == Mode::stream) one.time = [=](long calls) { return time_on_stream(call, buffers, calls); };
  if (mode == Mode::sync) one.time = [=](long calls) { return time_with_sync(call, buffers, calls); };
  if (mode == Mode::graph)
    one.time = [=, graph = std::make_shared<std::unique_ptr<Graph>>()](long calls) {
      if (!*graph) *graph = std::make_unique<Graph>(call, buffers);
      return (*graph)->time(calls);
    };
  return one;
}

}  // namespace perf::cuda

perf::Facts perf::backend_facts() {
  int device = 0, driver = 0, runtime = 0;
  cudaDeviceProp properties{};
  cuda::require(cudaGetDevice(&device));
  cuda::require(cudaGetDeviceProperties(&properties, device));
  cuda::require(cudaDriverGetVersion(&driver));
  cuda::require(cudaRuntimeGetVersion(&runtime));
  auto const version = [](int number) {
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
  };
  return {{"gpu", properties.name},
          {"gpu memory", std::to_string(properties.totalGlobalMem >> 20) + " MiB"},
          {"gpu L2 cache", std::to_string(properties.l2CacheSize >> 20) + " MiB"},
          {"CUDA", version(runtime) + ", driver for " + version(driver)}};
}
