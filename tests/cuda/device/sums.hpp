// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <gtest/gtest.h>

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

// Scans of floating-point values, whose bits tell in what order they were made, and the comparison of such results on
// the device.
namespace device {

using Exec = Kokkos::Cuda;
template <class T>
using View = Kokkos::View<T*, Kokkos::CudaSpace>;

/// The value that belongs to a share between 0 and 1.
template <class T>
struct Inputs {
  KOKKOS_FUNCTION static T at(double share) { return static_cast<T>(share - 0.25); }
};

template <class T>
void fill(Exec const& exec, View<T> const& values, std::uint32_t seed) {
  Kokkos::parallel_for(
      "fill", Kokkos::RangePolicy<Exec>(exec, 0, values.size()), KOKKOS_LAMBDA(std::size_t i) {
        auto const bits = static_cast<std::uint32_t>(i * 2654435761U + seed * 40503U);
        values(i)       = Inputs<T>::at(static_cast<double>((bits >> 8) % 65536) / 65536.);
      });
}

template <class T>
KOKKOS_FUNCTION bool same_bits(T const& left, T const& right) {
  struct Words {
    std::uint32_t word[sizeof(T) / 4];
  };
  auto const of_left = Kokkos::bit_cast<Words>(left), of_right = Kokkos::bit_cast<Words>(right);
  for (std::size_t w = 0; w < sizeof(T) / 4; ++w)
    if (of_left.word[w] != of_right.word[w]) return false;
  return true;
}

/// How many of the results differ from the expected ones in any bit.
template <class T>
std::size_t differences(Exec const& exec, View<T> const& results, View<T> const& expected) {
  std::size_t count = 0;
  Kokkos::parallel_reduce(
      "compare", Kokkos::RangePolicy<Exec>(exec, 0, results.size()),
      KOKKOS_LAMBDA(std::size_t i, std::size_t& sum) { sum += !same_bits(results(i), expected(i)); }, count);
  return count;
}

/// Nothing that a scan leaves.
template <class T>
void poison(Exec const& exec, View<T> const& results) {
  cudaMemsetAsync(results.data(), 0xa5, results.size() * sizeof(T), exec.cuda_stream());
}

/// What a View of one value holds.
template <class Value>
typename Value::non_const_value_type on_host(Exec const& exec, Value const& view) {
  typename Value::non_const_value_type value{};
  Kokkos::deep_copy(exec, value, view);
  exec.fence();
  return value;
}

/// n elements from first on.
template <class T>
View<T> part(View<T> const& view, std::size_t first, std::size_t n) {
  return Kokkos::subview(view, std::pair<std::size_t, std::size_t>(first, first + n));
}

/// Floats, room for their sums by a handle or an instance, and these as it finds them when nothing is unusual.
template <class Where>
struct Sums {
  explicit Sums(Where const& by, std::size_t n = 1 << 20)
      : where(by), exec(KokkosScan::driver::instance(by)), from("from", n), dest("dest", n), expected("expected", n) {
    fill(exec, from, 7);
    KokkosScan::inclusive_scan(where, from, expected);
    exec.fence();
  }
  void scan() const { KokkosScan::inclusive_scan(where, from, dest); }
  /// By calls that should make the same scan.
  template <class F>
  void expect_right_by(F const& calls) const {
    poison(exec, dest);
    calls();
    EXPECT_EQ(differences(exec, dest, expected), 0U);
  }
  void expect_right() const {
    expect_right_by([&] { scan(); });
  }

  Where const where;
  Exec const exec;
  View<float> const from, dest, expected;
};

inline void ok(cudaError_t status) { ASSERT_EQ(status, cudaSuccess) << cudaGetErrorString(status); }

/// A stream of the device that is current, for as long as it lives.
struct Stream {
  Stream() { ok(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking)); }
  ~Stream() { cudaStreamDestroy(stream); }
  Stream(Stream const&)            = delete;
  Stream& operator=(Stream const&) = delete;
  cudaStream_t stream{};
};

/// With an instance on it.
struct Instance {
  Stream const stream;
  Exec const exec{stream.stream};
};

/// The calls that are made while a stream is captured.
class Graph {
 public:
  template <class F>
  Graph(Exec const& exec, F const& calls) : stream_(exec.cuda_stream()) {
    ok(cudaStreamBeginCapture(stream_, cudaStreamCaptureModeGlobal));
    try {
      calls();
    } catch (...) {
      // Or Views could not be freed on the way out, and nobody would hear what was thrown.
      cudaStreamEndCapture(stream_, &graph_);
      throw;
    }
    ok(cudaStreamEndCapture(stream_, &graph_));
    ok(cudaGraphInstantiate(&replay_, graph_, 0));
  }
  ~Graph() {
    cudaGraphExecDestroy(replay_);
    cudaGraphDestroy(graph_);
  }
  Graph(Graph const&)            = delete;
  Graph& operator=(Graph const&) = delete;

  void launch() const { ok(cudaGraphLaunch(replay_, stream_)); }

  std::vector<cudaGraphNodeType> nodes() const {
    std::size_t count = 0;
    ok(cudaGraphGetNodes(graph_, nullptr, &count));
    std::vector<cudaGraphNode_t> nodes(count);
    ok(cudaGraphGetNodes(graph_, nodes.data(), &count));
    std::vector<cudaGraphNodeType> types(count);
    for (std::size_t i = 0; i < count; ++i) ok(cudaGraphNodeGetType(nodes[i], &types[i]));
    return types;
  }

 private:
  cudaStream_t stream_;
  cudaGraph_t graph_{};
  cudaGraphExec_t replay_{};
};

inline auto handle_for(Exec const& exec, KokkosScan::GridScan grid) {
  return KokkosScan::Handle(exec, KokkosScan::Options{.grid = grid});
}

/// The algorithms that a device runs in one launch.
inline std::vector<KokkosScan::GridScan> single_pass_grids() {
  using KokkosScan::GridScan;
  std::vector<GridScan> grids{GridScan::automatic, GridScan::lookback, GridScan::chained};
  if (KokkosScan::cuda::Backend::serves(Exec(), GridScan::pipelined)) grids.push_back(GridScan::pipelined);
  return grids;
}

/// f(grid) for each of these that scans as many floats, or any number.
template <class Grids, class F>
void for_each_grid(Grids const& grids, F const& f, std::size_t n = static_cast<std::size_t>(-1)) {
  for (KokkosScan::GridScan const grid : grids) {
    if (KokkosScan::cuda::Backend::most_values<float>(grid) < n) continue;
    if (!KokkosScan::cuda::Backend::serves(Exec(), grid)) continue;
    SCOPED_TRACE(to_string(grid));
    f(grid);
  }
}

}  // namespace device
