// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <memory>
#include <mutex>
#include <stdexcept>
#include <string>

#include "../../cuda_native/machine.hpp"
#include "../exec/scratch_memory.hpp"

// Scratch on the device of an instance, taken and freed in the order of its stream.
namespace KokkosScan::cuda {

/// Makes the device of an instance current for a while: the calling thread may have chosen another.
class OnDevice {
 public:
  explicit OnDevice(Kokkos::Cuda const& exec) {
    require(cudaGetDevice(&before_), "cudaGetDevice");
    if (before_ == exec.cuda_device()) return;
    require(cudaSetDevice(exec.cuda_device()), "cudaSetDevice");
    changed_ = true;
  }
  OnDevice(OnDevice const&)            = delete;
  OnDevice& operator=(OnDevice const&) = delete;
  ~OnDevice() {
    if (changed_) cudaSetDevice(before_);
  }

 private:
  int before_   = 0;
  bool changed_ = false;
};

/// While it lives, any device may become current, as by a fence of Kokkos; then it is again the one that was.
class CurrentDevice {
 public:
  CurrentDevice() { require(cudaGetDevice(&before_), "cudaGetDevice"); }
  CurrentDevice(CurrentDevice const&)            = delete;
  CurrentDevice& operator=(CurrentDevice const&) = delete;
  ~CurrentDevice() { cudaSetDevice(before_); }

 private:
  int before_ = 0;
};

/// While another thread captures a stream, CUDA would refuse this one some calls, though they have no part in it.
class BesideCaptures {
 public:
  BesideCaptures() { cudaThreadExchangeStreamCaptureMode(&mode_); }
  BesideCaptures(BesideCaptures const&)            = delete;
  BesideCaptures& operator=(BesideCaptures const&) = delete;
  ~BesideCaptures() { cudaThreadExchangeStreamCaptureMode(&mode_); }

 private:
  cudaStreamCaptureMode mode_ = cudaStreamCaptureModeRelaxed;
};

struct Scratch {
  static constexpr bool instances_differ = true;

  static std::string source() { return "cudaMallocAsync"; }

  static void* allocate(Kokkos::Cuda const& exec, std::string const& label, std::size_t bytes) {
    return take(exec, label, bytes, has_pools(exec));
  }
  static void* take(Kokkos::Cuda const& exec, std::string const& label, std::size_t bytes, bool from_pool) {
    OnDevice const device(exec);
    BesideCaptures const relaxed;
    void* data               = nullptr;
    cudaError_t const status = from_pool ? cudaMallocAsync(&data, bytes, exec.cuda_stream()) : cudaMalloc(&data, bytes);
    if (status != cudaSuccess) {
      static_cast<void>(cudaGetLastError());
      throw std::runtime_error(std::string(cudaGetErrorName(status)) + ", " + cudaGetErrorString(status) +
                               ", on CUDA device " + std::to_string(exec.cuda_device()));
    }
    if (Kokkos::Tools::profileLibraryLoaded()) Kokkos::Tools::allocateData(space(), label, data, bytes);
    return data;
  }

  static void free(Kokkos::Cuda const& exec, std::string const& label, void* data, std::size_t bytes) {
    OnDevice const device(exec);
    if (!has_pools(exec)) return free_unused(label, data, bytes);
    report_freed(label, data, bytes);
    require(cudaFreeAsync(data, exec.cuda_stream()), "cudaFreeAsync");
  }
  static void free_unused(std::string const& label, void* data, std::size_t bytes) {
    BesideCaptures const relaxed;
    report_freed(label, data, bytes);
    require(cudaFree(data), "cudaFree");
  }

  static void clear(Kokkos::Cuda const& exec, void* data, std::size_t bytes) {
    OnDevice const device(exec);
    require(cudaMemsetAsync(data, 0, bytes, exec.cuda_stream()), "cudaMemsetAsync");
  }

  using Capture = cudaGraph_t;
  static Capture capture_of(Kokkos::Cuda const& exec) {
    cudaStreamCaptureStatus status{};
    cudaGraph_t graph{};
#if CUDART_VERSION >= 13000
    require(cudaStreamGetCaptureInfo(exec.cuda_stream(), &status, nullptr, &graph), "cudaStreamGetCaptureInfo");
#else
    require(cudaStreamGetCaptureInfo_v2(exec.cuda_stream(), &status, nullptr, &graph), "cudaStreamGetCaptureInfo_v2");
#endif
    return status == cudaStreamCaptureStatusNone ? nullptr : graph;
  }

  /// The graph, and what is instantiated of it, own an object that is destroyed with the last of them.
  static void keep(Capture graph, exec::GraphCount const& graphs) {
    auto counted = std::make_unique<exec::GraphCount>(graphs);
    cudaUserObject_t object{};
    require(cudaUserObjectCreate(&object, counted.get(), forget_graph, 1, cudaUserObjectNoDestructorSync),
            "cudaUserObjectCreate");
    ++*graphs;
    static_cast<void>(counted.release());
    cudaError_t const status = cudaGraphRetainUserObject(graph, object, 1, cudaGraphUserObjectMove);
    if (status != cudaSuccess) cudaUserObjectRelease(object, 1);
    require(status, "cudaGraphRetainUserObject");
  }

  /// A stream by the number that no other stream of the program ever has, unlike its handle. While it is captured CUDA
  /// refuses to give the number, and would end the capture: then it is the one that had the handle last.
  class Key {
   public:
    explicit Key(Kokkos::Cuda const& exec)
        : device_(exec.cuda_device()), stream_(exec.cuda_stream()), has_number_(!capture_of(exec)) {
      OnDevice const device(exec);  // each device has a default stream, and they share a handle
      if (has_number_) require(cudaStreamGetId(stream_, &number_), "cudaStreamGetId");
    }
    friend bool operator==(Key const& one, Key const& other) {
      bool const comparable = one.has_number_ && other.has_number_;
      return one.device_ == other.device_ && one.stream_ == other.stream_ &&
             (!comparable || one.number_ == other.number_);
    }

   private:
    int device_;
    cudaStream_t stream_;
    bool has_number_;
    unsigned long long number_ = 0;
  };

  /// Where a stream was when a call was enqueued. It can be asked when the stream is no more.
  class Mark {
   public:
    Mark()                       = default;
    Mark(Mark const&)            = delete;
    Mark& operator=(Mark const&) = delete;
    ~Mark() {
      if (event_) cudaEventDestroy(event_);
    }

    /// False where that is impossible.
    bool record(Kokkos::Cuda const& exec) {
      OnDevice const device(exec);
      std::lock_guard const lock(mutex_);
      bool const recorded = (event_ || cudaEventCreateWithFlags(&event_, cudaEventDisableTiming) == cudaSuccess) &&
                            cudaEventRecord(event_, exec.cuda_stream()) == cudaSuccess;
      if (!recorded) static_cast<void>(cudaGetLastError());
      return recorded;
    }
    bool is_passed() const {
      BesideCaptures const relaxed;
      bool const passed = cudaEventQuery(event_) == cudaSuccess;
      if (!passed) static_cast<void>(cudaGetLastError());
      return passed;
    }

   private:
    std::mutex mutex_;
    cudaEvent_t event_ = nullptr;
  };

 private:
  static void CUDART_CB forget_graph(void* counted) {
    std::unique_ptr<exec::GraphCount> const graphs(static_cast<exec::GraphCount*>(counted));
    --**graphs;
  }

  /// Without pools, as in some virtual machines, memory is freed by a call that waits for the device.
  static bool has_pools(Kokkos::Cuda const& exec) {
    int pools = 0;
    require(cudaDeviceGetAttribute(&pools, cudaDevAttrMemoryPoolsSupported, exec.cuda_device()),
            "cudaDeviceGetAttribute");
    return pools != 0;
  }
  static Kokkos::Tools::SpaceHandle space() { return Kokkos::Tools::make_space_handle(Kokkos::CudaSpace::name()); }
  static void report_freed(std::string const& label, void* data, std::size_t bytes) {
    if (Kokkos::Tools::profileLibraryLoaded()) Kokkos::Tools::deallocateData(space(), label, data, bytes);
  }
};

/// What MPI may be handed: between processes memory of pools is opened in other ways, which not every MPI that reads
/// devices knows. Whoever had it has waited for all that used it.
struct MessageMemory : Scratch {
  static std::string source() { return "cudaMalloc"; }
  static void* allocate(Kokkos::Cuda const& exec, std::string const& label, std::size_t bytes) {
    return take(exec, label, bytes, false);
  }
  static void free(Kokkos::Cuda const&, std::string const& label, void* data, std::size_t bytes) {
    free_unused(label, data, bytes);
  }
  static int device(Kokkos::Cuda const& exec) { return exec.cuda_device(); }
};

}  // namespace KokkosScan::cuda
