// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "support/thrown.hpp"
#include "weighted_graphs.hpp"

// Calls of shortest_paths: types of every kind, Views that are strided, what is said of wrong ones.
namespace test {
namespace {

using KokkosScan::Delta;
using KokkosScan::shortest_paths;

using Exec = Kokkos::DefaultExecutionSpace;
template <class T>
using Row = Kokkos::View<T*, Exec>;

template <class D, class W, class Index = std::int32_t>
void expect_of_types(WeightedRows<W, Index> const& graph, std::string const& what) {
  for (std::size_t const source : std::vector<std::size_t>{0, graph.vertices() / 2})
    expect_same_bits(dijkstra<D>(graph, source), found_paths<D>(Exec(), graph, source), what);
}

TEST(PathsOf, sums_that_no_type_holds) {
  for (int const kind : std::vector<int>{0, 2, 3}) {
    expect_of_types<std::uint8_t>(make_graph<std::uint8_t>(kind, 3000), "8 bits");
    auto const large = [](Random& random) { return static_cast<std::int64_t>(random() >> 3); };
    expect_of_types<std::int64_t>(make_edges<std::int64_t>(kind, 3000, large).rows<std::int64_t>(), "64 bits");
    auto const of_words = [](Random& random) {  // whose low bits alone would be short
      return static_cast<std::int64_t>(random.below(3) << 32 | random.below(100));
    };
    expect_of_types<std::int16_t>(make_edges<std::int64_t>(kind, 3000, of_words).rows<std::int64_t>(), "too large");
    auto const half = [](Random& random) { return static_cast<std::uint32_t>(random() >> (32 + random.below(20))); };
    expect_of_types<std::uint32_t>(make_edges<std::uint32_t>(kind, 3000, half).rows(), "32 bits");
  }
}

TEST(PathsOf, floats_in_doubles_and_integers_in_floats) {
  for (int const kind : std::vector<int>{0, 1, 4}) {
    auto graph        = make_graph<float>(kind, 5000);
    graph.weights[7]  = std::numeric_limits<float>::infinity();
    graph.weights[9]  = -0.0F;
    graph.weights[11] = std::numeric_limits<float>::denorm_min();
    expect_of_types<double>(graph, "double");
    expect_of_types<float>(make_graph<std::int32_t>(kind, 5000), "float");
  }
}

TEST(PathsOf, strided_views) {
  auto const graph    = make_graph<std::int32_t>(0, 5000);
  std::size_t const n = graph.vertices(), m = graph.columns.size();
  using Pairs = Kokkos::View<std::int32_t**, Kokkos::LayoutRight, Exec>;
  Pairs const offsets("offsets", n + 1, 2), columns("columns", m, 2), weights("weights", m, 3);
  Kokkos::View<std::uint32_t**, Kokkos::LayoutRight, Exec> const distances("distances", n, 2);
  Kokkos::deep_copy(Kokkos::subview(offsets, Kokkos::ALL, 1), to_view<Row<std::int32_t>>(graph.row_offsets));
  Kokkos::deep_copy(Kokkos::subview(columns, Kokkos::ALL, 1), to_view<Row<std::int32_t>>(graph.columns));
  Kokkos::deep_copy(Kokkos::subview(weights, Kokkos::ALL, 2), to_view<Row<std::int32_t>>(graph.weights));
  Kokkos::deep_copy(distances, 5U);
  shortest_paths("mine", Exec(), Kokkos::subview(offsets, Kokkos::ALL, 1), Kokkos::subview(columns, Kokkos::ALL, 1),
                 Kokkos::subview(weights, Kokkos::ALL, 2), 9, Kokkos::subview(distances, Kokkos::ALL, 0));
  auto const expected = dijkstra<std::uint32_t>(graph, 9);
  auto const found    = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), distances);
  for (std::size_t v = 0; v < n; ++v) {
    ASSERT_EQ(expected[v], found(v, 0)) << v;
    ASSERT_EQ(5U, found(v, 1)) << v;
  }
}

TEST(PathsOf, one_handle_time_after_time) {
  Handle const handle(Exec{});
  for (int const kind : std::vector<int>{0, 3, 4, 2, 0}) {
    auto const graph    = make_graph<std::int32_t>(kind, 40'000);
    auto const expected = dijkstra<std::int32_t>(graph, 1);
    for (int k = 0; k < 3; ++k)
      expect_same_bits(expected, found_paths<std::int32_t>(handle, graph, 1), kinds_of_graphs[kind]);
  }
}

template <class W>
struct Called {
  WeightedRows<W> graph = make_graph<W>(0, 2000);
  Handle<Exec, KokkosScan::driver::Backend<Exec>, Options> checked{Exec(), Options{.check = true}};

  std::string thrown() const {
    return thrown_by<std::invalid_argument>([&] { found_paths<double>(checked, graph, 1); });
  }
};
TEST(PathsOf, what_is_no_graph_is_found_on_request) {
  Called<std::int32_t> call;
  expect_same_bits(dijkstra<double>(call.graph, 1), found_paths<double>(call.checked, call.graph, 1), "checked");
  call.graph.weights[1234] = -3;
  EXPECT_TRUE(says(call.thrown(), {"shortest_paths", "weights(1234)", "-3"}));
  call.graph.weights[1234] = 0;
  call.graph.columns[777]  = 2000;
  EXPECT_TRUE(says(call.thrown(), {"columns(777)", "2000", "2000 vertices"}));
  call.graph.columns[777] = -5;
  EXPECT_TRUE(says(call.thrown(), {"columns(777)", "-5"}));
  call.graph.columns[777]     = 0;
  call.graph.row_offsets[100] = 1'000'000;
  EXPECT_TRUE(says(call.thrown(), {"row 99", "1000000", "columns"}));
  Called<float> floats;
  floats.graph.weights[17] = std::numeric_limits<float>::quiet_NaN();
  EXPECT_TRUE(says(floats.thrown(), {"weights(17)", "nan"}));
  floats.graph.weights[17] = -0.5F;
  EXPECT_TRUE(says(floats.thrown(), {"weights(17)", "-0.5"}));
  floats.graph.weights[17] = -0.0F;
  expect_same_bits(dijkstra<double>(floats.graph, 1), found_paths<double>(floats.checked, floats.graph, 1), "-0");
}

TEST(PathsOf, wrong_calls_throw_before_anything_is_written) {
  auto const graph   = make_graph<std::int32_t>(0, 300);
  auto const offsets = to_view<Row<std::int32_t>>(graph.row_offsets),
             columns = to_view<Row<std::int32_t>>(graph.columns), weights = to_view<Row<std::int32_t>>(graph.weights);
  Row<std::int32_t> const distances("distances", 300), few("few", 299);
  Kokkos::deep_copy(distances, 5);
  auto const thrown = [&](auto const&... arguments) {
    return thrown_by<std::invalid_argument>([&] { shortest_paths(Exec(), offsets, columns, arguments...); });
  };
  EXPECT_TRUE(says(thrown(weights, 300, distances), {"source", "300", "300 vertices"}));
  EXPECT_TRUE(says(thrown(weights, -1, distances), {"source", "-1"}));
  EXPECT_TRUE(says(thrown(weights, 0, few), {"distances", "300", "299"}));
  EXPECT_TRUE(says(thrown(few, 0, distances), {"columns", "weights", "299"}));
  EXPECT_TRUE(says(thrown(weights, 0, distances, Delta{0}), {"Delta", "0"}));
  EXPECT_TRUE(says(thrown(weights, 0, distances, Delta{-1.5}), {"Delta", "-1.5"}));
  EXPECT_TRUE(says(thrown(weights, 0, distances, Delta{std::numeric_limits<double>::quiet_NaN()}), {"Delta", "nan"}));
  EXPECT_TRUE(says(thrown(weights, 0, weights), {"weights", "distances", "overlap"}));
  EXPECT_TRUE(says(thrown_by<std::invalid_argument>([&] {
                     shortest_paths("mine", Exec(), offsets, to_view<Row<std::int8_t>>(std::vector<std::int8_t>(5)),
                                    weights, 0, distances);
                   }),
                   {"mine", "301", "127"}));
  for (std::int32_t const distance : to_vector(distances, 0)) ASSERT_EQ(5, distance);
}

}  // namespace
}  // namespace test
