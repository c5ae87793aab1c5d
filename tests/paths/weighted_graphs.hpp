// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <queue>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "scan/problems.hpp"

#include <KokkosScan/shortest_paths.hpp>

// Graphs to find paths in, and Dijkstra's algorithm to find them by.
namespace test {

template <class W, class Index = std::int32_t>
struct WeightedRows {
  std::vector<Index> row_offsets{0}, columns;
  std::vector<W> weights;

  std::size_t vertices() const { return row_offsets.size() - 1; }
};

/// Edges by where they come from, as they were added.
template <class W>
class Edges {
 public:
  explicit Edges(std::size_t vertices) : of_(vertices) {}
  std::size_t vertices() const { return of_.size(); }
  void add(std::size_t from, std::size_t to, W weight) { of_[from].push_back({to, weight}); }
  void add_both_ways(std::size_t from, std::size_t to, W weight) {
    add(from, to, weight);
    add(to, from, weight);
  }
  template <class Index = std::int32_t>
  WeightedRows<W, Index> rows() const {
    WeightedRows<W, Index> all;
    for (auto const& edges : of_) {
      for (auto const& [to, weight] : edges) {
        all.columns.push_back(static_cast<Index>(to));
        all.weights.push_back(weight);
      }
      all.row_offsets.push_back(static_cast<Index>(all.columns.size()));
    }
    return all;
  }

 private:
  std::vector<std::vector<std::pair<std::size_t, W>>> of_;
};

/// Of 1 to 255, or as many fractions.
template <class W>
W random_weight(Random& random) {
  if constexpr (std::is_floating_point_v<W>)
    return static_cast<W>(random.fraction());
  else
    return static_cast<W>(1 + random.below(255));
}

inline constexpr char const* kinds_of_graphs[] = {"random", "mesh", "chain", "star", "power law", "islands", "tail"};

/// Weights are random_weight's, or what `weight` gives.
template <class W, class Weight>
Edges<W> make_edges(int kind, std::size_t n, Weight const& weight, std::uint64_t seed = 1) {
  Random random(seed + n);
  Edges<W> edges(n);
  std::size_t side = 1;
  while ((side + 1) * (side + 1) <= n) ++side;
  for (std::size_t v = 0; v < n; ++v) switch (kind) {
      case 0:
        for (int k = 0; k < 4; ++k) edges.add_both_ways(v, random.below(n), weight(random));
        break;
      case 1:
        if (v % side + 1 < side && v + 1 < n) edges.add_both_ways(v, v + 1, weight(random));
        if (v + side < n) edges.add_both_ways(v, v + side, weight(random));
        break;
      case 2:
        if (v + 1 < n) edges.add_both_ways(v, v + 1, weight(random));
        break;
      case 3: edges.add_both_ways(n / 2, v, weight(random)); break;
      case 4:  // few are ends of most
        for (int k = 0; k < 4; ++k) {
          double const x = random.fraction();
          edges.add_both_ways(v, static_cast<std::size_t>(static_cast<double>(n) * x * x * x * x * x), weight(random));
        }
        break;
      case 5:  // edges of one way within groups of 50
        for (int k = 0; k < 3; ++k) {
          std::size_t const first = v / 50 * 50, to = first + random.below(50);
          if (to < n) edges.add(v, to, weight(random));
        }
        break;
      default:  // half of them are far from the first, and a chain leads along the others
        if (v >= n / 2)
          edges.add(0, v, static_cast<W>(static_cast<W>(100) + weight(random)));
        else if (v + 1 < n / 2)
          edges.add_both_ways(v, v + 1, weight(random));
    }
  return edges;
}
template <class W>
WeightedRows<W> make_graph(int kind, std::size_t n, std::uint64_t seed = 1) {
  return make_edges<W>(kind, n, random_weight<W>, seed).rows();
}

template <class D>
constexpr D unreached() {
  return std::is_floating_point_v<D> ? std::numeric_limits<D>::infinity() : std::numeric_limits<D>::max();
}
/// Behind an edge, as documented: integers stay at the largest.
template <class D, class W>
D behind(D before, W weight) {
  if constexpr (std::is_floating_point_v<D>) {
    return static_cast<D>(before + static_cast<D>(weight));
  } else {
    __extension__ using Wide = __int128;
    Wide const sum           = static_cast<Wide>(before) + static_cast<Wide>(weight);
    return sum < static_cast<Wide>(unreached<D>()) ? static_cast<D>(sum) : unreached<D>();
  }
}

/// Neither negative nor NaN.
template <class W>
bool is_weight(W weight) {
  if constexpr (std::is_signed_v<W>)
    return weight >= W{0};
  else
    return true;
}

/// Dijkstra 1959, with a heap. Columns that are no vertices and weights that are none are left out; offsets are taken
/// as if they were within the columns.
template <class D, class W, class Index>
std::vector<D> dijkstra(WeightedRows<W, Index> const& graph, std::size_t source) {
  using Entry          = std::pair<D, std::size_t>;
  std::size_t const n  = graph.vertices();
  std::int64_t const m = static_cast<std::int64_t>(graph.columns.size());
  auto const within    = [&](Index offset) { return std::clamp<std::int64_t>(offset, 0, m); };
  std::vector<D> distances(n, unreached<D>());
  std::priority_queue<Entry, std::vector<Entry>, std::greater<Entry>> queue;
  distances[source] = 0;
  queue.push({D{0}, source});
  while (!queue.empty()) {
    auto const [distance, v] = queue.top();
    queue.pop();
    if (distance > distances[v]) continue;
    for (std::int64_t e = within(graph.row_offsets[v]); e < within(graph.row_offsets[v + 1]); ++e) {
      auto const edge = static_cast<std::size_t>(e), to = static_cast<std::size_t>(graph.columns[edge]);
      if (to >= n || !is_weight(graph.weights[edge])) continue;
      D const there = behind(distance, graph.weights[edge]);
      if (!(there < distances[to])) continue;
      distances[to] = there;
      queue.push({there, to});
    }
  }
  return distances;
}

/// The bits, so that -0 is not 0.
template <class D>
void expect_same_bits(std::vector<D> const& expected, std::vector<D> const& found, std::string const& what) {
  ASSERT_EQ(expected.size(), found.size()) << what;
  for (std::size_t i = 0; i < expected.size(); ++i)
    ASSERT_EQ(0, std::memcmp(&expected[i], &found[i], sizeof(D)))
        << what << ": distance " << i << " of " << expected.size() << " is " << +found[i] << ", not " << +expected[i];
}

/// Finds distances, with values round them that stay as they were.
template <class D, class Where, class W, class Index, class... More>
std::vector<D> found_paths(Where const& where, WeightedRows<W, Index> const& graph, std::size_t source,
                           More const&... more) {
  using Space                               = typename KokkosScan::driver::InstanceOf<Where>::memory_space;
  Kokkos::View<Index*, Space> const offsets = to_view<Kokkos::View<Index*, Space>>(graph.row_offsets),
                                    columns = to_view<Kokkos::View<Index*, Space>>(graph.columns);
  Kokkos::View<W*, Space> const weights     = to_view<Kokkos::View<W*, Space>>(graph.weights);
  std::size_t const n                       = graph.vertices();
  Kokkos::View<D*, Space> const room("distances", n + 8);
  Kokkos::deep_copy(room, D{77});
  KokkosScan::shortest_paths(where, offsets, columns, weights, source,
                             Kokkos::subview(room, std::pair<std::size_t, std::size_t>(4, n + 4)), more...);
  Kokkos::fence();
  auto all = to_vector(room, D{});
  for (std::size_t k = 0; k < 4; ++k) EXPECT_TRUE(all[k] == D{77} && all[n + 4 + k] == D{77}) << "beside distances";
  return {all.begin() + 4, all.end() - 4};
}

}  // namespace test
