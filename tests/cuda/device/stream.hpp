// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>
#include <cstddef>

namespace device {

inline void ok(cudaError_t status) { ASSERT_EQ(status, cudaSuccess) << cudaGetErrorString(status); }

/// A stream of the device that is current, for as long as it lives.
struct Stream {
  Stream() { ok(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)); }
  ~Stream() { cudaStreamDestroy(stream); }
  Stream(Stream const&)            = delete;
  Stream& operator=(Stream const&) = delete;
  cudaStream_t stream{};
};

/// What the device has given away, when all work is done and its pool has given back what it can.
inline std::size_t used_memory() {
  ok(cudaDeviceSynchronize());
  int device = 0;
  ok(cudaGetDevice(&device));
  cudaMemPool_t pool{};
  if (cudaDeviceGetDefaultMemPool(&pool, device) == cudaSuccess) ok(cudaMemPoolTrimTo(pool, 0));
  std::size_t free = 0, all = 0;
  ok(cudaMemGetInfo(&free, &all));
  return all - free;
}

}  // namespace device
