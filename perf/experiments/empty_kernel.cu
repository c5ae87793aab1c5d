// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda_runtime.h>

#include <cstdio>
#include <functional>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "bench.hpp"

// What an empty kernel takes in a graph, and what changes that: how the graph was made and replayed, what the kernel
// looks like, and what the process did before, one thing after the other. What stays slower from some step on was
// changed by it for good (docs/decisions/measuring.md). nvcc and a GPU are enough:
//
//   nvcc -std=c++20 -O3 -arch=sm_90 -o empty_kernel perf/experiments/empty_kernel.cu && ./empty_kernel [the first step]
//
// With the number of a step it begins there, in a process that did nothing before.
namespace {

using bench::check;

struct Large {
  unsigned char bytes[4000];
};

__constant__ unsigned constants[8192];
__device__ unsigned written;

__global__ void empty() {}
__global__ void with_parameters(Large large) {
  if (large.bytes[threadIdx.x] == 77) written = 1;
}
__global__ void with_constants() {
  if (constants[blockIdx.x] == 77) written = 1;
}
__global__ void with_shared() {
  extern __shared__ unsigned own[];
  if (threadIdx.x == 2000) own[0] = written;
}
__global__ void printing(unsigned n) {
  if (n == 0) printf("never\n");
}
__global__ void allocating(unsigned n) {
  if (n == 0) written = static_cast<unsigned>(reinterpret_cast<std::size_t>(malloc(n + 8)));
}
__global__ void with_stack(unsigned n) {
  unsigned values[16384];
  for (unsigned k = 0; k < n; ++k) values[k * 7919 % 16384] = k;
  written = values[n % 16384];
}
__global__ void writing(unsigned* to) { *to = 1; }

/// So many kernels, one behind the other.
class Graph {
 public:
  template <class Launch>
  Graph(cudaStream_t stream, int nodes, Launch const& launch, unsigned long long flags = 0, bool uploads = false)
      : nodes_(nodes) {
    cudaGraph_t graph{};
    check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
    for (int k = 0; k < nodes; ++k) launch();
    check(cudaStreamEndCapture(stream, &graph));
    instantiate(graph, stream, flags, uploads);
  }
  /// Of explicit nodes.
  Graph(cudaStream_t stream, int nodes) : nodes_(nodes) {
    cudaGraph_t graph{};
    check(cudaGraphCreate(&graph, 0));
    cudaKernelNodeParams what{};
    what.func     = reinterpret_cast<void*>(empty);
    what.gridDim  = dim3(1);
    what.blockDim = dim3(1);
    cudaGraphNode_t before{};
    for (int k = 0; k < nodes; ++k) {
      cudaGraphNode_t node{};
      check(cudaGraphAddKernelNode(&node, graph, k > 0 ? &before : nullptr, k > 0 ? 1 : 0, &what));
      before = node;
    }
    instantiate(graph, stream, 0, false);
  }
  Graph(Graph const&)            = delete;
  Graph& operator=(Graph const&) = delete;
  ~Graph() { check(cudaGraphExecDestroy(replayed_)); }

  void launch(cudaStream_t stream) const { check(cudaGraphLaunch(replayed_, stream)); }
  /// Microseconds of a node.
  double time(cudaStream_t stream, int launches = 1) const {
    float const all = bench::median(
        stream, 15, [] {},
        [&] {
          for (int k = 0; k < launches; ++k) launch(stream);
        });
    return 1e3 * static_cast<double>(all) / nodes_ / launches;
  }

 private:
  void instantiate(cudaGraph_t graph, cudaStream_t stream, unsigned long long flags, bool uploads) {
    check(cudaGraphInstantiateWithFlags(&replayed_, graph, flags));
    check(cudaGraphDestroy(graph));
    if (uploads) check(cudaGraphUpload(replayed_, stream));
  }

  int nodes_;
  cudaGraphExec_t replayed_{};
};

class Steps {
 public:
  auto plain() const {
    return [this] { empty<<<1, 1, 0, stream_>>>(); };
  }

  explicit Steps(int first) : first_(first) {
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking));
    one_ = std::make_unique<Graph>(stream_, nodes, plain());
    std::printf("%-66s %8s %8s\n", "an empty kernel, microseconds", "as made", "anew");
    show("at first");
  }

  cudaStream_t stream() const { return stream_; }

  /// Does it, if it is not left out, and measures the first graph again and one that is made now.
  void then(std::string const& what, std::function<void()> const& f) {
    if (++count_ < first_) return;
    f();
    check(cudaGetLastError());
    check(cudaDeviceSynchronize());
    show(std::to_string(count_) + " after " + what);
  }
  template <class... Arguments>
  void made(std::string const& what, Arguments const&... arguments) {
    Graph const graph(stream_, arguments...);
    print("  " + what, graph.time(stream_), 0);
  }
  static void print(std::string const& what, double as_made, double anew) {
    std::printf("%-66s %8.3f", what.c_str(), as_made);
    if (anew > 0) std::printf(" %8.3f", anew);
    std::printf("\n");
    std::fflush(stdout);
  }

  static constexpr int nodes = 256;
  Graph const& one() const { return *one_; }

 private:
  void show(std::string const& what) {
    Graph const anew(stream_, nodes, plain());
    print(what, one_->time(stream_), anew.time(stream_));
  }

  int first_, count_ = 0;
  cudaStream_t stream_{};
  std::unique_ptr<Graph> one_;
};

void show_forms(Steps& steps) {
  cudaStream_t const stream = steps.stream();
  auto const plain          = steps.plain();
  for (int const nodes : {16, 64, 256, 1024}) steps.made("captured, " + std::to_string(nodes) + " nodes", nodes, plain);
  steps.made("explicit nodes, 256", 256);
  steps.made("uploaded before", 256, plain, 0ULL, true);
  steps.made("instantiated with AutoFreeOnLaunch", 256, plain,
             static_cast<unsigned long long>(cudaGraphInstantiateFlagAutoFreeOnLaunch));
  steps.made("instantiated with UseNodePriority", 256, plain,
             static_cast<unsigned long long>(cudaGraphInstantiateFlagUseNodePriority));
  Steps::print("  replayed 20 times between two events", steps.one().time(stream, 20), 0);
  steps.made("256 threads", 256, [=] { empty<<<1, 256, 0, stream>>>(); });
  steps.made("528 blocks of 256 threads", 256, [=] { empty<<<528, 256, 0, stream>>>(); });
  steps.made("4000 bytes of parameters", 256, [=] { with_parameters<<<1, 1, 0, stream>>>(Large{}); });
  steps.made("reads constant memory", 256, [=] { with_constants<<<1, 1, 0, stream>>>(); });
  check(cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024));
  steps.made("200 KiB of shared memory", 256, [=] { with_shared<<<1, 1, 200 * 1024, stream>>>(); });
  int k = 0;
  steps.made("in turns without and with 200 KiB of shared memory", 256, [=, &k] {
    if (k++ % 2 == 0)
      empty<<<1, 1, 0, stream>>>();
    else
      with_shared<<<1, 1, 200 * 1024, stream>>>();
  });
  steps.made("in turns with one that reads constant memory", 256, [=, &k] {
    if (k++ % 2 == 0)
      empty<<<1, 1, 0, stream>>>();
    else
      with_constants<<<1, 1, 0, stream>>>();
  });
}

template <class T>
T* host_memory(unsigned flags) {
  T* data = nullptr;
  check(cudaHostAlloc(&data, 1 << 20, flags));
  return data;
}

/// What a process with Kokkos and CUB does sooner or later.
void show_states(Steps& steps) {
  cudaStream_t const stream = steps.stream();
  auto const plain          = steps.plain();
  std::vector<std::unique_ptr<Graph>> graphs;
  for (int const more : {10, 100, 400})
    steps.then(std::to_string(more) + " graphs of 256 nodes more, replayed once", [&, more] {
      for (int k = 0; k < more; ++k) {
        graphs.push_back(std::make_unique<Graph>(stream, 256, plain));
        graphs.back()->launch(stream);
      }
    });
  steps.then("they are destroyed", [&] { graphs.clear(); });
  steps.then("host memory, portable and mapped",
             [] { host_memory<unsigned>(cudaHostAllocMapped | cudaHostAllocPortable); });
  steps.then("a kernel wrote to host memory",
             [=] { writing<<<1, 1, 0, stream>>>(host_memory<unsigned>(cudaHostAllocMapped)); });
  steps.then("managed memory", [=] {
    unsigned* data = nullptr;
    check(cudaMallocManaged(&data, 1 << 20));
    data[0] = 1;
    writing<<<1, 1, 0, stream>>>(data);
  });
  steps.then("memory from the pool", [=] {
    void* data = nullptr;
    check(cudaMallocAsync(&data, 64 << 20, stream));
    check(cudaFreeAsync(data, stream));
  });
  steps.then("a copy on the stream", [=] {
    auto* const data = bench::array<unsigned>(1 << 20);
    check(cudaMemcpyAsync(data, data + (1 << 19), 1 << 20, cudaMemcpyDeviceToDevice, stream));
  });
  steps.then("a copy to the host", [=] {
    unsigned value = 0;
    check(cudaMemcpyAsync(&value, bench::array<unsigned>(1), 4, cudaMemcpyDeviceToHost, stream));
  });
  steps.then("a graph of copies", [=] {
    auto* const data = bench::array<unsigned>(1 << 20);
    Graph(stream, 16, [=] {
      check(cudaMemcpyAsync(data, data + (1 << 19), 1 << 20, cudaMemcpyDeviceToDevice, stream));
    }).launch(stream);
  });
  steps.then("a kernel on the legacy default stream", [] { empty<<<1, 1>>>(); });
  steps.then("kernels on 8 streams more", [] {
    for (int k = 0; k < 8; ++k) {
      cudaStream_t other{};
      check(cudaStreamCreateWithPriority(&other, cudaStreamNonBlocking, -(k % 3)));
      empty<<<1, 1, 0, other>>>();
    }
  });
  steps.then("a kernel with constant memory", [=] { with_constants<<<1, 1, 0, stream>>>(); });
  steps.then("a kernel with 200 KiB of shared memory", [=] {
    check(cudaFuncSetAttribute(with_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 200 * 1024));
    with_shared<<<1, 1, 200 * 1024, stream>>>();
  });
  steps.then("a kernel that may print", [=] { printing<<<1, 1, 0, stream>>>(1); });
  steps.then("a kernel that may allocate", [=] { allocating<<<1, 1, 0, stream>>>(1); });
  steps.then("a kernel with 64 KiB of stack", [=] { with_stack<<<1, 1, 0, stream>>>(5); });
  steps.then("a larger limit of the stack", [] { check(cudaDeviceSetLimit(cudaLimitStackSize, 32 * 1024)); });
  steps.then("half of the memory", [] {
    std::size_t free = 0, all = 0;
    check(cudaMemGetInfo(&free, &all));
    bench::array<unsigned char>(free / 2);
  });
  steps.then("much work on all multiprocessors", [=] {
    Graph const busy(stream, 256, [=] { empty<<<100000, 1024, 0, stream>>>(); });
    for (int k = 0; k < 20; ++k) busy.launch(stream);
  });
  steps.then("1000 events", [=] {
    for (int k = 0; k < 1000; ++k) {
      cudaEvent_t event{};
      check(cudaEventCreate(&event));
      check(cudaEventRecord(event, stream));
    }
  });
}

}  // namespace

int main(int count, char** arguments) {
  cudaDeviceProp properties{};
  int runtime = 0, driver = 0;
  check(cudaGetDeviceProperties(&properties, 0));
  check(cudaRuntimeGetVersion(&runtime));
  check(cudaDriverGetVersion(&driver));
  std::printf("%s, CUDA %d, driver for %d\n", properties.name, runtime, driver);
  Steps steps(count > 1 ? std::atoi(arguments[1]) : 0);
  show_states(steps);
  show_forms(steps);
}
