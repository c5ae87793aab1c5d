// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/histogram.hpp>
#include <KokkosScan/offsets.hpp>
#include <KokkosScan/sort.hpp>
#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <vector>

// Graphs that are made on the default space, edge by edge, each edge of its number alone: what the programs about
// graphs measure.
namespace graph_inputs {

using Exec    = Kokkos::DefaultExecutionSpace;
using Indices = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
using Ints    = Kokkos::View<std::int32_t*, Exec>;

KOKKOS_INLINE_FUNCTION std::uint64_t mixed(std::uint64_t x) {
  x += 0x9e3779b97f4a7c15U;
  x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
  x = (x ^ x >> 27) * 0x94d049bb133111ebU;
  return x ^ x >> 31;
}

struct Edge {
  std::int32_t from, to;
};

/// R-MAT (Chakrabarti, Zhan, Faloutsos 2004) with the probabilities of Graph500, .57, .19, .19 and .05, and numbers of
/// vertices that say nothing of their degrees. Edges may be there twice, and go from a vertex to itself.
struct Rmat {
  int scale;  // 2^scale vertices
  std::uint64_t seed = 1;

  KOKKOS_FUNCTION Edge operator()(std::size_t edge) const {
    std::uint32_t from = 0, to = 0;
    std::uint64_t bits = 0;
    for (int level = 0; level < scale; ++level) {
      if (level % 4 == 0) bits = mixed(edge * 8 + static_cast<std::uint64_t>(level / 4) + (seed << 40));
      auto const x = static_cast<std::uint32_t>(bits & 0xffffU);
      bits >>= 16;
      constexpr std::uint32_t a = 37356, b = 12452;  // of 2^16
      from = from << 1 | (x >= a + b ? 1U : 0U);
      to   = to << 1 | ((x >= a && x < a + b) || x >= a + 2 * b ? 1U : 0U);
    }
    return {renamed(from), renamed(to)};
  }

 private:
  /// One to one among numbers of so many bits.
  KOKKOS_FUNCTION std::int32_t renamed(std::uint32_t x) const {
    std::uint32_t const mask = (std::uint32_t{1} << scale) - 1;
    for (int k = 0; k < 3; ++k) {
      x = (x * 0x9e3779b1U + 0x7f4a7c15U) & mask;
      x ^= x >> (scale / 2 + 1);
    }
    return static_cast<std::int32_t>(x);
  }
};

/// A square mesh: edge 2 v goes to the right of vertex v and 2 v + 1 below it, or at the border to itself.
struct Grid {
  std::int32_t rows, columns;

  std::size_t vertices() const { return static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns); }
  std::size_t edges() const { return 2 * vertices(); }
  KOKKOS_FUNCTION Edge operator()(std::size_t edge) const {
    auto const v       = static_cast<std::int32_t>(edge / 2);
    bool const is_down = edge % 2 == 1, is_last = is_down ? v / columns == rows - 1 : v % columns == columns - 1;
    return {v, is_last ? v : v + (is_down ? columns : 1)};
  }
};

/// Vertex after vertex, in the order of their numbers or in one that has nothing to do with them, `vertices` being a
/// power of two.
struct Chain {
  std::size_t vertices;
  bool is_shuffled = false;

  KOKKOS_FUNCTION Edge operator()(std::size_t edge) const { return {name(edge), name(edge + 1)}; }
  KOKKOS_FUNCTION std::int32_t name(std::size_t k) const {
    std::size_t const x = is_shuffled ? (k * std::size_t{0x9e3779b1}) & (vertices - 1) : k;
    return static_cast<std::int32_t>(x);
  }
};

/// One in the middle, the last vertex.
struct Star {
  std::size_t vertices;
  KOKKOS_FUNCTION Edge operator()(std::size_t edge) const {
    return {static_cast<std::int32_t>(vertices - 1), static_cast<std::int32_t>(edge)};
  }
};

/// Islands of so many vertices each, random edges within them.
struct Islands {
  std::size_t size, vertices;
  KOKKOS_FUNCTION Edge operator()(std::size_t edge) const {
    std::uint64_t const x  = mixed(edge);
    std::size_t const from = (x >> 32) % vertices;
    std::size_t const to   = from / size * size + (x & 0xffffffffU) % size;
    return {static_cast<std::int32_t>(from), static_cast<std::int32_t>(to < vertices ? to : from)};
  }
};

/// Edge k there and back, as entries 2 k and 2 k + 1; an edge to itself goes nowhere else on its way back.
template <class EdgeOf>
struct BothWays {
  EdgeOf edge_of;
  Ints from, to;
  KOKKOS_FUNCTION void operator()(std::size_t k) const {
    Edge const edge = edge_of(k);
    from(2 * k)     = edge.from;
    to(2 * k)       = edge.to;
    from(2 * k + 1) = edge.to;
    to(2 * k + 1)   = edge.from;
  }
};

/// In compressed rows, each edge in both of its rows.
struct Graph {
  Ints row_offsets, columns;
  std::size_t vertices, edges;  // edges count once
};

/// Edges edge_of(0) ... edge_of(edges - 1) among so many vertices. What is there twice stays.
template <class EdgeOf>
Graph make(std::size_t vertices, std::size_t edges, EdgeOf const& edge_of) {
  Exec const exec;
  std::size_t const entries = 2 * edges;
  Ints const from(Kokkos::view_alloc("from", Kokkos::WithoutInitializing), entries);
  Graph const graph{Ints("row offsets", vertices + 1),
                    Ints(Kokkos::view_alloc("columns", Kokkos::WithoutInitializing), entries), vertices, edges};
  Kokkos::parallel_for(Indices(exec, 0, edges), BothWays<EdgeOf>{edge_of, from, graph.columns});
  Ints const counts("counts", vertices);
  KokkosScan::count_keys(exec, from, counts);
  KokkosScan::offsets_from_counts(exec, counts, graph.row_offsets);
  KokkosScan::sort_by_key(exec, from, graph.columns);
  exec.fence();
  return graph;
}

inline Graph make_rmat(int scale, std::size_t edges, std::uint64_t seed = 1) {
  return make(std::size_t{1} << scale, edges, Rmat{scale, seed});
}

/// The same on the host, for serial references.
struct HostGraph {
  std::vector<std::int32_t> row_offsets, columns;
  std::size_t vertices() const { return row_offsets.size() - 1; }
};

inline std::vector<std::int32_t> to_host(Ints const& view) {
  std::vector<std::int32_t> all(view.extent(0));
  Kokkos::deep_copy(Kokkos::View<std::int32_t*, Kokkos::HostSpace>(all.data(), all.size()), view);
  return all;
}
inline HostGraph to_host(Graph const& graph) { return {to_host(graph.row_offsets), to_host(graph.columns)}; }

/// Vertices that have edges, each a seed's own.
inline std::vector<std::int32_t> sources_of(HostGraph const& graph, std::size_t count, std::uint64_t seed = 7) {
  std::vector<std::int32_t> sources;
  for (std::uint64_t k = 0; sources.size() < count && k < 1000000; ++k) {
    std::size_t const v = mixed(k + (seed << 32)) % graph.vertices();
    if (graph.row_offsets[v + 1] > graph.row_offsets[v]) sources.push_back(static_cast<std::int32_t>(v));
  }
  return sources;
}

}  // namespace graph_inputs
