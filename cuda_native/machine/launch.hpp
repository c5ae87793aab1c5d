// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <atomic>
#include <cstddef>
#include <source_location>
#include <stdexcept>
#include <string>
#include <type_traits>
#include <unordered_map>
#include <vector>

namespace KokkosScan::cuda {

/// Who is told of each launch.
class Launches {
 public:
  virtual void begin() = 0;
  virtual void end()   = 0;

 protected:
  ~Launches() = default;
};

/// Where kernels are enqueued.
struct Stream {
  cudaStream_t handle;
  Launches* launches;

  Stream(cudaStream_t stream, Launches* watched = nullptr) : handle(stream), launches(watched) {}
};

/// Throws unless a call of the CUDA runtime succeeded. The error is then reported, and is not left as the runtime's
/// last one: whoever asks for that next would take it for one of a call of their own.
inline void require(cudaError_t status, char const* call,
                    std::source_location const& where = std::source_location::current()) {
  if (status == cudaSuccess) return;
  static_cast<void>(cudaGetLastError());
  throw std::runtime_error(std::string("KokkosScan: ") + call + " failed: " + cudaGetErrorName(status) + ", " +
                           cudaGetErrorString(status) + " (" + where.file_name() + ":" + std::to_string(where.line()) +
                           ")");
}

/// What is to be known of the device that is current.
struct Device {
  int multiprocessors;
  int shared_bytes;  // that a block can have
  bool copies;       // whether it has those of copies.hpp
};

inline Device current_device() {
  int device = 0;
  require(cudaGetDevice(&device), "cudaGetDevice");
  auto const attribute = [&](cudaDeviceAttr which) {
    int value = 0;
    require(cudaDeviceGetAttribute(&value, which, device), "cudaDeviceGetAttribute");
    return value;
  };
  return {attribute(cudaDevAttrMultiProcessorCount), attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin),
          attribute(cudaDevAttrComputeCapabilityMajor) >= 9};
}

/// Whether a kernel was compiled for copies; other code for the same device may be of another architecture. What the
/// runtime says is kept, by each thread for itself, since it takes as long to ask as a launch takes.
inline bool has_copies_in(void const* kernel) {
  thread_local std::vector<std::unordered_map<void const*, bool>> of_devices;
  int device = 0;
  require(cudaGetDevice(&device), "cudaGetDevice");
  auto const index = static_cast<std::size_t>(device);
  if (index >= of_devices.size()) of_devices.resize(index + 1);
  auto& known = of_devices[index];
  if (auto const found = known.find(kernel); found != known.end()) return found->second;
  cudaFuncAttributes attributes{};
  require(cudaFuncGetAttributes(&attributes, kernel), "cudaFuncGetAttributes");
  bool const has_copies = attributes.ptxVersion >= 90;
  known.emplace(kernel, has_copies);
  return has_copies;
}

/// Whether kernels may start before the one in front of them on their stream has ended, for which they wait by
/// themselves then. To be turned off, at any time, by who puts kernels of their own in between that are launched so,
/// too, and end without having waited.
inline std::atomic<bool> dependent_launches = true;

/// Whether a kernel waits for the previous grid (grids.hpp): code for less than compute capability 9.0 does not.
inline bool waits_for_previous_grid(void const* kernel) { return has_copies_in(kernel); }

/// The shape of a launch.
struct Grid {
  unsigned blocks;
  int threads;             // of a block
  std::size_t shared = 0;  // bytes of dynamic shared memory of a block
  std::size_t most   = 0;  // of any launch of the kernel, if they differ: threads of the host may launch it at once
};

/// Enqueues a kernel, which waits for the previous grid by itself if its code does.
template <class... Parameters>
void launch(Stream stream, Grid grid, void (*kernel)(Parameters...), std::type_identity_t<Parameters>... arguments) {
  constexpr std::size_t always_granted = 48 * 1024;
  if (std::size_t const most = grid.most > grid.shared ? grid.most : grid.shared; most > always_granted)
    require(cudaFuncSetAttribute(reinterpret_cast<void const*>(kernel), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                 static_cast<int>(most)),
            "cudaFuncSetAttribute(MaxDynamicSharedMemorySize)");
  cudaLaunchConfig_t config{};
  config.gridDim          = grid.blocks;
  config.blockDim         = static_cast<unsigned>(grid.threads);
  config.dynamicSmemBytes = grid.shared;
  config.stream           = stream.handle;
  cudaLaunchAttribute dependent{};
  dependent.id                                         = cudaLaunchAttributeProgrammaticStreamSerialization;
  dependent.val.programmaticStreamSerializationAllowed = 1;
  if (dependent_launches.load(std::memory_order_relaxed) &&
      waits_for_previous_grid(reinterpret_cast<void const*>(kernel))) {
    config.attrs    = &dependent;
    config.numAttrs = 1;
  }
  if (stream.launches) stream.launches->begin();
  cudaError_t const status = cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...);
  if (stream.launches) stream.launches->end();
  require(status, "cudaLaunchKernelEx");
}

}  // namespace KokkosScan::cuda
