// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "weighted_graphs.hpp"

// Distances beside Dijkstra's, bit for bit: graphs of every kind and size, weights of 0, sums that no type holds, and
// graphs that are none.
namespace test {
namespace {

using KokkosScan::Delta;

template <class Setup>
class Paths : public testing::Test {
 protected:
  using W     = typename Setup::Value;
  using D     = std::conditional_t<std::is_floating_point_v<W>, W, std::int64_t>;
  using Where = Handle<typename Setup::Exec, typename Setup::Backend>;

  Where const where{};

  template <class... More>
  void expect(WeightedRows<W> const& graph, std::size_t source, std::string const& what, More const&... more) const {
    expect_same_bits(dijkstra<D>(graph, source), found_paths<D>(where, graph, source, more...),
                     what + " from " + std::to_string(source));
  }
};

using PathsSetups = PlainSetups<Spaces, std::int32_t, float>::Types;
TYPED_TEST_SUITE(Paths, PathsSetups);

TYPED_TEST(Paths, of_graphs_of_every_kind) {
  using W = typename TestFixture::W;
  for (int kind = 0; kind < 7; ++kind)
    for (std::size_t const n :
         std::vector<std::size_t>{1, 2, 3, 64, 1000, 4095, 4096, 4097, takes_short_inputs ? 5'000 : 20'000}) {
      auto const graph = make_graph<W>(kind, n);
      for (std::size_t const source : std::vector<std::size_t>{0, n / 2, n - 1})
        this->expect(graph, source, std::string(kinds_of_graphs[kind]) + " of " + std::to_string(n));
      if (testing::Test::HasFailure()) return;
    }
}

/// So many that rounds are of all vertices: of random ones, and of some that hubs lead to; and more rounds than one
/// launch has.
TYPED_TEST(Paths, of_many_vertices) {
  using W = typename TestFixture::W;
  for (int const kind : takes_short_inputs ? std::vector<int>{4} : std::vector<int>{0, 4, 3, 2})
    this->expect(make_graph<W>(kind, 100'003), 50'001, std::string(kinds_of_graphs[kind]) + " of 100003");
}

/// About as many rounds of few as one launch makes, and then more vertices than it takes: lists are in one array or in
/// the other one then.
TYPED_TEST(Paths, of_a_hub_behind_many_rounds) {
  using W = typename TestFixture::W;
  for (std::size_t const hub : std::vector<std::size_t>{65'535, 65'536, 65'537}) {
    std::size_t const leaves = 5000;
    Edges<W> edges(hub + 1 + 3 * leaves);
    for (std::size_t v = 0; v < hub; ++v) edges.add(v, v + 1, W{1});
    for (std::size_t leaf = hub + 1; leaf <= hub + leaves; ++leaf) {
      edges.add(hub, leaf, W{1});
      edges.add(leaf, leaf + leaves, W{1});
      edges.add(leaf, leaf + 2 * leaves, W{2});
    }
    this->expect(edges.rows(), 0, "a hub behind " + std::to_string(hub) + " edges", Delta{1e300});
  }
}

TYPED_TEST(Paths, are_the_same_whatever_delta_is) {
  using W = typename TestFixture::W;
  for (int const kind : std::vector<int>{0, 1, 4, 6}) {
    auto const graph = make_graph<W>(kind, 9001);
    for (double const delta : std::vector<double>{1e-300, 0.01, 1, 20, 1e5, 1e300})
      this->expect(graph, 17, std::string(kinds_of_graphs[kind]) + ", Delta " + std::to_string(delta), Delta{delta});
    this->expect(graph, 17, kinds_of_graphs[kind], Delta{3});
  }
}

TYPED_TEST(Paths, end_where_weights_are_0) {
  using W         = typename TestFixture::W;
  auto const none = [](Random&) { return W{0}; };
  auto const some = [](Random& random) { return random.one_in(2) ? W{0} : random_weight<W>(random); };
  auto const rare = [](Random& random) { return random.one_in(500) ? random_weight<W>(random) : W{0}; };
  for (int kind = 0; kind < 6; ++kind)
    for (std::size_t const n : std::vector<std::size_t>{2, 999, takes_short_inputs ? 5'000 : 15'000}) {
      std::string const what = std::string(kinds_of_graphs[kind]) + " of " + std::to_string(n);
      this->expect(make_edges<W>(kind, n, none).rows(), n / 3, what + ", all 0");
      this->expect(make_edges<W>(kind, n, some).rows(), n / 3, what + ", many 0");
      this->expect(make_edges<W>(kind, n, rare).rows(), n / 3, what + ", most 0");
    }
}

TYPED_TEST(Paths, of_no_edges_and_of_edges_to_oneself) {
  using W = typename TestFixture::W;
  WeightedRows<W> graph;
  graph.row_offsets.assign(1001, 0);
  this->expect(graph, 3, "no edges");
  Edges<W> edges(500);
  for (std::size_t v = 0; v < 500; ++v)
    for (int k = 0; k < 3; ++k) edges.add(v, v, W{0});
  edges.add(3, 4, W{2});
  edges.add(3, 4, W{1});
  this->expect(edges.rows(), 3, "edges to oneself");
  auto const nothing = found_paths<typename TestFixture::D>(this->where, WeightedRows<W>(), 0);
  EXPECT_TRUE(nothing.empty());
}

/// Few take a long time and many a short one.
TYPED_TEST(Paths, of_lengths_of_all_sizes) {
  using W           = typename TestFixture::W;
  auto const weight = [](Random& random) {
    if constexpr (std::is_floating_point_v<W>)
      return std::ldexp(static_cast<W>(random.fraction()), static_cast<int>(random.below(200)) - 150);
    else
      return static_cast<W>(std::uint32_t{1} << random.below(31));
  };
  for (int kind = 0; kind < 6; ++kind)
    this->expect(make_edges<W>(kind, 12'000, weight).rows(), 5, kinds_of_graphs[kind]);
}

/// Nothing outside is read or written, and what is no edge leads nowhere.
TYPED_TEST(Paths, of_graphs_that_are_none) {
  using W = typename TestFixture::W;
  for (int const kind : std::vector<int>{0, 1, 3, 4})
    for (std::size_t const n : std::vector<std::size_t>{10, 3000, takes_short_inputs ? 5'000 : 30'000}) {
      auto graph = make_graph<W>(kind, n);
      Random random(n);
      for (std::size_t k = 0; k < graph.columns.size() / 20 + 2; ++k) {
        graph.columns[random.below(graph.columns.size())] =
            random.pick({-1, -2'000'000'000, static_cast<std::int32_t>(n), 2'000'000'000});
        W& weight = graph.weights[random.below(graph.weights.size())];
        weight    = static_cast<W>(-weight);
        if constexpr (std::is_floating_point_v<W>)
          graph.weights[random.below(graph.weights.size())] =
              random.one_in(2) ? std::numeric_limits<W>::quiet_NaN() : -std::numeric_limits<W>::infinity();
      }
      this->expect(graph, n / 2, std::string(kinds_of_graphs[kind]) + " with edges that are none");
      for (std::size_t k = 0; k < 4; ++k)
        graph.row_offsets[random.below(n)] = random.pick({-1, -2'000'000'000, 2'000'000'000, 3});
      this->expect(graph, n / 2, std::string(kinds_of_graphs[kind]) + " with rows that are none");
    }
}

}  // namespace
}  // namespace test
