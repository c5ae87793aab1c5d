// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <string>

#include "../core/rows.hpp"
#include "rows.hpp"

// The edges of connected components on hosts: each worker goes over the rows of a share of them, and over a row from
// its end on. Else who has a long row would come by its vertices in the same order as who has their rows, and each
// would wait for lines that the other has just written: a star of 2^20 took 1.2 to 1.7 times as long.
namespace KokkosScan::host::components {

/// What LinkEdges of src/portable/components.hpp does, vertex by vertex: Forest is the one there.
template <class Exec, class Forest>
void link_edges(Exec const& exec, std::string const& label, Forest const& forest,
                typename Forest::Vertex const* left_out) {
  using Vertex      = typename Forest::Vertex;
  auto const& graph = forest.graph;
  using Offsets     = std::remove_cvref_t<decltype(graph.offsets.offsets)>;
  auto const link   = [&](std::size_t vertex, std::size_t begin, std::size_t end) {
    auto const own = static_cast<Vertex>(vertex);
    Vertex parent  = forest.parent_of(own);
    if (left_out && parent == *left_out) return;
    for (std::size_t edge = end; edge > begin;) {
      std::size_t const target = graph.target(--edge);
      if (!graph.is_vertex(target)) continue;
      if (forest.parent_of(static_cast<Vertex>(target)) == parent) continue;
      forest.link(own, static_cast<Vertex>(target));
      parent = forest.parent_of(own);
    }
  };
  core::Rows<Offsets> const all{graph.offsets.offsets, graph.vertices(), graph.entries};
  rows::for_each_share(exec, label, all, [&](auto const& order, std::size_t begin, std::size_t end) {
    rows::walk_spans(order, link, begin, end);
  });
}

}  // namespace KokkosScan::host::components
