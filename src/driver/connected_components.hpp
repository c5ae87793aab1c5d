// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>

#include "../exec/kernel_event.hpp"
#include "../host/components.hpp"
#include "../host/workers.hpp"
#include "../portable/components.hpp"
#include "function.hpp"
#include "graphs.hpp"
#include "rows.hpp"
#include "sort_arrays.hpp"

//  Connected components: one or two edges of each vertex link most of them, and then all edges are looked at
//  paper       Sutton, Ben-Nun, Barak 2018 (Afforest)
//  launches    7, and of a symmetric graph 8; on hosts 3, and 5 or 6 where vertices have more than 4 edges each:
//              however many components there are, and whatever they look like
//  bytes       all columns once and a parent for each; of a symmetric graph the columns of few vertices
//  memory      a parent for each vertex
//  progress    lock-free
namespace KokkosScan::driver {

template <class ExecOrHandle, class Graph>
class ComponentSearch {
  using Exec   = InstanceOf<ExecOrHandle>;
  using Forest = portable::components::Forest<Graph>;
  using Vertex = typename Graph::Vertex;

  static constexpr bool at_once = runs_at_once<typename BackendFor<ExecOrHandle>::type>;

 public:
  ComponentSearch(std::string const& label, ExecOrHandle const& exec, Graph const& graph, bool is_symmetric)
      : label_(label), exec_(exec), graph_(graph), is_symmetric_(is_symmetric), parts_({}) {
    parents_ = parts_.add<Vertex>(graph.vertices());
    samples_ = parts_.add<Vertex>(is_symmetric ? most_samples + 1 : 0);
  }

  core::Needs const& needs() const { return parts_.needs(); }

  template <class RowOffsets, class Labels>
  void run(core::Memory const& memory, RowOffsets const& row_offsets, Labels const& labels) const {
    namespace components = portable::components;
    Forest const forest{graph_, Parts::at<Vertex>(memory, parents_)};
    if constexpr (at_once) {
      link_at_once(memory, forest);
    } else {
      for_each_vertex(components::Plant<Forest>{forest});
      for (std::size_t which = 0; which < 2; ++which) {
        for_each_vertex(components::LinkNeighbours<Forest>{forest, which});
        for_each_vertex(components::Compress<Forest>{forest});
      }
      driver::run_rows(label_, exec_, row_offsets, graph_.entries,
                       components::LinkEdges<Forest>{forest, find_largest(memory, forest)});
    }
    for_each_vertex(components::PutRoots<Forest, Labels>{forest, labels});
  }

 private:
  /// One edge of each vertex first costs some passes over the vertices, and spares most of the edges the way up to
  /// their roots: a host would rather take that way where there are few.
  void link_at_once(core::Memory const& memory, Forest const& forest) const {
    bool const has_many      = graph_.entries > 4 * graph_.vertices();
    Vertex const* left_out   = nullptr;
    auto const link_of_a_row = [&](std::size_t most) {
      driver::with_shown_label(label_, exec_, [&](std::string const& shown) {
        host::components::link_edges(driver::instance(exec_), shown, forest, left_out, most);
      });
    };
    driver::with_shown_label(label_, exec_, [&](std::string const& shown) {
      host::components::plant(driver::instance(exec_), shown, forest);
    });
    if (has_many) {
      link_of_a_row(1);
      for_each_vertex(portable::components::Compress<Forest>{forest});
      left_out = find_largest(memory, forest);
    }
    link_of_a_row(graph_.entries);
  }

  static constexpr std::size_t most_samples = at_once ? 128 : 1024;

  template <class F>
  void for_each_vertex(F const& f) const {
    driver::for_each_index(label_, exec_, graph_.vertices(), graph_.vertices(), f);
  }

  /// The tree that most vertices are in, as it seems, where edges are there both ways; else null.
  Vertex const* find_largest(core::Memory const& memory, Forest const& forest) const {
    if (!is_symmetric_) return nullptr;
    Vertex* const samples = Parts::at<Vertex>(memory, samples_);
    portable::components::FindLargest<Forest> const find{
        forest, samples + 1, std::clamp<std::size_t>(graph_.vertices() / 16, 1, most_samples), samples};
    auto const& exec = driver::instance(exec_);
    driver::with_shown_label(label_, exec_, [&](std::string const& shown) {
      if constexpr (at_once) {
        host::KokkosWorkers<Exec>(exec, shown, 1).run([&](int) { find(portable::components::OneThread{}); });
      } else {
        constexpr int size = exec::is_on_host<Exec> ? 1 : find.team_size;
        using Policy       = Kokkos::TeamPolicy<Exec, Kokkos::LaunchBounds<static_cast<unsigned>(size), 1>>;
        exec::dispatch(shown, exec, Policy(exec, 1, size), find);
      }
    });
    return samples;
  }

  std::string const& label_;
  ExecOrHandle const& exec_;
  Graph graph_;
  bool is_symmetric_;
  Parts parts_;
  std::size_t parents_, samples_;
};

struct ConnectedComponents {
  template <class ExecOrHandle, class RowOffsets, class Columns, class Labels, class... Rest>
  static void call(std::string const& label, ExecOrHandle const& exec, RowOffsets const& row_offsets,
                   Columns const& columns, Labels const& labels, Rest const&...) {
    using Exec = InstanceOf<ExecOrHandle>;
    if constexpr (check_types_of_graph<RowOffsets, Columns, Exec>() && check_labels<Labels, Exec>() &&
                  check_symmetric<Rest...>()) {
      std::size_t const n = driver::vertices_of(row_offsets);
      driver::regions_of_graph(label, row_offsets, columns, "labels", labels);
      if (n == 0) return;
      if constexpr (!runs_at_once<typename BackendFor<ExecOrHandle>::type>)
        exec::refuse_in_region(driver::instance(exec), label);
      check_holds<ValueIn<Labels>>(label, "labels", n - 1);
      driver::with_graph(row_offsets, columns, [&](auto const& graph) {
        driver::check_graph(label, exec, graph);
        driver::with_elements(labels, [&](auto const& elements) {
          ComponentSearch<ExecOrHandle, std::remove_cvref_t<decltype(graph)>> const search(label, exec, graph,
                                                                                           sizeof...(Rest) > 0);
          auto const leases = driver::lease(exec, search.needs());
          search.run(leases.memory(), row_offsets, elements);
        });
      });
    }
  }

 private:
  template <class Labels, class Exec>
  static consteval bool check_labels() {
    if constexpr (check_array<Labels, Exec>()) {
      constexpr bool holds = CountType<ValueIn<Labels>> && !std::is_const_v<typename Labels::value_type>;
      static_assert(holds, "KokkosScan: labels must be a View of non-const integers: a label is a vertex");
      return holds;
    } else {
      return false;
    }
  }
};

}  // namespace KokkosScan::driver
