// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "../core/graphs.hpp"
#include "counted.hpp"
#include "scan_segments.hpp"

// What is checked of the row offsets and columns of a graph (src/core/graphs.hpp).
namespace KokkosScan {

/// Says of a graph that each of its edges is there both ways, in the rows of both vertices.
struct Symmetric {};

namespace driver {

/// Whether they are what they must be, in words.
template <class RowOffsets, class Columns, class Exec>
consteval bool check_types_of_graph() {
  if constexpr (check_arrays<Exec, RowOffsets, Columns>()) {
    constexpr bool are_integers = CountType<ValueIn<RowOffsets>> && CountType<ValueIn<Columns>> &&
                                  sizeof(ValueIn<RowOffsets>) <= 8 && sizeof(ValueIn<Columns>) <= 8;
    static_assert(are_integers, "KokkosScan: the row_offsets and columns of a graph must be Views of integers");
    return are_integers;
  } else {
    return false;
  }
}

/// Row offsets are one more than there are vertices, or none.
template <class RowOffsets>
std::size_t vertices_of(RowOffsets const& row_offsets) {
  return row_offsets.extent(0) > 0 ? row_offsets.extent(0) - 1 : 0;
}

/// Calls f(graph), a core::Graph of these Views.
template <class RowOffsets, class Columns, class F>
void with_graph(RowOffsets const& row_offsets, Columns const& columns, F const& f) {
  using Integer = ValueIn<RowOffsets>;
  driver::with_elements(columns, [&](auto const& elements) {
    f(core::Graph<Integer, std::remove_cvref_t<decltype(elements)>>{
        {strided<Integer const>(row_offsets), driver::vertices_of(row_offsets)}, elements, columns.extent(0)});
  });
}

[[noreturn, gnu::cold]] inline void throw_wrong_column(std::string const& label, std::size_t edge,
                                                       std::string const& column, std::size_t vertices) {
  throw std::invalid_argument(label + ": columns(" + std::to_string(edge) + ") is " + column + "; there are " +
                              std::to_string(vertices) + " vertices, and a column is one of them, from 0 on");
}

/// On request: calls report(edge, of_edge) if there are edges that are wrong(edge), of the first one in any row, with
/// what an array as long as columns has for it. Waits for that.
template <class ExecOrHandle, class Graph, class Array, class Wrong, class Report>
void check_edges(std::string const& label, ExecOrHandle const& exec_or_handle, Graph const& graph, Array const& array,
                 Wrong const& wrong, Report const& report) {
  if constexpr (requires { driver::choice(exec_or_handle).check; }) {
    if (!driver::choice(exec_or_handle).check || graph.vertices() == 0 || graph.entries == 0) return;
    std::size_t const first = driver::first_found(label, exec_or_handle, "a graph", graph.entries, graph.entries,
                                                  core::FindWrongEdge<Graph, Wrong>{graph, wrong});
    if (first == graph.entries) return;
    std::remove_const_t<core::ElementOf<Array>> of_first{};
    driver::copy_to_host(label, exec_or_handle, &array[first], of_first);
    report(first, of_first);
  }
}

/// What every call that is handed a graph checks: that columns can name all vertices, and on request that offsets
/// ascend within the columns, and columns are vertices.
template <class ExecOrHandle, class Graph>
void check_graph(std::string const& label, ExecOrHandle const& exec_or_handle, Graph const& graph) {
  using Column = typename Graph::Column;
  using Vertex = typename Graph::Vertex;  // which also holds how many there are
  if (graph.vertices() > 0 && (graph.vertices() - 1 > static_cast<std::size_t>(std::numeric_limits<Column>::max()) ||
                               graph.vertices() > std::numeric_limits<Vertex>::max()))
    throw std::invalid_argument(label + ": row_offsets has " + std::to_string(graph.vertices() + 1) +
                                " entries, for one vertex less, and the type of columns holds at most " +
                                std::to_string(std::numeric_limits<Column>::max()));
  // It refuses what cannot wait, for both.
  driver::check_segments(label, exec_or_handle, graph.offsets, graph.entries, "row_offsets", "columns");
  driver::check_edges(label, exec_or_handle, graph, graph.columns, core::LeadsNowhere<Graph>{graph},
                      [&](std::size_t edge, Column column) {
                        throw_wrong_column(label, edge, std::to_string(column), graph.vertices());
                      });
}

/// What may stand behind the results of a search.
template <class... Rest>
consteval bool check_symmetric() {
  constexpr bool only = sizeof...(Rest) <= 1 && (std::is_same_v<Rest, Symmetric> && ...);
  static_assert(only, "KokkosScan: behind the results may stand Symmetric{} and nothing else");
  return only;
}

/// What a call finds for each vertex goes apart from the graph, and there is room for it.
template <class RowOffsets, class Columns, class View>
Regions regions_of_graph(std::string const& label, RowOffsets const& row_offsets, Columns const& columns,
                         char const* name, View const& view) {
  std::size_t const vertices = driver::vertices_of(row_offsets);
  check_extents(label, "row_offsets without its last entry", vertices, name, view.extent(0));
  Regions regions(label);
  regions.reads("row_offsets", row_offsets, row_offsets.extent(0)).reads("columns", columns, columns.extent(0));
  regions.writes(name, view, vertices);
  return regions;
}

}  // namespace driver
}  // namespace KokkosScan
