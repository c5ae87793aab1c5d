// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <type_traits>

#include "../core/graphs.hpp"

// Distances as unsigned numbers of 32 or 64 bits, which grow as the distances do: there is an atomic minimum of those
// on every device, and one kernel serves all types. Integers are what they are; the bits of floating-point numbers from
// +0 on, infinity included, grow with them. -0 does not come up: the source is at +0, and +0 + -0 is +0.
//
// Which distances there are does not depend on who adds when. With weights >= 0 a sum is never less than what is added
// to, and a larger summand never gives a smaller sum: of floating-point numbers, too, since rounding keeps the order.
// So d(v) = min over edges (u, v) of fl(d(u) + w) has one solution that can be reached from the source, which
// Dijkstra's algorithm finds as any other does that goes on until no edge makes a distance less: the same bits.
namespace KokkosScan::driver {

/// Whether a weight is one: 0 or more, so no NaN.
template <class W>
KOKKOS_FUNCTION bool is_path_weight(W weight) {
  if constexpr (std::is_unsigned_v<W>)
    return true;
  else
    return weight >= W{0};
}

/// T has at most 64 bits.
template <class T>
struct PathKeys {
  using Key = std::conditional_t<sizeof(T) <= 4, std::uint32_t, std::uint64_t>;

  static constexpr bool is_float = std::is_floating_point_v<T>;

  /// Of what cannot be reached: the largest key there is.
  static constexpr Key unreached = [] {
    if constexpr (is_float)
      return __builtin_bit_cast(Key, std::numeric_limits<T>::infinity());
    else
      return static_cast<Key>(std::numeric_limits<T>::max());
  }();

  KOKKOS_FUNCTION static T distance(Key key) {
    if constexpr (is_float)
      return __builtin_bit_cast(T, key);
    else
      return static_cast<T>(key);
  }

  /// Behind an edge. Edges whose weight is none lead nowhere, and where the sum is no distance that T holds is
  /// unreached, too.
  template <class W>
  KOKKOS_FUNCTION static Key behind(Key before, W weight) {
    if (!is_path_weight(weight)) return unreached;
    if constexpr (is_float) {
      return __builtin_bit_cast(Key, static_cast<T>(distance(before) + static_cast<T>(weight)));
    } else {
      std::uint64_t const more = static_cast<std::uint64_t>(weight);
      return more < unreached - before ? before + static_cast<Key>(more) : unreached;
    }
  }

  /// About so far behind a key, but at least the next one and at most unreached, which `least` is not.
  KOKKOS_FUNCTION static Key later(Key least, double width) {
    if constexpr (is_float) {
      Key const key = __builtin_bit_cast(Key, static_cast<T>(distance(least) + static_cast<T>(width)));
      return key > least ? key : least + 1;
    } else {
      Key const room = unreached - least;
      Key const step = width < static_cast<double>(room) ? static_cast<Key>(width) : room;
      return least + (step > 0 ? step : Key{1});
    }
  }
};

/// A graph, and a weight of each edge.
template <class Graph, class Weights>
struct WeightedGraph {
  using Vertex = typename Graph::Vertex;

  Graph graph;
  Weights weights;

  KOKKOS_FUNCTION std::size_t vertices() const { return graph.vertices(); }
  KOKKOS_FUNCTION std::size_t edges() const { return graph.entries; }
};

}  // namespace KokkosScan::driver
