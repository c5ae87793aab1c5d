// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan/connected_components.hpp>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "graphs.hpp"
#include "support/thrown.hpp"

// Components beside those found by following edges both ways: graphs of every kind, whose edges are there once or both
// ways; offsets and columns that are wrong.
namespace test {
namespace {

using KokkosScan::connected_components;
using KokkosScan::Symmetric;

template <class Setup>
class Components : public OnGraphs<Setup> {
 protected:
  using Integer = typename OnGraphs<Setup>::Integer;
  using On      = typename OnGraphs<Setup>::On;
  using OnGraphs<Setup>::where;

  template <class... Option>
  void expect(EdgeList const& graph, std::vector<std::int64_t> const& labels, std::string const& what,
              Option const&... option) const {
    On const on(graph);
    connected_components(where, on.row_offsets, on.columns, on.results, option...);
    where.exec().fence();
    expect_same(converted<Integer>(labels), on.take(), what);
  }
  void expect_all(EdgeList const& graph, std::string const& what) const {
    auto const labels   = graph.labels();
    EdgeList const both = graph.both_ways();
    expect(graph, labels, what);
    expect(both, labels, what + ", both ways");
    expect(both, labels, what + ", symmetric", Symmetric{});
  }
};

using ComponentsSetups = PlainSetups<Spaces, std::int32_t, std::int64_t>::Types;
TYPED_TEST_SUITE(Components, ComponentsSetups);

TYPED_TEST(Components, of_graphs_of_every_kind) {
  for_each_graph(9'001, [&](EdgeList const& graph, std::string const& what) { this->expect_all(graph, what); });
  for (std::string const kind : {"power law", "shuffled chain", "islands"})
    this->expect_all(make_graph(kind, 100'003), kind + " of 100'003");
}

TYPED_TEST(Components, of_hubs_and_of_one_large_among_many_small) {
  this->expect_all(make_graph_of_hubs(), "hubs");
  std::size_t const n = 60'000;
  EdgeList mixed(n);
  Random random(8);
  for (std::size_t k = 0; k < n; ++k) mixed.add(random.below(n / 2) * 2, random.below(n / 2) * 2);
  for (std::size_t v = 1; v + 4 < n; v += 4) mixed.add(v + 2, v);
  this->expect_all(mixed, "large and small");
}

TYPED_TEST(Components, are_the_same_of_an_instance_and_again) {
  using On             = typename TestFixture::On;
  EdgeList const graph = make_graph("islands", 30'011).both_ways();
  On const on(graph);
  auto const expected = converted<typename TestFixture::Integer>(graph.labels());
  for (int k = 0; k < 5; ++k) {
    connected_components("label", this->where, on.row_offsets, on.columns, on.results, Symmetric{});
    this->where.exec().fence();
    expect_same(expected, on.take(), "again");
    connected_components(this->where.exec(), on.row_offsets, on.columns, on.results);
    this->where.exec().fence();
    expect_same(expected, on.take(), "of an instance");
  }
}

TYPED_TEST(Components, of_wrong_columns_and_offsets) {
  using Integer       = typename TestFixture::Integer;
  using On            = typename TestFixture::On;
  std::size_t const n = 6'000;
  EdgeList right(n), wrong(n);
  Random random(2);
  for (std::size_t k = 0; k < n; ++k) {
    std::size_t const from = random.below(n - 1) + 1, to = random.below(n - 1) + 1;
    for (EdgeList* const graph : {&right, &wrong}) graph->add(from, to).add(to, from);
    wrong.add(from, k % 2 == 0 ? n + random.below(1000) : static_cast<std::size_t>(-3));
  }
  On const on(wrong);
  connected_components(this->where, on.row_offsets, on.columns, on.results);
  this->where.exec().fence();
  expect_same(converted<Integer>(right.labels()), on.take(), "wrong columns");
  connected_components(this->where, on.row_offsets, on.columns, on.results, Symmetric{});
  this->where.exec().fence();
  expect_same(converted<Integer>(right.labels()), on.take(), "wrong columns, symmetric");
  auto offsets = right.row_offsets<Integer>();
  for (std::size_t v = 0; v <= n; v += 7)
    offsets[v] = static_cast<Integer>(v % 2 == 0 ? random.below(6 * n) : static_cast<std::size_t>(-5));
  On const descending(right, offsets, right.columns<Integer>());
  connected_components(this->where, descending.row_offsets, descending.columns, descending.results);
  this->where.exec().fence();
  auto const found = descending.take();
  for (std::size_t v = 0; v < n; ++v) {
    ASSERT_TRUE(found[v] >= 0 && found[v] <= static_cast<Integer>(v)) << v;
    ASSERT_EQ(found[v], found[static_cast<std::size_t>(found[v])]) << v;
  }
}

TYPED_TEST(Components, takes_strided_views_of_other_integers) {
  using Space          = typename TestFixture::Exec::memory_space;
  EdgeList const graph = make_graph("islands", 20'001);
  std::size_t const n  = graph.vertices();
  auto const columns   = graph.columns<std::uint16_t>();
  auto const offsets   = graph.row_offsets<std::uint64_t>();
  Kokkos::View<std::uint64_t**, Kokkos::LayoutRight, Space> const of_rows("offsets", n + 1, 2);
  Kokkos::View<std::uint16_t**, Kokkos::LayoutRight, Space> const to("columns", columns.size(), 3);
  Kokkos::View<std::int16_t**, Kokkos::LayoutRight, Space> const labels("labels", n, 2);
  Kokkos::deep_copy(Kokkos::subview(of_rows, Kokkos::ALL, 1), to_view<Kokkos::View<std::uint64_t*, Space>>(offsets));
  Kokkos::deep_copy(Kokkos::subview(to, Kokkos::ALL, 1), to_view<Kokkos::View<std::uint16_t*, Space>>(columns));
  Kokkos::deep_copy(labels, std::int16_t{-7});
  connected_components(this->where, Kokkos::subview(of_rows, Kokkos::ALL, 1), Kokkos::subview(to, Kokkos::ALL, 1),
                       Kokkos::subview(labels, Kokkos::ALL, 0));
  this->where.exec().fence();
  auto const found    = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), labels);
  auto const expected = graph.labels();
  for (std::size_t v = 0; v < n; ++v) ASSERT_EQ(expected[v], found(v, 0)) << v;
  for (std::size_t v = 0; v < n; ++v) ASSERT_EQ(-7, found(v, 1)) << v;
}

using Exec = Kokkos::DefaultExecutionSpace;
template <class T>
using Row = Kokkos::View<T*, Exec>;

TEST(ComponentsOf, wrong_calls_throw_before_anything_is_written) {
  EdgeList const graph = make_graph("grid", 300);
  OnSpace<Exec, int, int> const on(graph);
  auto const message = [&](auto const& offsets, auto const& columns, auto const& labels) {
    return thrown_by<std::invalid_argument>([&] { connected_components("mine", Exec(), offsets, columns, labels); });
  };
  Row<int> const few("few", 299);
  EXPECT_TRUE(says(message(on.row_offsets, on.columns, few), {"mine", "labels", "300", "299"}));
  Row<std::int8_t> const narrow("narrow", 300);
  EXPECT_TRUE(says(message(on.row_offsets, on.columns, narrow), {"labels", "299", "127"}));
  EXPECT_TRUE(says(message(on.row_offsets, narrow, on.results), {"row_offsets", "301", "127"}));
  EXPECT_TRUE(says(message(on.row_offsets, on.results, on.results), {"columns", "labels"}));
  auto to = graph.columns<int>(3);
  to[77]  = 300;
  Handle const checking(Exec(), Options{.check = true});
  OnSpace<Exec, int, int> const wrong(graph, graph.row_offsets<int>(3), to);
  EXPECT_TRUE(says(thrown_by<std::invalid_argument>(
                       [&] { connected_components(checking, wrong.row_offsets, wrong.columns, wrong.results); }),
                   {"columns(77)", "300"}));
  for (auto const& found : {on.take(), wrong.take()})
    EXPECT_TRUE(std::all_of(found.begin(), found.end(), [](int label) { return label == -7; }));
  connected_components(checking, on.row_offsets, on.columns, on.results);
  expect_same(converted<int>(graph.labels()), on.take(), "nothing is wrong");
  connected_components(Exec(), Row<int>(), Row<int>(), Row<int>());
}

}  // namespace
}  // namespace test
