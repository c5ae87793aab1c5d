// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <model/machine.hpp>
#include <new>
#include <vector>

// Kernels in the execution model that follow each other on a stream, each of which may start while the one before it
// still runs.
namespace test {

/// Writes an array as late as it can: the next grid may start before the first element is there.
template <class T>
__global__ void bring_late_kernel(T const* values, T* to, std::size_t n) {
  KokkosScan::cuda::begin_behind_previous_grid();
  for (int i = 0; i < 8; ++i) __nanosleep(1);
  std::size_t const threads = std::size_t{gridDim.x} * blockDim.x;
  for (std::size_t i = std::size_t{blockIdx.x} * blockDim.x + threadIdx.x, k = 1; i < n; i += threads, ++k) {
    ::new (static_cast<void*>(to + i)) T(values[i]);
    if (k % 64 == 0) __nanosleep(1);
  }
}

/// Calls f and runs what it launches, all behind each other, and behind a kernel by which `to` gets its values; until
/// then it holds what it does. Only parameters of f's launches may be gone when it returns.
template <class T, class F>
void on_a_stream_behind(std::vector<T> const& values, T* to, F const& f) {
  model::Stream stream;
  KokkosScan::cuda::launch(nullptr, {2, 32}, bring_late_kernel<T>, values.data(), to, values.size());
  f();
  stream.finish();
}
/// The same behind a kernel that brings nothing.
template <class F>
void on_a_stream(F const& f) {
  on_a_stream_behind(std::vector<unsigned char>(), static_cast<unsigned char*>(nullptr), f);
}

}  // namespace test
