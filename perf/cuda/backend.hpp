// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <Kokkos_Core.hpp>
#include <functional>
#include <memory>
#include <source_location>
#include <string>
#include <utility>
#include <vector>

#include "../comparison.hpp"

// What the shared parts of the harness ask of CUDA; host/backend.hpp answers the same.
namespace perf::cuda {

using Exec   = Kokkos::Cuda;
using Memory = Kokkos::CudaSpace;

inline constexpr bool is_device = true;
/// For those who ask for it by a filter: arrays of 1 to 16 GiB.
inline constexpr std::size_t largest = std::size_t{1} << 30;

/// Throws unless a CUDA call succeeded.
void require(cudaError_t status, std::source_location where = std::source_location::current());

/// The one stream on which everything is measured.
cudaStream_t stream();
Exec const& instance();

/// It is nobody's thread that does the work.
inline char const* workers() { return one_thread; }

/// How the calls of a sample follow each other.
enum class Mode {
  stream,  ///< back to back on a stream, by CUDA events
  graph,   ///< replayed from a CUDA graph, by CUDA events
  warm,    ///< the same on one array over and over, which stays in a cache if it fits
  sync,    ///< each call waits for its result, by the host's clock
};

inline constexpr std::pair<Mode, char const*> modes[] = {
    {Mode::stream, ""}, {Mode::graph, "@graph"}, {Mode::warm, "@warm_graph"}, {Mode::sync, "@sync"}};
constexpr bool is_warm(Mode mode) { return mode == Mode::warm; }
constexpr bool wants_handle(Mode mode) { return mode == Mode::graph || mode == Mode::warm; }
inline constexpr Mode mode_of_drawn = Mode::graph;

/// Several copies of a problem of so many bytes, together three times the size of the second-level cache if that takes
/// no more than 256. Small problems stay in the cache, as they would in an application.
std::size_t copies_of(double bytes);
/// Of so many: whether they stay in the second-level cache.
std::string cache_state(double bytes, std::size_t copies);

inline constexpr std::size_t page = 0;

class Buffer {
 public:
  Buffer() = default;
  Buffer(std::size_t bytes, std::size_t) : bytes_(Kokkos::view_alloc("perf", Kokkos::WithoutInitializing), bytes) {}
  unsigned char* data() const { return bytes_.data(); }
  void fill(int byte) const { Kokkos::deep_copy(bytes_, static_cast<unsigned char>(byte)); }

 private:
  Kokkos::View<unsigned char*, Memory> bytes_ = {};
};

struct Arrays {
  Buffer from = {}, to = {}, keys = {};
};

/// Puts the work on buffers k on the stream.
using Call = std::function<void(std::size_t k)>;

/// Call k works on buffers of its own (k modulo their number), so that large data are not found in a cache.
Contestant contestant(Traits const& traits, Mode mode, std::size_t buffers, Call const& call);

/// What nothing on a stream can beat: a kernel that does nothing, and copies of so many bytes.
Contestant empty_kernel(Mode mode, std::size_t buffers);
std::vector<Contestant> copies(std::vector<Arrays> const& arrays, Mode mode, std::size_t bytes);

}  // namespace perf::cuda

namespace perf {
namespace backend = cuda;
}
