// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdint>
#include <numeric>
#include <string>
#include <vector>

#include "graphs.hpp"
#include "src/portable/components.hpp"
#include "src/portable/search.hpp"

// What teams of devices do together, by teams of several threads: the calls have teams of one on hosts.
namespace test {
namespace {

using Exec = Kokkos::DefaultExecutionSpace;
template <class T>
using Row    = Kokkos::View<T*, Exec>;
using Graph  = KokkosScan::core::Graph<int, KokkosScan::core::Contiguous<int>>;
using Search = KokkosScan::core::Search<Graph, KokkosScan::core::Contiguous<int>>;
using Team   = Kokkos::TeamPolicy<Exec>;

constexpr bool on_host = Kokkos::SpaceAccessibility<Exec, Kokkos::HostSpace>::accessible;

/// A graph, and what a search has of it.
class TeamSearch {
 public:
  explicit TeamSearch(EdgeList const& graph)
      : n_(graph.vertices()),
        offsets_(to_view<Row<int>>(graph.row_offsets<int>())),
        columns_(to_view<Row<int>>(graph.columns<int>())),
        levels_("levels", n_),
        words_("words", 2 * KokkosScan::core::VertexBits::count(n_)),
        vertices_("vertices", 2 * n_),
        state_("state") {}

  Graph graph() const { return {{{offsets_.data(), 1}, n_}, {columns_.data()}, columns_.extent(0)}; }
  std::uint32_t* vertices() const { return vertices_.data(); }
  Search search() const {
    std::size_t const words = KokkosScan::core::VertexBits::count(n_);
    return {graph(),          {levels_.data()},      {words_.data()}, {words_.data() + words},
            vertices_.data(), vertices_.data() + n_, nullptr,         nullptr,
            state_.data()};
  }
  KokkosScan::core::SearchState state() const {
    KokkosScan::core::SearchState state;
    Kokkos::deep_copy(state, state_);
    return state;
  }
  std::vector<int> levels() const { return to_vector(levels_, 0); }

  template <class F>
  void for_each(std::size_t count, F const& f) const {
    Kokkos::parallel_for(Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(0, count), f);
  }
  void begin(std::size_t source) const { for_each(n_, KokkosScan::core::BeginSearch<Search>{search(), source, 1}); }

 private:
  std::size_t n_;
  Row<int> offsets_, columns_, levels_;
  Row<std::uint32_t> words_, vertices_;
  Kokkos::View<KokkosScan::core::SearchState, Exec> state_;
};

/// Sizes of teams that there may be.
std::vector<int> team_sizes() {
  if (!on_host) return {32, 96, 256};
  std::vector<int> sizes{1};
  for (int size = 2; size <= Exec().concurrency(); ++size) sizes.push_back(size);
  return sizes;
}

void walk(TeamSearch const& of, int size) {
  using Walk       = KokkosScan::portable::search::Walk<Search>;
  auto const bytes = static_cast<std::size_t>(size * Walk::scratch_bytes_of_thread + Walk::other_scratch_bytes);
  Kokkos::parallel_for(Team(1, size).set_scratch_size(0, Kokkos::PerTeam(bytes)), Walk{of.search()});
}

TEST(TeamsOfSearches, walk_small_levels) {
  for (std::string const& kind : kinds_of_graphs)
    for (int const size : team_sizes()) {
      EdgeList const graph = make_graph(kind, kind == "power law" ? 1'001 : 4'801).both_ways();
      TeamSearch const of(graph);
      of.begin(7);
      do walk(of, size);
      while (of.state().frontier > 0);
      expect_same(converted<int>(graph.levels(7)), of.levels(), kind + ", teams of " + std::to_string(size));
    }
}

TEST(TeamsOfSearches, leave_large_levels_in_the_queue) {
  std::size_t const n = 20'003;  // one in the middle, who has more edges than a team takes
  TeamSearch const of(make_graph("star", n).both_ways());
  for (int const size : team_sizes()) {
    of.begin(5);
    walk(of, size);
    EXPECT_EQ(1U, of.state().frontier);
    EXPECT_EQ(1U, of.state().level);
    std::uint32_t first = 0;
    Kokkos::deep_copy(first, Kokkos::View<std::uint32_t, Exec>(of.vertices()));
    EXPECT_EQ(n - 1, first);
  }
}

TEST(TeamsOfSearches, seek_the_frontier) {
  using namespace KokkosScan::portable::search;
  EdgeList const hubs = make_graph_of_hubs(), random = make_graph("power law", 5'003).both_ways();
  for (EdgeList const* const graph : {&hubs, &random})
    for (int const size : team_sizes()) {
      TeamSearch const of(*graph);
      of.begin(3);
      std::size_t const words = of.search().words();
      int const teams         = on_host ? 1 : 5;
      std::size_t found       = 1;
      while (found > 0) {
        Kokkos::parallel_for(Team(teams, size), Seek<Search>{of.search()});
        Kokkos::parallel_for(Team(teams, size), SeekFurther<Search>{of.search()});
        found = of.state().found;
        of.for_each(words, KokkosScan::core::EndLevel<Search>{of.search()});
      }
      expect_same(converted<int>(graph->levels(3)), of.levels(), "teams of " + std::to_string(size));
    }
}

TEST(TeamsOfComponents, find_the_largest_tree) {
  using Forest        = KokkosScan::portable::components::Forest<Graph>;
  std::size_t const n = 5'000;
  TeamSearch const of{EdgeList(n)};
  for (std::size_t const most : {std::size_t{0}, std::size_t{1}, std::size_t{2}}) {  // a third of all
    std::vector<std::uint32_t> parents(n);
    for (std::size_t v = 0; v < n; ++v)
      parents[v] = v % 3 == most ? 4'321 : v % 5 == 0 ? 17 : static_cast<std::uint32_t>(v);
    auto const on = to_view<Row<std::uint32_t>>(parents);
    for (int const size : team_sizes()) {
      Kokkos::parallel_for(Team(1, size), KokkosScan::portable::components::FindLargest<Forest>{
                                              {of.graph(), on.data()}, of.vertices() + 1, 500, of.vertices()});
      std::uint32_t largest = 0;
      Kokkos::deep_copy(largest, Kokkos::View<std::uint32_t, Exec>(of.vertices()));
      EXPECT_EQ(4'321U, largest) << size;
    }
  }
}

using Forest = KokkosScan::portable::components::Forest<Graph>;

/// Links each vertex to the one before it, and steps from it, at the same time.
struct LinkAndStep {
  Forest forest;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    auto const vertex = static_cast<std::uint32_t>(i / 2 + 1);
    if (i % 2 == 0)
      forest.link(vertex, vertex - 1);
    else
      forest.step(vertex);
  }
};

TEST(TeamsOfComponents, lose_no_link_by_a_step) {
  std::size_t const n = 50'000;
  TeamSearch const of{EdgeList(n)};
  std::vector<std::uint32_t> alone(n);
  std::iota(alone.begin(), alone.end(), 0U);
  for (int round = 0; round < (is_sanitized ? 5 : 20); ++round) {
    auto const on = to_view<Row<std::uint32_t>>(alone);
    Forest const forest{of.graph(), on.data()};
    using Policy = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>, Kokkos::Schedule<Kokkos::Dynamic>>;
    Kokkos::parallel_for(Policy(0, 2 * (n - 1), Kokkos::ChunkSize(1)), LinkAndStep{forest});
    of.for_each(n, KokkosScan::portable::components::Compress<Forest>{forest});
    expect_same(std::vector<std::uint32_t>(n, 0U), to_vector(on, std::uint32_t{0}), "round " + std::to_string(round));
  }
}

}  // namespace
}  // namespace test
