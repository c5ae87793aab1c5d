// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

// What Boost.Graph says of graphs and forests. Its headers are in boost_graph.cpp alone, where no device compiler needs
// to read them.
namespace test::oracles {

/// In compressed rows.
struct Rows {
  std::vector<std::int32_t> row_offsets{0}, columns;
  std::size_t vertices() const { return row_offsets.size() - 1; }
};

/// boost::breadth_first_search; -1: not reached.
std::vector<std::int32_t> boost_levels(Rows const& rows, std::size_t source);
/// boost::connected_components, each named by its smallest vertex.
std::vector<std::int32_t> boost_labels(Rows const& rows);
/// boost::dijkstra_shortest_paths; what is not reached is at `unreached`.
std::vector<std::int64_t> boost_distances(Rows const& rows, std::vector<std::int32_t> const& weights,
                                          std::size_t source, std::int64_t unreached);
std::vector<double> boost_distances(Rows const& rows, std::vector<double> const& weights, std::size_t source,
                                    double unreached);

/// Of each node; -1 where no root leads to it.
struct Tree {
  std::vector<std::int32_t> depths, sizes, preorder, postorder, enter, leave;
};
using Pairs = std::vector<std::pair<std::size_t, std::size_t>>;

/// boost::depth_first_visit from all roots, children in ascending order.
Tree boost_tree(std::vector<std::int32_t> const& parents);
/// The lowest common ancestor of each pair, -1 if there is none: by the disjoint sets of Tarjan (1979).
std::vector<std::int32_t> boost_ancestors(std::vector<std::int32_t> const& parents, Pairs const& pairs);

}  // namespace test::oracles
