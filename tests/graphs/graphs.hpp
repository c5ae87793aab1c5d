// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <string>
#include <utility>
#include <vector>

#include "scan/problems.hpp"

// Graphs of every kind, and what is true of them: levels by a queue, components by following edges both ways.
namespace test {

class EdgeList {
 public:
  explicit EdgeList(std::size_t vertices) : vertices_(vertices) {}

  std::size_t vertices() const { return vertices_; }
  EdgeList& add(std::size_t from, std::size_t to) {
    edges_.emplace_back(from, to);
    return *this;
  }
  /// The same edges there and back.
  EdgeList both_ways() const {
    EdgeList both(vertices_);
    for (auto const& [from, to] : edges_) both.add(from, to).add(to, from);
    return both;
  }

  /// Edges of a vertex in the order in which they were added, behind so many columns that belong to none.
  template <class Integer>
  std::vector<Integer> row_offsets(std::size_t first = 0) const {
    std::vector<Integer> offsets(vertices_ + 1, static_cast<Integer>(first));
    for (auto const& edge : edges_) ++offsets[edge.first + 1];
    for (std::size_t v = 0; v < vertices_; ++v)
      offsets[v + 1] = static_cast<Integer>(offsets[v + 1] + (offsets[v] - static_cast<Integer>(first)));
    return offsets;
  }
  template <class Integer>
  std::vector<Integer> columns(std::size_t first = 0, Integer of_none = 0) const {
    auto place = row_offsets<std::size_t>(first);
    std::vector<Integer> columns(first + edges_.size(), of_none);
    for (auto const& [from, to] : edges_) columns[place[from]++] = static_cast<Integer>(to);
    return columns;
  }

  std::vector<std::int64_t> levels(std::size_t source) const {
    auto const offsets = row_offsets<std::size_t>();
    auto const to      = columns<std::size_t>();
    std::vector<std::int64_t> levels(vertices_, -1);
    std::vector<std::size_t> queue{source};
    levels[source] = 0;
    for (std::size_t next = 0; next < queue.size(); ++next)
      for (std::size_t e = offsets[queue[next]]; e < offsets[queue[next] + 1]; ++e)
        if (levels[to[e]] < 0) {
          levels[to[e]] = levels[queue[next]] + 1;
          queue.push_back(to[e]);
        }
    return levels;
  }
  std::vector<std::int64_t> labels() const {
    EdgeList const both = both_ways();
    std::vector<std::int64_t> labels(vertices_, -1);
    auto const offsets = both.row_offsets<std::size_t>();
    auto const to      = both.columns<std::size_t>();
    for (std::size_t first = 0; first < vertices_; ++first) {
      if (labels[first] >= 0) continue;
      std::vector<std::size_t> reached{first};
      labels[first] = static_cast<std::int64_t>(first);
      while (!reached.empty()) {
        std::size_t const v = reached.back();
        reached.pop_back();
        for (std::size_t e = offsets[v]; e < offsets[v + 1]; ++e)
          if (labels[to[e]] < 0) {
            labels[to[e]] = static_cast<std::int64_t>(first);
            reached.push_back(to[e]);
          }
      }
    }
    return labels;
  }

 private:
  std::size_t vertices_;
  std::vector<std::pair<std::size_t, std::size_t>> edges_;
};

inline std::string const kinds_of_graphs[] = {"no edges",       "random", "grid",      "chain",
                                              "shuffled chain", "star",   "power law", "islands"};

/// About as many edges as it has vertices, or some times as many; each is there once, in one direction.
inline EdgeList make_graph(std::string const& kind, std::size_t n) {
  EdgeList graph(n);
  Random random(n);
  if (n == 0 || kind == "no edges") return graph;
  std::vector<std::size_t> names(n);
  std::iota(names.begin(), names.end(), std::size_t{0});
  if (kind == "random") {
    for (std::size_t k = 0; k < 3 * n; ++k) graph.add(random.below(n), random.below(n));
  } else if (kind == "grid") {
    std::size_t side = 1;
    while (side * side < n) ++side;
    for (std::size_t v = 0; v < n; ++v) {
      if ((v + 1) % side != 0 && v + 1 < n) graph.add(v, v + 1);
      if (v + side < n) graph.add(v + side, v);
    }
  } else if (kind == "chain" || kind == "shuffled chain") {
    if (kind != "chain")
      for (std::size_t k = n; k > 1; --k) std::swap(names[k - 1], names[random.below(k)]);
    for (std::size_t k = 0; k + 1 < n; ++k) graph.add(names[k], names[k + 1]);
  } else if (kind == "star") {
    for (std::size_t v = 0; v + 1 < n; ++v) graph.add(n - 1, n - 2 - v);  // the smallest last
  } else if (kind == "power law") {
    auto const skewed = [&] {
      double const x = random.fraction();
      return static_cast<std::size_t>(static_cast<double>(n) * x * x * x * x) * 7919 % n;
    };
    for (std::size_t k = 0; k < 8 * n; ++k) graph.add(skewed(), skewed());
  } else {
    for (std::size_t k = 0; k < 2 * n; ++k) {
      std::size_t const from = random.below(n), to = from / 50 * 50 + random.below(50);
      if (to < n) graph.add(from, to);
    }
  }
  return graph;
}

/// Some vertices with many edges, of which the last alone leads to the others: a search that looks from them for what
/// is visited finds that late.
inline EdgeList make_graph_of_hubs() {
  constexpr std::size_t others = 20'000, leaves[] = {63, 64, 65, 1'000, 40'000, 40'001};
  std::size_t n = others + std::size(leaves);
  for (std::size_t const count : leaves) n += count;
  EdgeList graph(n);
  Random random(5);
  for (std::size_t k = 0; k < 10 * others; ++k) graph.add(random.below(others), random.below(others));
  std::size_t next = others + std::size(leaves);
  for (std::size_t hub = 0; hub < std::size(leaves); ++hub) {
    for (std::size_t k = 0; k < leaves[hub]; ++k) graph.add(others + hub, next++);
    graph.add(others + hub, 17 * hub);
  }
  return graph.both_ways();
}

/// Calls f(graph, what) for graphs of all kinds and sizes.
template <class F>
void for_each_graph(std::size_t largest, F const& f) {
  for (std::size_t const n : std::vector<std::size_t>{0, 1, 2, 3, 31, 32, 33, 100, 4'095, 4'096, 4'097, largest})
    for (std::string const& kind : kinds_of_graphs) {
      f(make_graph(kind, n), kind + " of " + std::to_string(n) + " vertices");
      if (testing::Test::HasFailure()) return;
    }
}

template <class T>
std::vector<T> converted(std::vector<std::int64_t> const& values) {
  std::vector<T> all;
  for (std::int64_t const value : values) all.push_back(static_cast<T>(value));
  return all;
}

/// A graph on a space, behind some columns of no edge and with others after them, which lead to vertex 0; and a result
/// for each vertex, between values that nothing may change.
template <class Exec, class Integer, class Result>
struct OnSpace {
  using Space = typename Exec::memory_space;

  static constexpr Result guard      = static_cast<Result>(-7);
  static constexpr std::size_t extra = 5;

  Kokkos::View<Integer*, Space> row_offsets, columns;
  Kokkos::View<Result*, Space> results, all;

  explicit OnSpace(EdgeList const& graph) : OnSpace(graph, graph.row_offsets<Integer>(3), graph.columns<Integer>(3)) {}
  OnSpace(EdgeList const& graph, std::vector<Integer> const& offsets, std::vector<Integer> to) {
    std::size_t const entries = to.size();
    to.resize(entries + extra, Integer{0});
    row_offsets = to_view<Kokkos::View<Integer*, Space>>(offsets);
    columns     = Kokkos::subview(to_view<Kokkos::View<Integer*, Space>>(to), std::pair(std::size_t{0}, entries));
    all         = Kokkos::View<Result*, Space>("all", graph.vertices() + 2 * extra);
    Kokkos::deep_copy(all, guard);
    results = Kokkos::subview(all, std::pair(extra, all.extent(0)));
  }

  /// Results behind what guards them, which they must not have changed.
  std::vector<Result> take() const {
    auto const found    = to_vector(all, Result{});
    auto const behind   = found.end() - static_cast<std::ptrdiff_t>(extra);
    auto const begin    = found.begin() + static_cast<std::ptrdiff_t>(extra);
    auto const is_guard = [](Result value) { return value == guard; };
    EXPECT_TRUE(std::all_of(found.begin(), begin, is_guard) && std::all_of(behind, found.end(), is_guard));
    Kokkos::deep_copy(all, guard);
    return {begin, behind};
  }
};

/// Tests of a call on an instance and backend, with graphs of that type of integers.
template <class Setup>
class OnGraphs : public testing::Test {
 protected:
  using Exec    = typename Setup::Exec;
  using Integer = typename Setup::Value;
  using On      = OnSpace<Exec, Integer, Integer>;

  Handle<Exec, typename Setup::Backend> const where{};
};

}  // namespace test
