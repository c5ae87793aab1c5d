// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "boost_graph.hpp"
#include "support/random.hpp"

// Graphs and forests for the library and Boost.Graph to agree about. They are made here anew, as the references of the
// other tests are not to be trusted.
namespace test::oracles {

using Ends = std::vector<std::pair<std::size_t, std::size_t>>;

inline std::string const kinds_of_graphs[] = {"random", "grid", "chain", "star", "power law", "disconnected"};

/// R-MAT (Chakrabarti, Zhan, Faloutsos 2004): an edge goes down to a quarter of the matrix as often as to others.
inline std::pair<std::size_t, std::size_t> rmat_edge(Random& random, std::size_t n) {
  std::size_t from = 0, to = 0;
  for (std::size_t size = 1; size < n; size *= 2) {
    double const x = random.fraction();
    from           = 2 * from + (x >= 0.76 ? 1 : 0);
    to             = 2 * to + ((x >= 0.57 && x < 0.76) || x >= 0.95 ? 1 : 0);
  }
  return {from % n, to % n};
}

/// Each edge once, in one direction; edges may be there twice, and lead from a vertex to itself.
inline Ends make_ends(std::string const& kind, std::size_t n) {
  Ends ends;
  Random random(n + 17);
  if (n == 0) return ends;
  std::size_t side = 1;
  while ((side + 1) * (side + 1) <= n) ++side;
  std::vector<std::size_t> names(n);
  std::iota(names.begin(), names.end(), std::size_t{0});
  for (std::size_t k = n; k > 1; --k) std::swap(names[k - 1], names[random.below(k)]);
  for (std::size_t v = 0; v < n; ++v) {
    if (kind == "random") {
      for (int k = 0; k < 4; ++k) ends.emplace_back(v, random.below(n));
    } else if (kind == "grid") {
      if (v % side + 1 < side && v + 1 < n) ends.emplace_back(v, v + 1);
      if (v + side < n) ends.emplace_back(v + side, v);
    } else if (kind == "chain") {
      if (v + 1 < n) ends.emplace_back(names[v], names[v + 1]);
    } else if (kind == "star") {
      ends.emplace_back(names[0], v);
    } else if (kind == "power law") {
      for (int k = 0; k < 8; ++k) ends.push_back(rmat_edge(random, n));
    } else {  // islands of 40, and vertices without edges
      std::size_t const to = v / 40 * 40 + random.below(40);
      if (v % 7 != 0 && to < n) ends.emplace_back(v, to);
    }
  }
  return ends;
}

inline Rows make_rows(Ends const& ends, std::size_t n, bool both_ways) {
  std::vector<std::vector<std::int32_t>> of(n);
  for (auto const& [from, to] : ends) {
    of[from].push_back(static_cast<std::int32_t>(to));
    if (both_ways) of[to].push_back(static_cast<std::int32_t>(from));
  }
  Rows rows;
  for (auto const& columns : of) {
    rows.columns.insert(rows.columns.end(), columns.begin(), columns.end());
    rows.row_offsets.push_back(static_cast<std::int32_t>(rows.columns.size()));
  }
  return rows;
}

/// f(rows, what, both ways) for graphs of all kinds and sizes, with edges one way and both ways.
template <class F>
void for_each_graph(F const& f) {
  for (std::size_t const n : std::vector<std::size_t>{0, 1, 2, 1000, std::size_t{1} << 17})
    for (std::string const& kind : kinds_of_graphs)
      for (bool const both_ways : {false, true})
        f(make_rows(make_ends(kind, n), n, both_ways),
          kind + " of " + std::to_string(n) + (both_ways ? " vertices, both ways" : " vertices"), both_ways);
}

inline std::string const kinds_of_forests[] = {"random",    "grid",         "chain", "star",
                                               "power law", "disconnected", "broken"};

/// Parents, the nodes numbered in any order, or parents before children.
inline std::vector<std::int32_t> make_parents(std::string const& kind, std::size_t n, bool parents_first) {
  Random random(n + 23);
  std::vector<std::size_t> names(n);
  std::iota(names.begin(), names.end(), std::size_t{0});
  for (std::size_t k = parents_first ? 0 : n; k > 1; --k) std::swap(names[k - 1], names[random.below(k)]);
  std::vector<std::int32_t> parents(n, -1);
  std::size_t side = 1;
  while (side * side < n) ++side;
  for (std::size_t v = 1; v < n; ++v) {
    std::size_t parent = 0;  // of a star
    if (kind == "random")
      parent = random.below(v);
    else if (kind == "grid")  // a comb: its back is the first row
      parent = v < side ? v - 1 : v - side;
    else if (kind == "chain")
      parent = v - 1;
    else if (kind == "power law")
      parent = rmat_edge(random, v).first;
    else if (kind == "disconnected" || kind == "broken")
      parent = v - 1 - random.below(v < 3 ? v : 3);
    bool const is_root = kind == "disconnected" && random.one_in(50);
    parents[names[v]]  = is_root ? -1 : static_cast<std::int32_t>(names[parent]);
  }
  if (kind == "broken" && n > 2) {  // a cycle, and a parent that is no node
    parents[names[n / 2]]     = static_cast<std::int32_t>(names[n - 1]);
    parents[names[n / 3 + 1]] = static_cast<std::int32_t>(n + 5);
  }
  return parents;
}

}  // namespace test::oracles
