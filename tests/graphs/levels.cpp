// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan/breadth_first_levels.hpp>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "graphs.hpp"
#include "support/thrown.hpp"

// Levels of searches beside those of a queue: graphs of every kind, with edges one way and both ways; large levels and
// thousands of small ones; offsets and columns that are wrong.
namespace test {
namespace {

using KokkosScan::breadth_first_levels;
using KokkosScan::Symmetric;

template <class Setup>
class Levels : public OnGraphs<Setup> {
 protected:
  using Integer = typename OnGraphs<Setup>::Integer;
  using On      = typename OnGraphs<Setup>::On;
  using OnGraphs<Setup>::where;

  template <class... Option>
  void expect(EdgeList const& graph, std::string const& what, Option const&... option) const {
    if (graph.vertices() == 0) return;
    On const on(graph);
    for (std::size_t const source : {std::size_t{0}, graph.vertices() / 2, graph.vertices() - 1}) {
      breadth_first_levels(where, on.row_offsets, on.columns, source, on.results, option...);
      where.exec().fence();
      expect_same(converted<Integer>(graph.levels(source)), on.take(), what + ", from " + std::to_string(source));
      if (this->HasFailure()) return;
    }
  }
};

using LevelsSetups = PlainSetups<Spaces, std::int32_t, std::int64_t>::Types;
TYPED_TEST_SUITE(Levels, LevelsSetups);

TYPED_TEST(Levels, of_graphs_of_every_kind) {
  for_each_graph(9'001, [&](EdgeList const& graph, std::string const& what) {
    this->expect(graph, what);
    EdgeList const both = graph.both_ways();
    this->expect(both, what + ", both ways");
    this->expect(both, what + ", symmetric", Symmetric{});
  });
}

TYPED_TEST(Levels, of_large_graphs_and_late_neighbours) {
  EdgeList const hubs = make_graph_of_hubs();
  this->expect(hubs, "hubs");
  this->expect(hubs, "hubs, symmetric", Symmetric{});
  for (std::string const kind : {"power law", "star"}) {
    EdgeList const graph = make_graph(kind, 100'003).both_ways();
    this->expect(graph, kind);
    this->expect(graph, kind + ", symmetric", Symmetric{});
  }
}

/// Behind a large level that reaches almost all vertices, the others are still to be found; behind the last, nothing.
TYPED_TEST(Levels, of_few_vertices_behind_a_large_level) {
  constexpr std::size_t n = 100'003;
  EdgeList graph(n);
  for (std::size_t v = 1; v + 3 < n; ++v) graph.add(0, v);
  for (std::size_t v = n - 4; v + 1 < n; ++v) graph.add(v, v + 1);
  this->expect(graph.both_ways(), "a star with a tail");
  this->expect(graph.both_ways(), "a star with a tail, symmetric", Symmetric{});
}

TYPED_TEST(Levels, are_the_same_of_an_instance_and_again) {
  using On             = typename TestFixture::On;
  EdgeList const graph = make_graph("random", 30'011).both_ways();
  On const on(graph);
  auto const expected = converted<typename TestFixture::Integer>(graph.levels(5));
  for (int k = 0; k < 5; ++k) {
    breadth_first_levels("label", this->where, on.row_offsets, on.columns, 5, on.results, Symmetric{});
    this->where.exec().fence();
    expect_same(expected, on.take(), "again");
    breadth_first_levels(this->where.exec(), on.row_offsets, on.columns, 5U, on.results);
    this->where.exec().fence();
    expect_same(expected, on.take(), "of an instance");
  }
}

/// What leads to no vertex is as if it were not there; and offsets are as if they were within the columns.
TYPED_TEST(Levels, of_wrong_columns_and_offsets) {
  using Integer       = typename TestFixture::Integer;
  using On            = typename TestFixture::On;
  std::size_t const n = 6'000;
  EdgeList right(n), wrong(n);
  Random random(2);
  for (std::size_t k = 0; k < 4 * n; ++k) {
    std::size_t const from = random.below(n), to = random.below(n - 1) + 1;
    right.add(from, to);
    wrong.add(from, to);
    if (k % 3 == 0) wrong.add(from, k % 2 == 0 ? n + random.below(1000) : static_cast<std::size_t>(-3));
  }
  On const on(wrong);
  breadth_first_levels(this->where, on.row_offsets, on.columns, 1, on.results);
  this->where.exec().fence();
  auto const levels = on.take();
  expect_same(converted<Integer>(right.levels(1)), levels, "wrong columns");
  EXPECT_EQ(-1, levels[0]);  // columns behind the last lead there
  // Not what it is said to be.
  breadth_first_levels(this->where, on.row_offsets, on.columns, 1, on.results, Symmetric{});
  this->where.exec().fence();
  auto const others = on.take();
  EXPECT_TRUE(std::all_of(others.begin(), others.end(),
                          [&](Integer level) { return level >= -1 && level < static_cast<Integer>(n); }));
  auto offsets = right.row_offsets<Integer>();
  for (std::size_t v = 0; v <= n; v += 7)
    offsets[v] = static_cast<Integer>(v % 2 == 0 ? random.below(6 * n) : static_cast<std::size_t>(-5));
  On const descending(right, offsets, right.columns<Integer>());
  breadth_first_levels(this->where, descending.row_offsets, descending.columns, 1, descending.results);
  this->where.exec().fence();
  auto const found = descending.take();
  EXPECT_EQ(0, found[1]);
  EXPECT_EQ(-1, found[0]);
  EXPECT_TRUE(std::all_of(found.begin(), found.end(),
                          [&](Integer level) { return level >= -1 && level < static_cast<Integer>(n); }));
}

TYPED_TEST(Levels, takes_strided_views_of_other_integers) {
  using Space          = typename TestFixture::Exec::memory_space;
  EdgeList const graph = make_graph("random", 20'001).both_ways();
  std::size_t const n  = graph.vertices();
  auto const columns   = graph.columns<std::uint16_t>();
  auto const offsets   = graph.row_offsets<std::uint64_t>();
  using Wide           = Kokkos::View<std::uint64_t**, Kokkos::LayoutRight, Space>;
  Wide const of_rows("offsets", n + 1, 2);
  Kokkos::View<std::uint16_t**, Kokkos::LayoutRight, Space> const to("columns", columns.size(), 3);
  Kokkos::View<std::int16_t**, Kokkos::LayoutRight, Space> const levels("levels", n, 2);
  Kokkos::deep_copy(Kokkos::subview(of_rows, Kokkos::ALL, 1), to_view<Kokkos::View<std::uint64_t*, Space>>(offsets));
  Kokkos::deep_copy(Kokkos::subview(to, Kokkos::ALL, 1), to_view<Kokkos::View<std::uint16_t*, Space>>(columns));
  Kokkos::deep_copy(levels, std::int16_t{-7});
  auto const call = [&](auto const&... option) {
    breadth_first_levels(this->where, Kokkos::subview(of_rows, Kokkos::ALL, 1), Kokkos::subview(to, Kokkos::ALL, 1), 9,
                         Kokkos::subview(levels, Kokkos::ALL, 0), option...);
    this->where.exec().fence();
    auto const found    = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), levels);
    auto const expected = graph.levels(9);
    for (std::size_t v = 0; v < n; ++v) ASSERT_EQ(expected[v], found(v, 0)) << v;
    for (std::size_t v = 0; v < n; ++v) ASSERT_EQ(-7, found(v, 1)) << v;
  };
  call();
  call(Symmetric{});
}

using Exec = Kokkos::DefaultExecutionSpace;
template <class T>
using Row = Kokkos::View<T*, Exec>;

TEST(LevelsOf, wrong_calls_throw_before_anything_is_written) {
  EdgeList const graph = make_graph("grid", 300);
  OnSpace<Exec, int, int> const on(graph);
  auto const message = [&](auto const& offsets, auto const& columns, auto source, auto const& levels) {
    return thrown_by<std::invalid_argument>(
        [&] { breadth_first_levels("mine", Exec(), offsets, columns, source, levels); });
  };
  Row<int> const few("few", 299);
  EXPECT_TRUE(says(message(on.row_offsets, on.columns, 0, few), {"mine", "levels", "300", "299"}));
  EXPECT_TRUE(says(message(on.row_offsets, on.columns, 300, on.results), {"source", "300"}));
  EXPECT_TRUE(says(message(on.row_offsets, on.columns, -1, on.results), {"source", "-1"}));
  Row<std::int8_t> const narrow("narrow", 300);
  EXPECT_TRUE(says(message(on.row_offsets, on.columns, 0, narrow), {"levels", "299", "127"}));
  EXPECT_TRUE(says(message(on.row_offsets, narrow, 0, on.results), {"row_offsets", "301", "127"}));
  EXPECT_TRUE(says(message(on.row_offsets, on.columns, 0, on.row_offsets), {"row_offsets", "levels"}));
  EXPECT_TRUE(says(message(on.row_offsets, on.results, 0, on.results), {"columns", "levels"}));
  auto const found = on.take();
  EXPECT_TRUE(std::all_of(found.begin(), found.end(), [](int level) { return level == -7; }));
}

TEST(LevelsOf, nothing_and_of_one_vertex) {
  OnSpace<Exec, int, int> const none(EdgeList(0)), one(EdgeList(1));
  breadth_first_levels(Exec(), none.row_offsets, none.columns, 0, none.results);
  breadth_first_levels(Exec(), Row<int>(), Row<int>(), 0, none.results);
  breadth_first_levels(Exec(), one.row_offsets, one.columns, 0, one.results, Symmetric{});
  Kokkos::fence();
  EXPECT_TRUE(none.take().empty());
  EXPECT_EQ(std::vector<int>{0}, one.take());
}

/// By the backend of the default space, and by the portable one.
template <class Backend>
void expect_checks() {
  Handle<Exec, Backend, Options> const checking(Exec(), Options{.check = true});
  EdgeList const graph = make_graph("random", 5'000);
  auto const offsets   = graph.row_offsets<int>(3);
  auto const columns   = graph.columns<int>(3, -9);  // those of no edge may be what they like
  auto const message   = [&](std::vector<int> const& rows, std::vector<int> const& to) {
    OnSpace<Exec, int, int> const on(graph, rows, to);
    auto const text = thrown_by<std::invalid_argument>(
        [&] { breadth_first_levels("mine", checking, on.row_offsets, on.columns, 0, on.results); });
    EXPECT_EQ(std::vector<int>(5'000, -7), on.take());
    return text;
  };
  for (int const wrong : {-1, 5'000, 1 << 30}) {
    auto to  = columns;
    to[1234] = wrong;
    to[4321] = -2;
    EXPECT_TRUE(says(message(offsets, to), {"mine", "columns(1234)", std::to_string(wrong), "5000"}));
  }
  auto rows  = offsets;
  rows[1000] = rows[1001] + 1;
  EXPECT_TRUE(says(message(rows, columns), {"mine", "row 1000", "row_offsets", std::to_string(rows[1001])}));
  rows       = offsets;
  rows[5000] = rows[5000] + 1;
  EXPECT_TRUE(says(message(rows, columns), {"row 4999", "columns", std::to_string(columns.size())}));
  OnSpace<Exec, int, int> const on(graph, offsets, columns);
  breadth_first_levels(checking, on.row_offsets, on.columns, 0, on.results);
  expect_same(converted<int>(graph.levels(0)), on.take(), "nothing is wrong");
}
TEST(LevelsOf, graphs_that_are_checked) {
  expect_checks<KokkosScan::driver::Backend<Exec>>();
  expect_checks<KokkosScan::portable::Backend>();
}

}  // namespace
}  // namespace test
