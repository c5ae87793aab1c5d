// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>

#include "../core/graphs.hpp"
#include "atomics.hpp"
#include "team_reduce.hpp"

// Connected components as trees of a forest: the parent of a vertex is one of its component that is smaller, or itself.
// Roots alone are given other parents, by a compare-exchange, and always smaller ones. So a tree that has a whole
// component has its smallest vertex as root, whoever links first.
namespace KokkosScan::portable::components {

/// Parents may be changed by others at any time, but only to vertices that are nearer to the root.
template <class Graph_>
struct Forest {
  using Graph  = Graph_;
  using Vertex = typename Graph::Vertex;

  Graph graph;
  Vertex* parents;

  KOKKOS_FUNCTION Vertex parent_of(Vertex vertex) const { return Kokkos::atomic_load(parents + vertex); }

  /// Makes one tree of those that two vertices are in. Where it climbs it lets parents be skipped.
  KOKKOS_FUNCTION void link(Vertex a, Vertex b) const {
    a = parent_of(a);
    b = parent_of(b);
    while (a != b) {
      Vertex const high = a > b ? a : b, low = a > b ? b : a;
      Vertex parent = parent_of(high);
      if (parent == high) parent = Kokkos::atomic_compare_exchange(parents + high, high, low);
      if (parent == high || parent == low) return;
      a = parent_of(parent);
      if (a != parent) Kokkos::atomic_store(parents + high, a);
      b = parent_of(low);
    }
  }

  /// The parent of a vertex, or, if it has one, that one's: then that is the vertex's from now on. A root is left
  /// alone, since others may give it a parent meanwhile.
  KOKKOS_FUNCTION Vertex step(Vertex vertex) const {
    Vertex const parent = parent_of(vertex), above = parent_of(parent);
    if (above != parent) Kokkos::atomic_store(parents + vertex, above);
    return above;
  }

  /// Makes a root its vertex's parent, and returns it. When all do so at once, each finds what others have skipped, and
  /// a path is half as long after each step.
  KOKKOS_FUNCTION Vertex climb(Vertex vertex) const {
    Vertex parent = parent_of(vertex);
    for (Vertex above = parent_of(parent); above != parent; above = parent_of(parent)) {
      Kokkos::atomic_store(parents + vertex, above);
      parent = above;
    }
    return parent;
  }
};

/// The first edge of each vertex makes its parent, if that is smaller.
template <class Forest>
struct Plant {
  Forest forest;
  KOKKOS_FUNCTION void operator()(std::size_t vertex) const {
    auto const& graph  = forest.graph;
    std::size_t parent = vertex;
    if (graph.degree_of(vertex) > 0) parent = graph.target(graph.begin_of(vertex));
    forest.parents[vertex] = static_cast<typename Forest::Vertex>(parent < vertex ? parent : vertex);
  }
};

/// One edge of each vertex that has so many.
template <class Forest>
struct LinkNeighbours {
  Forest forest;
  std::size_t which;

  KOKKOS_FUNCTION void operator()(std::size_t vertex) const {
    auto const& graph = forest.graph;
    if (graph.degree_of(vertex) <= which) return;
    std::size_t const target = graph.target(graph.begin_of(vertex) + which);
    using Vertex             = typename Forest::Vertex;
    if (graph.is_vertex(target)) forest.link(static_cast<Vertex>(vertex), static_cast<Vertex>(target));
  }
};

template <class Forest>
struct Compress {
  Forest forest;
  KOKKOS_FUNCTION void operator()(std::size_t vertex) const {
    forest.climb(static_cast<typename Forest::Vertex>(vertex));
  }
};

/// All edges, as items of the rows of vertices. Those within a tree, which most are by now, cost a look at the parents;
/// where edges are there both ways, those from one tree are left out, since what leads into it is followed from
/// outside.
template <class Forest>
struct LinkEdges {
  Forest forest;
  typename Forest::Vertex const* left_out;  // its root; null where none is

  KOKKOS_FUNCTION void operator()(std::size_t vertex, std::size_t edge) const {
    using Vertex                = typename Forest::Vertex;
    Vertex const* const parents = forest.parents;
    Vertex const parent         = portable::glimpse(parents + vertex);
    if (left_out && parent == *left_out) return;
    std::size_t const target = forest.graph.target(edge);
    if (!forest.graph.is_vertex(target) || portable::glimpse(parents + target) == parent) return;
    forest.link(static_cast<Vertex>(vertex), static_cast<Vertex>(target));
  }
};

/// The label of each vertex is its root.
template <class Forest, class Labels>
struct PutRoots {
  Forest forest;
  Labels labels;
  KOKKOS_FUNCTION void operator()(std::size_t vertex) const {
    core::put(labels[vertex],
              static_cast<core::ElementOf<Labels>>(forest.climb(static_cast<typename Forest::Vertex>(vertex))));
  }
};

/// Finds, as one team, the tree that most of some vertices are in. Its own vertices, spread over all, are always the
/// same; the trees may not be, and nothing but speed depends on which it is.
template <class Forest>
struct FindLargest {
  using Vertex = typename Forest::Vertex;

  static constexpr int team_size = 1024;

  Forest forest;
  Vertex* samples;
  std::size_t count;
  Vertex* largest;

  template <class Member>
  KOKKOS_FUNCTION void operator()(Member const& team) const {
    auto const size = static_cast<std::size_t>(team.team_size()), rank = static_cast<std::size_t>(team.team_rank());
    for (std::size_t i = rank; i < count; i += size) samples[i] = forest.parents[vertex_of(i)];
    team.team_barrier();
    std::uint64_t most = 0;  // how often, and behind that which
    for (std::size_t i = rank; i < count; i += size) {
      std::uint64_t alike = 0;
      for (std::size_t k = 0; k < count; ++k) alike += samples[k] == samples[i] ? 1U : 0U;
      std::uint64_t const own = alike << 32 | i;
      if (own > most) most = own;
    }
    most_of_team(team, most);
    if (rank == 0) *largest = samples[most & 0xffffffffU];
  }

 private:
  KOKKOS_FUNCTION std::size_t vertex_of(std::size_t sample) const {
    std::uint64_t x = (sample + 1) * 0x9e3779b97f4a7c15U;
    x ^= x >> 29;
    return static_cast<std::size_t>(x * 0xbf58476d1ce4e5b9U >> 16) % forest.graph.vertices();
  }
};

/// A team of the calling thread alone.
struct OneThread {
  KOKKOS_FUNCTION int team_rank() const { return 0; }
  KOKKOS_FUNCTION int team_size() const { return 1; }
  KOKKOS_FUNCTION void team_barrier() const {}
  template <class Reducer>
  KOKKOS_FUNCTION void team_reduce(Reducer const&) const {}
};

}  // namespace KokkosScan::portable::components
