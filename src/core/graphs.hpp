// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "arrays.hpp"
#include "segments.hpp"

// Graphs in compressed rows: the edges of vertex v are those from row_offsets(v) on, up to row_offsets(v + 1), and
// columns(e) is the vertex that edge e goes to. Whoever walks a graph by what stands here stays within it, whatever
// offsets and columns hold: offsets are as if they were within the columns, a row that would end before it begins is
// empty, and of a column that is no vertex one is told so.
namespace KokkosScan::core {

/// Integer is the type of row offsets.
template <class Integer, class Columns>
struct Graph {
  using Column = ElementOf<Columns>;
  /// Numbers of vertices, in scratch: as wide as columns have to be to name them all.
  using Vertex = std::conditional_t<sizeof(Column) <= 4, std::uint32_t, std::uint64_t>;

  Offsets<Integer> offsets;
  Columns columns;
  std::size_t entries;  // of columns

  KOKKOSSCAN_FUNCTION std::size_t vertices() const { return offsets.segments; }
  KOKKOSSCAN_FUNCTION std::size_t begin_of(std::size_t vertex) const { return offsets.clamped(vertex, entries); }
  KOKKOSSCAN_FUNCTION std::size_t end_of(std::size_t vertex) const { return offsets.clamped(vertex + 1, entries); }
  KOKKOSSCAN_FUNCTION std::size_t degree_of(std::size_t vertex) const {
    std::size_t const begin = begin_of(vertex), end = end_of(vertex);
    return end > begin ? end - begin : 0;
  }
  /// Where an edge goes to; a number that is not below vertices(), if that is no vertex.
  KOKKOSSCAN_FUNCTION std::size_t target(std::size_t edge) const {
    return static_cast<std::size_t>(columns[edge]);  // what is negative is large
  }
  KOKKOSSCAN_FUNCTION bool is_vertex(std::size_t target) const { return target < vertices(); }
};

/// The first edge of any row that is wrong(edge); as many as there are columns, if all are right.
template <class Graph, class Wrong>
struct FindWrongEdge {
  Graph graph;
  Wrong wrong;

  KOKKOSSCAN_FUNCTION void operator()(std::size_t edge, std::size_t& first) const {
    if (edge < first && edge >= graph.begin_of(0) && edge < graph.begin_of(graph.vertices()) && wrong(edge))
      first = edge;
  }
};

/// Whether an edge leads to what is no vertex.
template <class Graph>
struct LeadsNowhere {
  Graph graph;
  KOKKOSSCAN_FUNCTION bool operator()(std::size_t edge) const { return !graph.is_vertex(graph.target(edge)); }
};

}  // namespace KokkosScan::core
