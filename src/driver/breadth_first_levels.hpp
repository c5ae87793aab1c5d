// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <concepts>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "../core/searches.hpp"
#include "../host/search.hpp"
#include "../portable/search.hpp"
#include "function.hpp"
#include "graphs.hpp"
#include "segmented_sort.hpp"

// How many edges each vertex is away from one, level by level. Of each large level the host waits for how large it is,
// since that decides what comes next; small ones, of which there may be thousands, are walked in one launch.
//
//   from the frontier    its edges, shared out by the scan of its degrees, as items of rows (core/rows.hpp); who finds
//                        a vertex sets its bit, and a scan of the bits puts the next frontier in a queue, in order
//   from the others      each vertex that is not visited looks for a neighbour that is, and stops at the first
//
// Who finds a vertex does not matter, since all who do are of one level: levels are the same in every run.
namespace KokkosScan::driver {

/// When to look from the other vertices: the frontier has more than that part of the edges that are left; and when to
/// go back: it has less than that part of the vertices (Beamer, Asanovic, Patterson 2012).
inline constexpr std::size_t part_of_edges = 14, part_of_vertices = 24;

template <class ExecOrHandle, class Graph, class Levels>
class BreadthFirstSearch {
  using Exec   = InstanceOf<ExecOrHandle>;
  using Search = core::Search<Graph, Levels>;
  using Vertex = typename Search::Vertex;
  using Slot   = typename Search::Slot;

  static constexpr bool at_once = runs_at_once<typename BackendFor<ExecOrHandle>::type>;
  using Steps = std::conditional_t<at_once, host::search::Steps<Exec, Search>, portable::search::Steps<Exec, Search>>;

 public:
  BreadthFirstSearch(std::string const& label, ExecOrHandle const& exec, Graph const& graph, Levels const& levels)
      : label_(label), exec_(exec), search_{graph, levels, {}, {}, {}, {}, {}, {}, {}}, parts_(most_needs()) {
    std::size_t const n = graph.vertices(), words = search_.words();
    visited_ = parts_.add<std::uint32_t>(words);
    fresh_   = parts_.add<std::uint32_t>(words);
    queue_   = parts_.add<Vertex>(n);
    other_   = parts_.add<Vertex>(std::min(n, Steps::most_of_other_queue()));
    slots_   = parts_.add<Slot>(n + 1);
    bases_   = parts_.add<Slot>(n);
    state_   = parts_.add<core::SearchState>(1);
  }

  core::Needs const& needs() const { return parts_.needs(); }

  void run(core::Memory const& memory, std::size_t source, bool is_symmetric) {
    memory_                    = memory;
    is_symmetric_              = is_symmetric;
    search_                    = {search_.graph,
                                  search_.levels,
                                  {Parts::at<std::uint32_t>(memory, visited_)},
                                  {Parts::at<std::uint32_t>(memory, fresh_)},
                                  Parts::at<Vertex>(memory, queue_),
                                  Parts::at<Vertex>(memory, other_),
                                  Parts::at<Slot>(memory, slots_),
                                  Parts::at<Slot>(memory, bases_),
                                  Parts::at<core::SearchState>(memory, state_)};
    std::size_t const n        = search_.graph.vertices();
    constexpr std::size_t each = at_once ? core::VertexBits::of_word : 1;
    driver::for_each_index(label_, exec_, (n + each - 1) / each, n, core::BeginSearch<Search>{search_, source, each});
    walk();
    while (state_now_.frontier > 0) {
      std::size_t const explored = state_now_.explored + explored_, entries = search_.graph.entries;
      std::size_t const left = entries > explored ? entries - explored : 0;
      if (Steps::is_small(state_now_)) {
        walk();  // which has paused
      } else if (is_symmetric_ && state_now_.edges > left / part_of_edges) {
        if (!from_others()) return;
        walk();
      } else {
        from_frontier();
        walk();
      }
    }
  }

 private:
  auto degrees() const {
    using Source = core::DegreesOfQueue<Search>;
    using Sink   = core::PutSlots<Search>;
    return core::Problem<std::size_t, Source, Sum, Sink>{
        {search_}, {search_}, search_.graph.vertices(), {}, core::Maybe<std::size_t>(0), edges_address()};
  }
  auto fresh() const {
    using Sink = core::PutFreshVertices<Vertex>;
    return core::Problem<std::size_t, core::FreshVertices, Sum, Sink>{
        {search_.fresh},   {search_.fresh, search_.queue}, search_.words(), {}, core::Maybe<std::size_t>(0),
        frontier_address()};
  }
  std::size_t* edges_address() const { return search_.state ? &search_.state->edges : nullptr; }
  std::size_t* frontier_address() const { return search_.state ? &search_.state->frontier : nullptr; }

  /// Of as many elements as the queue has, which hosts know.
  auto degrees_of_queue() const {
    if constexpr (at_once) {
      auto problem = degrees();
      if (search_.state) problem.n = search_.state->frontier;
      return problem;
    } else {
      return core::OfStoredLength<decltype(degrees()), core::StoredLength<std::size_t, false>>{degrees(),
                                                                                               {frontier_address()}};
    }
  }

  core::Needs most_needs() const {
    core::Needs most        = driver::plan(exec_, degrees_of_queue()).needs;
    core::Needs const other = driver::plan(exec_, fresh()).needs;
    most.scratch            = std::max(most.scratch, other.scratch);
    most.states             = std::max(most.states, other.states);
    return most;
  }

  template <class Problem>
  void scan(Problem const& problem) const {
    driver::run_in(memory_, label_, exec_, driver::plan(exec_, problem), problem);
  }
  template <class F>
  void with_steps(F const& f) const {
    driver::with_shown_label(label_, exec_,
                             [&](std::string const& shown) { f(Steps(driver::instance(exec_), shown)); });
  }

  /// Small levels, then what large ones are decided by.
  void walk() {
    if constexpr (at_once) {
      with_steps([&](Steps const& steps) { steps.walk(search_, is_symmetric_); });
      if (search_.state->frontier > 0) scan(degrees_of_queue());
      state_now_ = *search_.state;
    } else {
      with_steps([&](Steps const& steps) { steps.walk(search_); });
      scan(degrees_of_queue());
      copy_state();
    }
  }
  void copy_state() {
    driver::copy_to_host(label_, exec_, static_cast<core::SearchState const*>(search_.state), state_now_);
  }

  /// The next level by the edges of this one.
  void from_frontier() {
    with_steps([&](Steps const& steps) {
      if constexpr (at_once) {
        if (steps.is_alone())
          steps.walk_large(search_);
        else
          steps.follow(search_);
      } else {
        explored_ += state_now_.edges;
        steps.follow(search_, state_now_.frontier);
        from_bits_to_queue();
      }
    });
  }

  /// Levels by looking from the others, until one is small. Whether that has found anything.
  bool from_others() {
    if constexpr (at_once) with_steps([&](Steps const& steps) { steps.mark_visited(search_); });
    for (;;) {
      with_steps([&](Steps const& steps) { steps.seek(search_); });
      if constexpr (at_once)
        state_now_ = *search_.state;
      else
        copy_state();
      if (state_now_.found == 0) return false;
      if (state_now_.found < search_.graph.vertices() / part_of_vertices) break;
      end_level();
    }
    from_bits_to_queue();
    return true;
  }
  void from_bits_to_queue() {
    scan(fresh());
    end_level();
  }
  void end_level() const {
    driver::for_each_index(label_, exec_, search_.words(), search_.words(), core::EndLevel<Search>{search_});
  }

  std::string const& label_;
  ExecOrHandle const& exec_;
  Search search_;
  Parts parts_;
  std::size_t visited_, fresh_, queue_, other_, slots_, bases_, state_;
  core::Memory memory_;
  core::SearchState state_now_;
  bool is_symmetric_    = false;
  std::size_t explored_ = 0;  // by large levels
};

struct BreadthFirstLevels {
  template <class ExecOrHandle, class RowOffsets, class Columns, class Source, class Levels, class... Rest>
  static void call(std::string const& label, ExecOrHandle const& exec, RowOffsets const& row_offsets,
                   Columns const& columns, Source const& source, Levels const& levels, Rest const&...) {
    using Exec = InstanceOf<ExecOrHandle>;
    if constexpr (check_types_of_graph<RowOffsets, Columns, Exec>() && check_levels<Source, Levels, Exec>() &&
                  check_symmetric<Rest...>()) {
      std::size_t const n = driver::vertices_of(row_offsets), from = driver::length_of(label, source, "source");
      driver::regions_of_graph(label, row_offsets, columns, "levels", levels);
      if (n == 0) return;
      if (from >= n)
        throw std::invalid_argument(label + ": source is " + std::to_string(source) + ", and there are " +
                                    std::to_string(n) + " vertices, from 0 on");
      check_holds<ValueIn<Levels>>(label, "levels", n - 1);
      if constexpr (!runs_at_once<typename BackendFor<ExecOrHandle>::type>) {
        exec::refuse_in_region(driver::instance(exec), label);
        driver::refuse_in_capture(
            label, driver::instance(exec),
            ": a search waits for how large its levels are, and cannot while exec is captured into "
            "a graph; make the call outside of the capture");
      }
      driver::with_graph(row_offsets, columns, [&](auto const& graph) {
        driver::check_graph(label, exec, graph);
        driver::with_elements(levels, [&](auto const& elements) {
          BreadthFirstSearch<ExecOrHandle, std::remove_cvref_t<decltype(graph)>,
                             std::remove_cvref_t<decltype(elements)>>
              search(label, exec, graph, elements);
          auto const leases = driver::lease(exec, search.needs());
          search.run(leases.memory(), from, sizeof...(Rest) > 0);
        });
      });
    }
  }

 private:
  template <class Source, class Levels, class Exec>
  static consteval bool check_levels() {
    if constexpr (check_array<Levels, Exec>()) {
      constexpr bool is_vertex = CountType<Source>;
      static_assert(is_vertex, "KokkosScan: source must be an integer: the vertex where the search begins");
      constexpr bool holds = std::signed_integral<ValueIn<Levels>> && !std::is_const_v<typename Levels::value_type>;
      static_assert(holds,
                    "KokkosScan: levels must be a View of non-const signed integers: -1 is that of what is not "
                    "reached");
      return is_vertex && holds;
    } else {
      return false;
    }
  }
};

}  // namespace KokkosScan::driver
