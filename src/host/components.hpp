// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>

#include "../core/rows.hpp"
#include "graphs.hpp"
#include "launch.hpp"
#include "rows.hpp"
#include "workers.hpp"

// Connected components on hosts: Forest is that of src/portable/components.hpp. What takes time are loads that wait for
// others, branches that are guessed wrong behind them, and lines that go from core to core.
namespace KokkosScan::host::components {

/// The smallest of the first neighbours of each vertex makes its parent, if that is smaller; or its parent, if the same
/// worker has come by it before.
template <class Exec, class Forest>
void plant(Exec const& exec, std::string const& label, Forest const& forest) {
  constexpr std::size_t first_few = 4;
  auto const& graph               = forest.graph;
  std::size_t const n             = graph.vertices();
  auto const workers              = static_cast<std::size_t>(workers_for_loop(exec, n, n));
  host::launch(KokkosWorkers<Exec>(exec, label, static_cast<int>(workers)), [&](int worker, Failure const&) {
    using Vertex            = typename Forest::Vertex;
    auto const k            = static_cast<std::size_t>(worker);
    std::size_t const share = (n + workers - 1) / workers, first = k * share;
    for (std::size_t vertex = first; vertex < std::min(first + share, n); ++vertex) {
      std::size_t begin, end, parent = vertex;
      host::find_edges(graph, graph.offsets.offsets, vertex, begin, end);
      end = std::min(end, begin + first_few);
      for (std::size_t edge = begin; edge < end; ++edge) parent = std::min(parent, graph.target(edge));
      forest.parents[vertex] = static_cast<Vertex>(vertex);
      forest.parents[vertex] = parent < first ? static_cast<Vertex>(parent) : forest.parents[parent];
    }
  });
}

/// Edges between trees, as pairs of vertices in them. Many climb together, a step each: their loads do not wait for
/// each other, and pairs that have met are left out without a branch.
template <class Forest>
class Pairs {
  using Vertex = typename Forest::Vertex;

 public:
  explicit Pairs(Forest const& forest) : forest_(forest) {}

  /// Edges of a vertex.
  void add(Vertex vertex, std::size_t begin, std::size_t end) {
    std::size_t size = size_;
    for (std::size_t edge = begin; edge < end; ++edge) {
      std::size_t const target = forest_.graph.target(edge);
      if (!forest_.graph.is_vertex(target)) continue;
      put(vertex, forest_.parent_of(static_cast<Vertex>(target)), size);
      if (size < most) continue;
      link(size);
      size = 0;
    }
    size_ = size;
  }
  void link() {
    link(size_);
    size_ = 0;
  }

 private:
  static constexpr std::size_t most = 256;

  void put(Vertex a, Vertex b, std::size_t& size) {
    pairs_[size].a = a;
    pairs_[size].b = b;
    size += a != b ? 1U : 0U;
  }
  void link(std::size_t size) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < size; ++i) put(forest_.parent_of(pairs_[i].a), forest_.parent_of(pairs_[i].b), kept);
    for (std::size_t i = 0; i < kept; ++i) forest_.link(pairs_[i].a, pairs_[i].b);
  }

  struct Pair {
    Vertex a, b;
  };

  Forest forest_;
  Pair pairs_[most];
  std::size_t size_ = 0;
};

/// What LinkEdges does, vertex by vertex. Workers go over the rows side by side, a chunk each: else who has the second
/// half of a long chain that is shuffled would come by the vertices of the first half when their worker does.
template <class Exec, class Forest>
void link_edges(Exec const& exec, std::string const& label, Forest const& forest,
                typename Forest::Vertex const* left_out, std::size_t most_of_row) {
  using Vertex                = typename Forest::Vertex;
  constexpr std::size_t chunk = 32 * 1024;
  auto const& graph           = forest.graph;
  using Offsets               = std::remove_cvref_t<decltype(graph.offsets.offsets)>;
  core::Rows<Offsets> const all{graph.offsets.offsets, graph.vertices(), graph.entries};
  rows::for_each_chunk(exec, label, all, chunk, [&](auto const& order, std::size_t first, std::size_t behind) {
    Pairs<Forest> pairs(forest);
    auto const add = [&](std::size_t vertex, std::size_t begin, std::size_t end) {
      Vertex const parent = forest.step(static_cast<Vertex>(vertex));
      if (left_out && parent == *left_out) return;
      pairs.add(parent, begin, std::min(end, begin + most_of_row));
    };
    rows::walk_spans(order, add, first, behind);
    pairs.link();
  });
}

}  // namespace KokkosScan::host::components
