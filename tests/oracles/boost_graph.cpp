// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "boost_graph.hpp"

#include <boost/graph/adjacency_list.hpp>
#include <boost/graph/breadth_first_search.hpp>
#include <boost/graph/compressed_sparse_row_graph.hpp>
#include <boost/graph/connected_components.hpp>
#include <boost/graph/depth_first_search.hpp>
#include <boost/graph/dijkstra_shortest_paths.hpp>
#include <boost/pending/disjoint_sets.hpp>
#include <boost/property_map/property_map.hpp>
#include <functional>

namespace test::oracles {
namespace {

using Ends = std::vector<std::pair<std::size_t, std::size_t>>;
template <class Weight>
using Graph = boost::compressed_sparse_row_graph<boost::directedS, boost::no_property, Weight>;

Ends ends_of(Rows const& rows) {
  Ends ends;
  for (std::size_t v = 0; v < rows.vertices(); ++v)
    for (std::int32_t e = rows.row_offsets[v]; e < rows.row_offsets[v + 1]; ++e)
      ends.emplace_back(v, static_cast<std::size_t>(rows.columns[static_cast<std::size_t>(e)]));
  return ends;
}

template <class T, class AnyGraph>
auto map_of(std::vector<T>& values, AnyGraph const& graph) {
  return boost::make_iterator_property_map(values.begin(), get(boost::vertex_index, graph));
}

template <class Distance, class Weight>
std::vector<Distance> distances_of(Rows const& rows, std::vector<Weight> const& weights, std::size_t source,
                                   Distance unreached) {
  Ends const ends = ends_of(rows);
  Graph<Weight> const graph(boost::edges_are_sorted, ends.begin(), ends.end(), weights.begin(), rows.vertices());
  std::vector<Distance> distances(rows.vertices());
  boost::dijkstra_shortest_paths(graph, source,
                                 boost::weight_map(get(boost::edge_bundle, graph))
                                     .distance_map(map_of(distances, graph))
                                     .distance_compare(std::less<Distance>())
                                     .distance_combine(boost::closed_plus<Distance>(unreached))
                                     .distance_inf(unreached)
                                     .distance_zero(Distance{0}));
  return distances;
}

/// From parents to children, and from one more vertex, the last, to all roots.
Graph<boost::no_property> graph_of(std::vector<std::int32_t> const& parents) {
  std::size_t const n = parents.size();
  std::vector<std::vector<std::size_t>> children(n + 1);
  for (std::size_t v = 0; v < n; ++v) {
    std::size_t const parent = parents[v] < 0 ? n : static_cast<std::size_t>(parents[v]);
    if (parent <= n && (parents[v] < 0 || parent < n)) children[parent].push_back(v);
  }
  Ends ends;
  for (std::size_t v = 0; v <= n; ++v)
    for (std::size_t const child : children[v]) ends.emplace_back(v, child);
  return {boost::edges_are_sorted, ends.begin(), ends.end(), n + 1};
}

template <class Visitor>
void visit(Graph<boost::no_property> const& graph, Visitor const& visitor) {
  std::vector<boost::default_color_type> colors(num_vertices(graph));
  boost::depth_first_visit(graph, num_vertices(graph) - 1, visitor, map_of(colors, graph));
}

struct Numbering : boost::default_dfs_visitor {
  Tree* tree;
  std::int32_t entered = 0, left = 0, step = 0, depth = -1;

  explicit Numbering(Tree& tree_) : tree(&tree_) {}
  template <class AnyGraph>
  void discover_vertex(std::size_t v, AnyGraph const& graph) {
    if (v + 1 == num_vertices(graph)) return;
    tree->depths[v]   = ++depth;
    tree->preorder[v] = entered++;
    tree->enter[v]    = step++;
  }
  template <class AnyGraph>
  void finish_vertex(std::size_t v, AnyGraph const& graph) {
    if (v + 1 == num_vertices(graph)) return;
    --depth;
    tree->postorder[v] = left++;
    tree->leave[v]     = step++;
    tree->sizes[v]     = (tree->leave[v] - tree->enter[v] + 1) / 2;
  }
};

/// Answers a query when the second of its nodes is left: the set of the first is then what is below one ancestor.
struct Ancestors : boost::default_dfs_visitor {
  using Map = boost::iterator_property_map<std::size_t*, boost::identity_property_map>;
  struct State {
    std::vector<std::size_t> rank, link, ancestor, parents;
    std::vector<char> is_left;
    std::vector<std::vector<std::pair<std::size_t, std::size_t>>> queries;  // the other node, and its place
    std::vector<std::int32_t> found;
    boost::disjoint_sets<Map, Map> sets;

    explicit State(std::size_t n)
        : rank(n), link(n), ancestor(n), parents(n), is_left(n), queries(n), sets(Map(rank.data()), Map(link.data())) {}
  };
  State* state;

  explicit Ancestors(State& of) : state(&of) {}
  template <class AnyGraph>
  void discover_vertex(std::size_t v, AnyGraph const&) {
    state->sets.make_set(v);
    state->ancestor[v] = v;
  }
  template <class Edge, class AnyGraph>
  void tree_edge(Edge const& edge, AnyGraph const& graph) {
    state->parents[target(edge, graph)] = source(edge, graph);
  }
  template <class AnyGraph>
  void finish_vertex(std::size_t v, AnyGraph const& graph) {
    std::size_t const top = num_vertices(graph) - 1;
    state->is_left[v]     = 1;
    for (auto const& [other, place] : state->queries[v]) {
      if (!state->is_left[other]) continue;
      std::size_t const lowest = state->ancestor[state->sets.find_set(other)];
      state->found[place]      = lowest == top ? -1 : static_cast<std::int32_t>(lowest);
    }
    if (v == top) return;
    std::size_t const parent = state->parents[v];
    state->sets.union_set(parent, v);
    state->ancestor[state->sets.find_set(parent)] = parent;
  }
};

}  // namespace

std::vector<std::int32_t> boost_levels(Rows const& rows, std::size_t source) {
  Ends const ends = ends_of(rows);
  Graph<boost::no_property> const graph(boost::edges_are_sorted, ends.begin(), ends.end(), rows.vertices());
  std::vector<std::int32_t> levels(rows.vertices(), -1);
  levels[source] = 0;
  boost::breadth_first_search(
      graph, source,
      boost::visitor(boost::make_bfs_visitor(boost::record_distances(map_of(levels, graph), boost::on_tree_edge()))));
  return levels;
}

std::vector<std::int32_t> boost_labels(Rows const& rows) {
  Ends const ends = ends_of(rows);
  boost::adjacency_list<boost::vecS, boost::vecS, boost::undirectedS> const graph(ends.begin(), ends.end(),
                                                                                  rows.vertices());
  std::vector<std::size_t> components(rows.vertices());
  std::size_t const count = boost::connected_components(graph, map_of(components, graph));
  std::vector<std::int32_t> smallest(count, -1), labels(rows.vertices());
  for (std::size_t v = 0; v < rows.vertices(); ++v) {
    std::int32_t& label = smallest[components[v]];
    if (label < 0) label = static_cast<std::int32_t>(v);
    labels[v] = label;
  }
  return labels;
}

std::vector<std::int64_t> boost_distances(Rows const& rows, std::vector<std::int32_t> const& weights,
                                          std::size_t source, std::int64_t unreached) {
  return distances_of(rows, weights, source, unreached);
}
std::vector<double> boost_distances(Rows const& rows, std::vector<double> const& weights, std::size_t source,
                                    double unreached) {
  return distances_of(rows, weights, source, unreached);
}

Tree boost_tree(std::vector<std::int32_t> const& parents) {
  std::vector<std::int32_t> const none(parents.size(), -1);
  Tree tree{none, none, none, none, none, none};
  visit(graph_of(parents), Numbering(tree));
  return tree;
}

std::vector<std::int32_t> boost_ancestors(std::vector<std::int32_t> const& parents, Pairs const& pairs) {
  Ancestors::State state(parents.size() + 1);
  state.found.assign(pairs.size(), -1);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    state.queries[pairs[k].first].emplace_back(pairs[k].second, k);
    state.queries[pairs[k].second].emplace_back(pairs[k].first, k);
  }
  visit(graph_of(parents), Ancestors(state));
  return state.found;
}

}  // namespace test::oracles
