// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../machine.hpp"
#include "backend.hpp"

#include <algorithm>
#include <array>
#include <chrono>
#include <cstdio>
#include <cub/version.cuh>

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

/// A graph of several calls, one behind the other: as many as make what it takes to launch the graph itself, some
/// microseconds, too little to count.
class Graph {
 public:
  Graph(Call const& call, std::size_t buffers) {
    call(0);  // whatever is taken or compiled at the first call cannot be captured
    require(cudaStreamSynchronize(stream()));
    double const of_one = time_on_stream(call, buffers, static_cast<long>(fewest)) / static_cast<double>(fewest);
    auto const calls    = static_cast<std::size_t>(
        std::clamp(least_seconds / of_one, static_cast<double>(fewest), static_cast<double>(most)));
    cudaGraph_t graph{};
    require(cudaStreamBeginCapture(stream(), cudaStreamCaptureModeThreadLocal));
    try {
      for (std::size_t k = 0; k < std::max(buffers, calls); ++k, ++calls_) call(k % buffers);
    } catch (std::exception const& error) {
      cudaStreamEndCapture(stream(), &graph);
      cudaGetLastError();
      throw CannotRun(std::string("cannot be captured into a graph: ") + error.what());
    }
    if (cudaStreamEndCapture(stream(), &graph) != cudaSuccess)
      throw CannotRun(std::string("cannot be captured into a graph: ") + cudaGetErrorString(cudaGetLastError()));
    require(cudaGraphInstantiate(&replay_, graph, 0));
    require(cudaGraphDestroy(graph));
    require(cudaGraphUpload(replay_, stream()));  // not at the first launch that is timed
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
  static constexpr std::size_t fewest = 16, most = 256;
  static constexpr double least_seconds = 5e-4;
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

namespace {
double cache_bytes() {
  int device = 0, cache = 0;
  require(cudaGetDevice(&device));
  require(cudaDeviceGetAttribute(&cache, cudaDevAttrL2CacheSize, device));
  return cache;
}
}  // namespace

std::size_t copies_of(double bytes) {
  return static_cast<std::size_t>(std::clamp(3.0 * cache_bytes() / bytes + 1, 1.0, 256.0));
}

std::string cache_state(double bytes, std::size_t copies) {
  double const all = bytes * static_cast<double>(copies), cache = cache_bytes();
  return all <= cache / 2 ? "warm" : all < 2 * cache ? "partly warm" : "cold";
}

Contestant contestant(Traits const& traits, Mode mode, std::size_t buffers, Call const& call) {
  if (wants_handle(mode) && traits.no_graph) return {.name = traits.name, .missing = traits.no_graph};
  Contestant one{.name = traits.name, .run = [call] {
                   call(0);
                   require(cudaStreamSynchronize(stream()));
                 }};
  if (mode == Mode::stream) one.time = [=](long calls) { return time_on_stream(call, buffers, calls); };
  if (mode == Mode::sync) one.time = [=](long calls) { return time_with_sync(call, buffers, calls); };
  if (wants_handle(mode))
    one.time = [=, graph = std::make_shared<std::unique_ptr<Graph>>()](long calls) {
      if (!*graph) *graph = std::make_unique<Graph>(call, buffers);
      return (*graph)->time(calls);
    };
  return one;
}

}  // namespace perf::cuda

namespace {
/// An empty kernel has two speeds, and a process may change from one to the other (docs/decisions/measuring.md).
std::string time_of_empty_kernel() {
  char text[32];
  perf::Contestant const floor = perf::cuda::empty_kernel(perf::cuda::Mode::graph, 256);
  floor.time(1024);
  std::snprintf(text, sizeof(text), "%.3f us", 1e6 * floor.time(4096) / 4096);
  return text;
}
}  // namespace

perf::Facts perf::facts_at_the_end() { return {{"empty kernel in a graph, at the end", time_of_empty_kernel()}}; }

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
          {"CUDA", version(runtime) + ", driver for " + version(driver)},
          {"CUB", std::to_string(CUB_MAJOR_VERSION) + "." + std::to_string(CUB_MINOR_VERSION) + "." +
                      std::to_string(CUB_SUBMINOR_VERSION)},
          {"empty kernel", time_of_empty_kernel() + " in a graph, at first"}};
}
