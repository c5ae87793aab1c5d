// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>

#include "../core/macros.hpp"
#include "../core/sinks.hpp"
#include "path_keys.hpp"

// What a search for shortest paths keeps in scratch, and what one of its rounds over all vertices does at each place.
namespace KokkosScan::driver {

/// Why rounds of few vertices have ended.
enum class PathStop : std::uint32_t { done, many, bucket, rounds };

/// Where a search is. A vertex waits if its key is less than the one that its edges were last relaxed with: near, if
/// the key is below the threshold, else far. So both lists can be made anew of the keys alone, whatever comes between.
template <class Key, class Vertex>
struct PathState {
  Key threshold;
  Vertex near, far;  // how many are on each list
  PathStop stop;
  std::uint32_t near_side, far_side;  // which of two arrays a list is in
  std::uint32_t rounds;               // of this launch
  double width, least_width;          // how far apart thresholds are, and at least
  double work;                        // edges relaxed since the threshold was last moved
};

template <class Key, class Vertex>
struct PathArrays {
  using State = PathState<Key, Vertex>;

  Key *keys, *relaxed;
  Vertex *nears[2], *fars[2];
  State* state;

  KOKKOS_FUNCTION Vertex* near(std::uint32_t side) const { return side == 0 ? nears[0] : nears[1]; }
  KOKKOS_FUNCTION Vertex* far(std::uint32_t side) const { return side == 0 ? fars[0] : fars[1]; }
};

/// Before the first round.
template <class Key, class Vertex>
struct StartPaths {
  PathArrays<Key, Vertex> arrays;
  Key unreached;
  std::size_t source;

  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    arrays.keys[i]    = i == source ? Key{0} : unreached;
    arrays.relaxed[i] = unreached;
    if (i != source) return;
    arrays.nears[0][0] = static_cast<Vertex>(i);
    arrays.state->far  = 0;
  }
};

/// Whether a vertex waits, with a key of some range.
template <class Key>
struct WaitsWithin {
  Key const *keys, *relaxed;
  Key low, high;

  KOKKOS_FUNCTION bool operator()(std::size_t i) const {
    Key const key = keys[i];
    return key >= low && key < high && key < relaxed[i];
  }
};

/// The smallest key of those that wait.
template <class Key>
struct LeastWaiting {
  Key const *keys, *relaxed;

  KOKKOS_FUNCTION void operator()(std::size_t i, Key& least) const {
    Key const key = keys[i];
    if (key < least && key < relaxed[i]) least = key;
  }
};
/// How many edges the vertices of a list have: what is scanned for where those of each begin.
template <class Graph>
struct DegreesOfNear {
  using Vertex = typename Graph::Vertex;

  Graph graph;
  Vertex const* near;

  KOKKOS_FUNCTION std::size_t load(std::size_t i) const { return graph.graph.degree_of(near[i]); }
};

/// The rows of a round over all edges of a list: item j of row i is edge shifts[i] + j. Keys are what they are when the
/// round begins; one that becomes less meanwhile is relaxed again.
template <class Key>
struct RoundRows {
  std::size_t *offsets, *shifts;
  Key* keys;
};
template <class Graph, class Key>
struct PutRoundRows {
  using Vertex = typename Graph::Vertex;

  static constexpr core::Uses uses = {.before = true, .own = false, .through = true};

  Graph graph;
  PathArrays<Key, Vertex> arrays;
  Vertex const* near;
  RoundRows<Key> rows;
  std::size_t count;

  KOKKOS_FUNCTION void store(std::size_t i, std::size_t before, std::size_t, std::size_t through) const {
    std::size_t const vertex = near[i];
    Key const key            = arrays.keys[vertex];
    arrays.relaxed[vertex]   = key;
    rows.offsets[i]          = before;
    rows.shifts[i]           = graph.graph.begin_of(vertex) - before;
    rows.keys[i]             = key;
    if (i + 1 == count) rows.offsets[count] = through;
  }
};

/// Relaxes an edge. Most make no distance less, which is asked for before anything is written.
template <class Graph, class Keys>
struct RelaxItem {
  using Key = typename Keys::Key;

  Graph graph;
  Key* keys;
  RoundRows<Key> rows;

  KOKKOS_FUNCTION void operator()(std::size_t row, std::size_t item) const {
    std::size_t const edge = rows.shifts[row] + item;
    if (edge >= graph.edges()) return;  // of rows that are none
    std::size_t const to = graph.graph.target(edge);
    if (to >= graph.vertices()) return;
    Key const key = Keys::behind(rows.keys[row], graph.weights[edge]);
    if (key < Kokkos::atomic_load(&keys[to])) Kokkos::atomic_min(&keys[to], key);
  }
};

template <class Keys, class Distances>
struct PutPaths {
  typename Keys::Key const* keys;
  Distances distances;

  KOKKOS_FUNCTION void operator()(std::size_t i) const { distances[i] = Keys::distance(keys[i]); }
};

}  // namespace KokkosScan::driver
