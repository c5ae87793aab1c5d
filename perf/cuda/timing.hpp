// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <functional>
#include <memory>
#include <source_location>
#include <string>

#include "../comparison.hpp"

namespace perf::cuda {

/// Throws unless a CUDA call succeeded.
void require(cudaError_t status, std::source_location where = std::source_location::current());

/// The one stream on which everything is measured.
cudaStream_t stream();

/// How the calls of a sample follow each other.
enum class Mode {
  stream,  ///< back to back on a stream, by CUDA events
  graph,   ///< replayed from a CUDA graph, by CUDA events
  sync,    ///< each call waits for its result, by the host's clock
};

/// A contestant that puts one call on the stream. Call k works on buffers of its own (k modulo their number), so that
/// large data are not found in a cache.
struct Enqueue {
  std::string name;
  std::function<void(std::size_t k)> call;
  char const* no_graph = nullptr;  ///< why it cannot be captured, if so
};

Contestant contestant(Enqueue const& enqueue, Mode mode, std::size_t buffers);

}  // namespace perf::cuda
