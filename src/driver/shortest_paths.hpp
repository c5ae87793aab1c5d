// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <concepts>
#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>

#include "../exec/regions.hpp"
#include "function.hpp"
#include "graphs.hpp"
#include "path_search.hpp"

// Shortest paths from one vertex: what is checked, and then the search (path_search.hpp).
namespace KokkosScan {

/// How far apart the thresholds of shortest_paths are, in the unit of the weights.
template <class Number>
struct Delta {
  static_assert(std::is_arithmetic_v<Number>, "KokkosScan: Delta{x} is a number: how far apart thresholds are");
  Number width;
  explicit constexpr Delta(Number x) : width(x) {}
};

namespace driver {

template <class X>
inline constexpr bool is_delta = false;
template <class Number>
inline constexpr bool is_delta<Delta<Number>> = std::is_arithmetic_v<Number>;

/// Whether the weight of an edge is none: negative, or no number.
template <class Weights>
struct HasNoWeight {
  Weights weights;
  KOKKOS_FUNCTION bool operator()(std::size_t edge) const { return !is_path_weight(weights[edge]); }
};

/// With as many digits as tell small numbers from 0.
template <class Number>
std::string text_of(Number number) {
  if constexpr (std::is_floating_point_v<Number>) {
    char text[32];
    std::snprintf(text, sizeof(text), "%.9g", static_cast<double>(number));
    return text;
  } else {
    return std::to_string(number);
  }
}

[[noreturn, gnu::cold]] inline void throw_wrong_weight(std::string const& label, std::size_t edge,
                                                       std::string const& weight) {
  throw std::invalid_argument(label + ": weights(" + std::to_string(edge) + ") is " + weight +
                              "; a weight is 0 or more");
}
[[noreturn, gnu::cold]] inline void throw_wrong_source(std::string const& label, std::string const& source,
                                                       std::size_t vertices) {
  throw std::invalid_argument(label + ": source is " + source + "; there are " + std::to_string(vertices) +
                              " vertices, and the source is one of them, from 0 on");
}

struct ShortestPaths {
  template <class ExecOrHandle, class RowOffsets, class Columns, class Weights, class Source, class Distances,
            class... Rest>
  static void call(std::string const& label, ExecOrHandle const& exec, RowOffsets const& row_offsets,
                   Columns const& columns, Weights const& weights, Source const& source, Distances const& distances,
                   Rest const&... rest) {
    using Exec               = InstanceOf<ExecOrHandle>;
    constexpr bool is_vertex = CountType<Source>;
    static_assert(is_vertex, "KokkosScan: source must be an integer: the vertex from which paths go");
    constexpr bool options = sizeof...(Rest) <= 1 && (is_delta<Rest> && ...);
    static_assert(options, "KokkosScan: behind distances may stand Delta{x} and nothing else");
    if constexpr (is_vertex && options && check_types_of_graph<RowOffsets, Columns, Exec>() &&
                  check_arrays<Exec, Weights, Distances>())
      if constexpr (check_numbers<Weights, Distances>() && check_written<Distances, ValueIn<Weights>>())
        find(label, exec, row_offsets, columns, weights, source, distances, width_of(label, rest...));
  }

 private:
  template <class T>
  static constexpr bool is_number = std::is_arithmetic_v<T> && !std::is_same_v<T, bool> && sizeof(T) <= 8;

  template <class Weights, class Distances>
  static consteval bool check_numbers() {
    using Weight             = ValueIn<Weights>;
    using Distance           = ValueIn<Distances>;
    constexpr bool are_right = is_number<Weight> && is_number<Distance>;
    static_assert(are_right, "KokkosScan: weights and distances must be Views of integers, float or double");
    constexpr bool are_alike = !std::is_floating_point_v<Weight> || std::is_floating_point_v<Distance>;
    static_assert(!are_right || are_alike,
                  "KokkosScan: distances must be floating-point numbers where weights are: integers would drop what is "
                  "behind the point");
    return are_right && are_alike;
  }

  /// 0, if the weights decide.
  static double width_of(std::string const&) { return 0; }
  template <class Number>
  static double width_of(std::string const& label, Delta<Number> const& delta) {
    if (!(delta.width > Number{0}))
      throw std::invalid_argument(label + ": Delta is " + text_of(delta.width) + ", and must be more than 0");
    return static_cast<double>(delta.width);
  }

  template <class Source>
  static std::size_t checked_source(std::string const& label, Source source, std::size_t vertices) {
    bool is_one = static_cast<std::size_t>(source) < vertices;
    if constexpr (std::is_signed_v<Source>) is_one = is_one && source >= 0;
    if (!is_one) throw_wrong_source(label, std::to_string(source), vertices);
    return static_cast<std::size_t>(source);
  }

  template <class Weights>
  static auto elements_of(Weights const& weights) {
    using Weight = ValueIn<Weights> const;
    if constexpr (is_contiguous<Weights>)
      return core::Contiguous<Weight>{weights.data()};
    else
      return strided<Weight>(weights);
  }

  template <class ExecOrHandle, class RowOffsets, class Columns, class Weights, class Source, class Distances>
  static void find(std::string const& label, ExecOrHandle const& exec, RowOffsets const& row_offsets,
                   Columns const& columns, Weights const& weights, Source source, Distances const& distances,
                   double width) {
    using Distance            = ValueIn<Distances>;
    std::size_t const entries = columns.extent(0), vertices = driver::vertices_of(row_offsets);
    check_extents(label, "columns", entries, "weights", weights.extent(0));
    Regions regions = driver::regions_of_graph(label, row_offsets, columns, "distances", distances);
    regions.reads("weights", weights, entries);
    if (vertices == 0) return;
    std::size_t const from = checked_source(label, source, vertices);
    if constexpr (!runs_at_once<typename BackendFor<ExecOrHandle>::type>)
      exec::refuse_in_region(driver::instance(exec), label);
    driver::refuse_in_capture(label, driver::instance(exec),
                              ": shortest paths cannot be found while exec is captured into a graph: how many rounds "
                              "there are, and of what, is waited for");
    driver::with_graph(row_offsets, columns, [&](auto const& graph) {
      using Weighted = WeightedGraph<std::remove_cvref_t<decltype(graph)>, decltype(elements_of(weights))>;
      using Search   = PathSearch<ExecOrHandle, Weighted, PathKeys<Distance>>;
      driver::check_graph(label, exec, graph);
      Weighted const weighted{graph, elements_of(weights)};
      check_weights(label, exec, weighted);
      Search const search(label, exec, weighted);
      auto const leases = driver::lease(exec, search.needs());
      search.run(leases.memory(), from, width, strided<Distance>(distances));
    });
  }

  /// On request.
  template <class ExecOrHandle, class Graph>
  static void check_weights(std::string const& label, ExecOrHandle const& exec, Graph const& graph) {
    using Weights = std::remove_cvref_t<decltype(graph.weights)>;
    using Weight  = core::ElementOf<Weights>;
    if constexpr (!std::is_unsigned_v<Weight>)
      driver::check_edges(label, exec, graph.graph, graph.weights, HasNoWeight<Weights>{graph.weights},
                          [&](std::size_t edge, Weight weight) { throw_wrong_weight(label, edge, text_of(weight)); });
  }
};

}  // namespace driver
}  // namespace KokkosScan
