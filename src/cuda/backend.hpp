// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>

#include "../../cuda_native/scan.hpp"
#include "../driver/choice.hpp"
#include "../driver/kernel_event.hpp"

// Kokkos::Cuda: hands its stream to the kernels of cuda_native.
namespace KokkosScan::cuda {

/// Kokkos allocates on the device of its default instance, so scratch can be had there alone.
inline void require_scratch(Kokkos::Cuda const& exec) {
  int const ours = Kokkos::Cuda().cuda_device();
  if (exec.cuda_device() == ours) return;
  throw std::invalid_argument("KokkosScan: exec runs on CUDA device " + std::to_string(exec.cuda_device()) +
                              ", but scratch can be had on device " + std::to_string(ours) +
                              " alone, that of Kokkos' default instance");
}

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

template <class Scan>
__global__ void empty_total_kernel(Scan const scan) {
  ::new (static_cast<void*>(scan.total)) typename Scan::Value(driver::empty_total(scan));
}

struct Backend {
  static constexpr char const* name   = "cuda";
  static constexpr auto const& grids  = grid_algorithms;
  static constexpr auto const& blocks = block_algorithms;

  /// Whether the device of an instance has what it takes.
  static bool serves(Kokkos::Cuda const& exec, GridScan grid) {
    if (grid != GridScan::pipelined) return true;
    OnDevice const device(exec);
    return pipelined::is_served(current_device());
  }

  /// Work is still under way when a call returns: memory is reused in the order of one instance only.
  static std::uint32_t workspace_key(Kokkos::Cuda const& exec) { return Kokkos::Tools::Experimental::device_id(exec); }

  /// The length of the tiles that a scan of that type is divided into.
  template <class Value, class Choice>
  static std::size_t tile_length(Choice const& choice) {
    return cuda::tile_length<Value>(choice);
  }

  template <class Value, class Choice>
  static driver::Needs needs(Kokkos::Cuda const& exec, Choice const& choice, std::size_t n) {
    require_scratch(exec);
    return n == 0 ? driver::Needs{} : cuda::needs<Value>(choice, n);
  }

  template <class Scan, class Choice>
  static driver::Needs needs_of(Kokkos::Cuda const& exec, Choice const& choice, Scan const& scan) {
    return needs<typename Scan::Value>(exec, choice, scan.n);
  }

  /// Throws while the instance's stream is captured: what is to be done once would become part of the graph.
  static void permit_new_scratch(Kokkos::Cuda const& exec) {
    OnDevice const device(exec);
    cudaStreamCaptureStatus status{};
    require(cudaStreamIsCapturing(exec.cuda_stream(), &status), "cudaStreamIsCapturing");
    if (status == cudaStreamCaptureStatusNone) return;
    throw std::runtime_error(
        "KokkosScan: a captured call needs scratch that is not there; make a call of its type and size before the "
        "capture begins, on the same instance or Handle, or call Handle::reserve<T>(n)");
  }

  static void clear(Kokkos::Cuda const& exec, void* data, std::size_t bytes) {
    OnDevice const device(exec);
    require(cudaMemsetAsync(data, 0, bytes, exec.cuda_stream()), "cudaMemsetAsync");
  }

  template <class Choice, class Scan>
  static void run(Kokkos::Cuda const& exec, std::string const& label, Choice const& choice, Scan const& scan,
                  driver::Memory const& memory) {
    driver::KernelEvent const event(label, exec);
    OnDevice const device(exec);
    cuda::run(exec.cuda_stream(), choice, scan, memory);
  }

  template <class Scan>
  static void run_empty(Kokkos::Cuda const& exec, std::string const& label, Scan const& scan) {
    driver::KernelEvent const event(label, exec);
    OnDevice const device(exec);
    launch(exec.cuda_stream(), Grid{1, 1}, empty_total_kernel<Scan>, scan);
  }
};

}  // namespace KokkosScan::cuda
