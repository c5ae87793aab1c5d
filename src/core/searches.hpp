// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "graphs.hpp"
#include "length.hpp"
#include "problem.hpp"
#include "sinks.hpp"

// A search of a graph, level by level: what is kept of it, and the scans between levels. The frontier, the vertices
// that the last level has found, stands in a queue, or as bits where most vertices are looked at anyway.
namespace KokkosScan::core {

/// A bit for each vertex, in words of 32.
struct VertexBits {
  static constexpr std::size_t of_word = 32;

  std::uint32_t* words;

  KOKKOSSCAN_FUNCTION static constexpr std::size_t count(std::size_t vertices) {
    return (vertices + of_word - 1) / of_word;
  }
  KOKKOSSCAN_FUNCTION std::uint32_t& word_of(std::size_t vertex) const { return words[vertex / of_word]; }
  KOKKOSSCAN_FUNCTION static std::uint32_t bit_of(std::size_t vertex) { return std::uint32_t{1} << (vertex % of_word); }
  KOKKOSSCAN_FUNCTION bool at(std::size_t vertex) const { return (word_of(vertex) & bit_of(vertex)) != 0; }
};
KOKKOSSCAN_FUNCTION inline std::uint32_t count_of_ones(std::uint32_t word) {
  word -= (word >> 1) & 0x55555555U;
  word = (word & 0x33333333U) + ((word >> 2) & 0x33333333U);
  return (((word + (word >> 4)) & 0x0f0f0f0fU) * 0x01010101U) >> 24;
}
/// The number of the lowest bit of a word that is not 0.
KOKKOSSCAN_FUNCTION inline std::uint32_t lowest_one(std::uint32_t word) {
  return count_of_ones((word & (~word + 1)) - 1);
}

/// What kernels and the host tell each other.
struct SearchState {
  std::size_t frontier  = 0;                    // how many vertices the queue has
  std::size_t edges     = 0;                    // and they
  std::size_t level     = 0;                    // of the frontier
  std::size_t explored  = 0;                    // how many edges have been followed by one team or thread alone
  std::size_t reached   = 1;                    // vertices of all levels, which hosts count
  std::size_t found     = 0;                    // vertices, by looking for their neighbours in the frontier
  std::size_t long_rows = 0, longest_rows = 0;  // that were left for others then
};

/// What a search has for each vertex, in scratch but for levels.
template <class Graph_, class Levels>
struct Search {
  using Graph  = Graph_;
  using Vertex = typename Graph::Vertex;
  using Level  = ElementOf<Levels>;
  /// Of edges of the frontier.
  using Slot =
      std::conditional_t<sizeof(typename decltype(Graph::offsets)::Integer) <= 4, std::uint32_t, std::uint64_t>;

  Graph graph;
  Levels levels;
  VertexBits visited;  // those of the frontier too
  VertexBits fresh;    // found since they were looked through last
  Vertex *queue, *other;
  Slot *slots, *bases;  // slots[i]: edges of the queue before vertex i; bases[i] + slot: the edge itself
  SearchState* state;

  KOKKOSSCAN_FUNCTION std::size_t words() const { return VertexBits::count(graph.vertices()); }
  KOKKOSSCAN_FUNCTION void put_level(std::size_t vertex, std::size_t level) const {
    put(levels[vertex], static_cast<Level>(level));
  }
  /// Whether an edge leads to a vertex of an earlier level, or of this one.
  KOKKOSSCAN_FUNCTION bool leads_to_visited(std::size_t edge) const {
    std::size_t const target = graph.target(edge);
    return graph.is_vertex(target) && visited.at(target);
  }
};

/// Before the first level, for one vertex each, or those of a word.
template <class Search>
struct BeginSearch {
  Search search;
  std::size_t source, vertices_each;

  KOKKOSSCAN_FUNCTION void operator()(std::size_t i) const {
    std::size_t const n = search.graph.vertices(), first = i * vertices_each;
    std::size_t const behind = n - first < vertices_each ? n : first + vertices_each;
    for (std::size_t v = first; v < behind; ++v) put(search.levels[v], static_cast<typename Search::Level>(-1));
    if (first % VertexBits::of_word == 0) {
      bool const is_here            = first / VertexBits::of_word == source / VertexBits::of_word;
      search.visited.word_of(first) = is_here ? VertexBits::bit_of(source) : 0;
      search.fresh.word_of(first)   = 0;
    }
    if (source < first || source >= behind) return;
    search.put_level(source, 0);
    search.queue[0]        = static_cast<typename Search::Vertex>(source);
    *search.state          = SearchState{};
    search.state->frontier = 1;
  }
};

/// A level is done: what is fresh is visited.
template <class Search>
struct EndLevel {
  Search search;

  KOKKOSSCAN_FUNCTION void operator()(std::size_t word) const {
    search.visited.words[word] |= search.fresh.words[word];
    search.fresh.words[word] = 0;
    if (word == 0) {
      ++search.state->level;
      search.state->found = search.state->long_rows = search.state->longest_rows = 0;
    }
  }
};

/// From bits to a queue.
struct FreshVertices {
  VertexBits fresh;
  KOKKOSSCAN_FUNCTION std::size_t load(std::size_t word) const { return count_of_ones(fresh.words[word]); }
};
template <class Vertex>
struct PutFreshVertices {
  static constexpr Uses uses = {.before = true, .own = false, .through = false};

  VertexBits fresh;
  Vertex* queue;

  KOKKOSSCAN_FUNCTION void store(std::size_t word, std::size_t before, std::size_t, std::size_t) const {
    Vertex* place = queue + before;
    for (std::uint32_t bits = fresh.words[word]; bits != 0; bits &= bits - 1)
      *place++ = static_cast<Vertex>(word * VertexBits::of_word + lowest_one(bits));
  }
};

/// The edges of the queue, one behind the other.
template <class Search>
struct DegreesOfQueue {
  Search search;
  KOKKOSSCAN_FUNCTION std::size_t load(std::size_t i) const { return search.graph.degree_of(search.queue[i]); }
};
template <class Search>
struct PutSlots {
  using Slot = typename Search::Slot;

  static constexpr Uses uses = {.before = true, .own = true, .through = false};

  Search search;

  KOKKOSSCAN_FUNCTION void store(std::size_t i, std::size_t before, std::size_t own, std::size_t) const {
    if (i == 0) search.slots[0] = 0;
    search.slots[i + 1] = static_cast<Slot>(before + own);
    search.bases[i]     = static_cast<Slot>(search.graph.begin_of(search.queue[i]) - before);
  }
};

}  // namespace KokkosScan::core
