// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan/rows.hpp>
#include <KokkosScan/shortest_paths.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <functional>
#include <iterator>
#include <limits>
#include <queue>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "graph_inputs.hpp"

// Shortest paths on the default space beside Dijkstra's algorithm with a binary heap on one thread of the host: R-MAT,
// meshes, chains, a star, a graph in many pieces; weights of 1 to 255, and floats. The distances from the first source
// are compared bit for bit with Dijkstra's, those from all others are seen to be right edge by edge.
//
//   experiment_paths [divisor of the sizes; 1 on a device, 16 on a host if there is none] [tune: other Deltas, too]
namespace {

using graph_inputs::Exec;
using graph_inputs::Graph;
using graph_inputs::HostGraph;
using graph_inputs::Indices;
using graph_inputs::Ints;

constexpr bool on_host = Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible;
bool all_right         = true;

template <class T>
constexpr T unreached() {
  return std::is_floating_point_v<T> ? std::numeric_limits<T>::infinity() : std::numeric_limits<T>::max();
}

/// The same both ways.
template <class W>
struct PutWeights {
  Ints columns;
  Kokkos::View<W*, Exec> weights;
  KOKKOS_FUNCTION void operator()(std::size_t row, std::size_t entry) const {
    auto const to          = static_cast<std::size_t>(columns(entry));
    std::uint64_t const of = row < to ? row << 32 | to : to << 32 | row;
    std::uint64_t const x  = graph_inputs::mixed(of) >> 40;
    if constexpr (std::is_integral_v<W>)
      weights(entry) = static_cast<W>(1 + x % 255);
    else
      weights(entry) = static_cast<W>(1 + x) / static_cast<W>(1 << 24);
  }
};

/// Whether an edge is longer than its ends are apart, and which vertices have an edge that is as long.
template <class T>
struct Tight {
  Ints columns;
  Kokkos::View<T*, Exec> weights, distances;
  Kokkos::View<char*, Exec> has_one;
  Kokkos::View<std::uint64_t, Exec> wrong;
  KOKKOS_FUNCTION void operator()(std::size_t row, std::size_t entry) const {
    if (distances(row) == std::numeric_limits<T>::max() || distances(row) > std::numeric_limits<T>::max()) return;
    T const there = distances(row) + weights(entry);
    auto const to = static_cast<std::size_t>(columns(entry));
    if (there < distances(to)) Kokkos::atomic_add(&wrong(), std::uint64_t{1});
    if (there == distances(to)) has_one(to) = 1;
  }
};
template <class T>
struct NotTight {
  Kokkos::View<T*, Exec> distances;
  Kokkos::View<char*, Exec> has_one;
  std::size_t source;
  KOKKOS_FUNCTION void operator()(std::size_t v, std::uint64_t& sum) const {
    bool const is_far = distances(v) >= std::numeric_limits<T>::max();
    if (v == source ? distances(v) != T{0} : !is_far && has_one(v) == 0) ++sum;
  }
};
/// Weights are more than 0: distances that no edge shortens and of which each is as long as one edge more than another
/// are the shortest. What is not reached but could be is an edge that shortens.
template <class T>
std::uint64_t wrong_ones(Graph const& graph, Kokkos::View<T*, Exec> const& weights,
                         Kokkos::View<T*, Exec> const& distances, std::size_t source) {
  Kokkos::View<char*, Exec> const has_one("has one", graph.vertices);
  Kokkos::View<std::uint64_t, Exec> const wrong("wrong");
  KokkosScan::for_each_slot(Exec(), graph.row_offsets, Tight<T>{graph.columns, weights, distances, has_one, wrong});
  std::uint64_t edges = 0, vertices = 0;
  Kokkos::parallel_reduce(Indices(0, graph.vertices), NotTight<T>{distances, has_one, source}, vertices);
  Kokkos::deep_copy(edges, wrong);
  return edges + vertices;
}

template <class T>
std::vector<T> to_host(Kokkos::View<T*, Exec> const& view) {
  std::vector<T> all(view.extent(0));
  Kokkos::deep_copy(Kokkos::View<T*, Kokkos::HostSpace>(all.data(), all.size()), view);
  return all;
}

template <class T>
std::vector<T> dijkstra(HostGraph const& graph, std::vector<T> const& weights, std::int32_t source) {
  using Entry = std::pair<T, std::int32_t>;
  std::vector<T> distances(graph.vertices(), unreached<T>());
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> queue;
  distances[static_cast<std::size_t>(source)] = 0;
  queue.push({T{0}, source});
  while (!queue.empty()) {
    auto const [distance, vertex] = queue.top();
    queue.pop();
    auto const v = static_cast<std::size_t>(vertex);
    if (distance > distances[v]) continue;
    for (auto e = graph.row_offsets[v]; e < graph.row_offsets[v + 1]; ++e) {
      auto const edge       = static_cast<std::size_t>(e);
      std::int32_t const to = graph.columns[edge];
      T const there         = distance + weights[edge];
      if (!(there < distances[static_cast<std::size_t>(to)])) continue;
      distances[static_cast<std::size_t>(to)] = there;
      queue.push({there, to});
    }
  }
  return distances;
}

/// In milliseconds.
template <class Call>
double time_of(Call const& call) {
  Kokkos::fence();
  Kokkos::Timer const timer;
  call();
  Kokkos::fence();
  return timer.seconds() * 1e3;
}

template <class T, class... Delta>
double median_of(Graph const& graph, Kokkos::View<T*, Exec> const& weights, Kokkos::View<T*, Exec> const& distances,
                 std::vector<std::int32_t> const& sources, bool checks, Delta const&... delta) {
  std::vector<double> times;
  for (std::int32_t const source : sources) {
    times.push_back(time_of([&] {
      KokkosScan::shortest_paths(Exec(), graph.row_offsets, graph.columns, weights, source, distances, delta...);
    }));
    if (checks && wrong_ones(graph, weights, distances, static_cast<std::size_t>(source)) != 0) {
      std::printf("DISTANCES FROM %d ARE WRONG\n", source);
      all_right = false;
    }
  }
  std::sort(times.begin(), times.end());
  return times[times.size() / 2];
}

/// A goal of 0 is none.
template <class T>
void measure(std::string const& name, Graph const& graph, HostGraph const& on_host_, std::size_t count, double goal,
             bool tunes) {
  Kokkos::View<T*, Exec> const weights("weights", graph.columns.extent(0)), distances("distances", graph.vertices);
  KokkosScan::for_each_slot(Exec(), graph.row_offsets, PutWeights<T>{graph.columns, weights});
  auto const sources = graph_inputs::sources_of(on_host_, count);
  auto const lengths = to_host(weights);
  KokkosScan::shortest_paths(Exec(), graph.row_offsets, graph.columns, weights, sources[0], distances);
  std::vector<T> expected;
  double const serial = time_of([&] { expected = dijkstra(on_host_, lengths, sources[0]); });
  bool const same     = to_host(distances) == expected;
  double const ours   = median_of(graph, weights, distances, sources, true);
  std::size_t reached = 0;
  for (T const distance : expected) reached += distance < unreached<T>() ? 1U : 0U;
  std::printf("%-34s %s: %9.3f ms, median of %zu sources", name.c_str(),
              std::is_integral_v<T> ? "1 to 255" : "floats  ", ours, sources.size());
  if (goal > 0) std::printf(" (goal %.0f ms: %s)", goal, ours <= goal ? "met" : "MISSED");
  std::printf("; Dijkstra %9.3f ms: %.2f times its speed; %zu of %zu reached%s\n", serial, serial / ours, reached,
              graph.vertices, same ? "" : "; WRONG");
  std::fflush(stdout);
  if (!same) all_right = false;
  if (!tunes) return;
  double const mean = std::is_integral_v<T> ? 128 : 0.5;
  std::vector<std::int32_t> const few(sources.begin(),
                                      sources.begin() + std::min<std::ptrdiff_t>(5, std::ssize(sources)));
  for (double const part : std::vector<double>{1.0 / 32, 1.0 / 16, 0.125, 0.25, 0.5, 1, 2, 4, 8, 16})
    std::printf("    Delta %10.4f: %9.3f ms\n", part * mean,
                median_of(graph, weights, distances, few, false, KokkosScan::Delta{part * mean}));
  std::fflush(stdout);
}

void both(std::string const& name, Graph const& graph, std::size_t count, double goal, bool tunes) {
  HostGraph const on_host_ = graph_inputs::to_host(graph);
  measure<std::int32_t>(name, graph, on_host_, count, goal, tunes);
  measure<float>(name, graph, on_host_, count, 0, false);
}

std::string power(int exponent) { return "2^" + std::to_string(exponent); }

}  // namespace

int main(int count, char** arguments) {
  Kokkos::ScopeGuard const kokkos(count, arguments);
  std::int64_t const divisor = count > 1 ? std::atoll(arguments[1]) : on_host ? 16 : 1;
  bool const tunes           = count > 2 && std::string(arguments[2]) == "tune";
  if (divisor < 1 || divisor > 1 << 12) {
    std::fprintf(stderr, "experiment_paths: the divisor of the sizes must be from 1 to 4096\n");
    return 1;
  }
  int down = 0;
  while (divisor >> (down + 1) != 0) ++down;
  {
    int const scale = 22 - down;
    both("R-MAT, " + power(scale) + " vertices, " + power(scale + 4) + " edges",
         graph_inputs::make_rmat(scale, std::size_t{1} << (scale + 4)), 16, divisor == 1 && !on_host ? 60 : 0, tunes);
  }
  {
    int const scale = 22 - down;
    both("R-MAT in pieces, " + power(scale) + ", " + power(scale - 1),
         graph_inputs::make_rmat(scale, std::size_t{1} << (scale - 1)), 7, 0, false);
  }
  {
    std::int32_t const side = std::max(1024 >> (down / 2), 8);
    graph_inputs::Grid const grid{side, side};
    both("mesh, " + std::to_string(side) + " x " + std::to_string(side),
         graph_inputs::make(grid.vertices(), grid.edges(), grid), 7, 0, tunes);
  }
  {
    int const scale            = on_host ? 20 - down / 2 : std::max(16 - down / 2, 8);
    std::size_t const vertices = std::size_t{1} << scale;
    both("chain, " + power(scale), graph_inputs::make(vertices, vertices - 1, graph_inputs::Chain{vertices}), 7, 0,
         false);
    both("chain in no order, " + power(scale),
         graph_inputs::make(vertices, vertices - 1, graph_inputs::Chain{vertices, true}), 7, 0, false);
  }
  {
    std::size_t const vertices = std::size_t{1} << (20 - down / 2);
    both("star, " + power(20 - down / 2), graph_inputs::make(vertices, vertices - 1, graph_inputs::Star{vertices}), 7,
         0, false);
  }
  std::puts(all_right ? "all results are right" : "RESULTS ARE WRONG");
  return all_right ? 0 : 1;
}
