// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan/lowest_common_ancestors.hpp>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "forests.hpp"
#include "scan/problems.hpp"
#include "support/thrown.hpp"

// Lowest common ancestors beside those that are met on the way up.
namespace test {
namespace {

using KokkosScan::LowestCommonAncestors;

template <class Ancestors, class Row>
struct Ask {
  Ancestors ancestors;
  Row us, vs, found;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { found(i) = ancestors(us(i), vs(i)); }
};

/// The deeper one of two nodes goes up until they meet.
std::int64_t met(Parents const& parents, Found const& of, std::int64_t u, std::int64_t v) {
  auto const n     = static_cast<std::int64_t>(parents.size());
  auto const depth = [&](std::int64_t w) { return of.depths[static_cast<std::size_t>(w)]; };
  if (u < 0 || v < 0 || u >= n || v >= n || depth(u) < 0 || depth(v) < 0) return -1;
  while (u != v && u >= 0 && v >= 0) {
    std::int64_t& deeper = depth(u) < depth(v) ? v : u;
    deeper               = parents[static_cast<std::size_t>(deeper)];
  }
  return u == v ? u : -1;
}

template <class Setup>
class Ancestors : public testing::Test {
 protected:
  using Exec  = typename Setup::Exec;
  using Space = typename Exec::memory_space;
  using Node  = typename Setup::Value;
  using Row   = Kokkos::View<Node*, Space>;
  using Where = Handle<Exec, typename Setup::Backend>;
  using Of    = LowestCommonAncestors<Node, Space>;

  Where const where{};

  /// As many queries as are given, of all pairs or of some; of chains most do not take long to meet.
  void expect(Of const& ancestors, Parents const& all, std::string const& what) const {
    auto const n = static_cast<std::int64_t>(all.size());
    Found const of(all);
    Random random(all.size());
    std::vector<Node> us, vs;
    std::vector<std::int64_t> expected;
    auto const ask = [&](std::int64_t u, std::int64_t v) {
      us.push_back(static_cast<Node>(u));
      vs.push_back(static_cast<Node>(v));
      expected.push_back(met(all, of, u, v));
    };
    ask(0, n);
    ask(-1, 0);
    if (n <= 70) {
      for (std::int64_t u = 0; u < n; ++u)
        for (std::int64_t v = 0; v < n; ++v) ask(u, v);
    } else {
      for (int k = 0; k < 1000; ++k) ask(below(random, n), below(random, n));
      for (int k = 0; k < 1000; ++k) {
        std::int64_t const u = below(random, n);
        ask(u, std::min(n - 1, u + below(random, 100)));
      }
    }
    Row const found("found", us.size());
    Exec const exec;
    Kokkos::parallel_for(Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, us.size()),
                         Ask<Of, Row>{ancestors, to_view<Row>(us), to_view<Row>(vs), found});
    exec.fence();
    std::vector<std::int64_t> numbers;
    for (Node const node : to_vector(found, Node{})) numbers.push_back(node);
    expect_same(expected, numbers, what);
  }
  Row view(Parents const& all) const {
    std::vector<Node> numbers;
    for (std::int64_t const parent : all) numbers.push_back(static_cast<Node>(parent));
    return to_view<Row>(numbers);
  }
};

using AncestorsSetups = PlainSetups<Spaces, int, std::int64_t>::Types;
TYPED_TEST_SUITE(Ancestors, AncestorsSetups);

TYPED_TEST(Ancestors, in_all_shapes) {
  using Of = typename TestFixture::Of;
  for (std::size_t const n : std::vector<std::size_t>{0, 1, 2, 3, 31, 32, 33, 64, 65, 4096, 5003})
    for (auto const& [name, parents] : forests(n)) {
      Of const ancestors(this->where, this->view(parents));
      this->expect(ancestors, parents, name);
    }
}

TYPED_TEST(Ancestors, with_cycles_and_parents_that_are_none) {
  using Of             = typename TestFixture::Of;
  std::size_t const n  = 3000;
  auto const m         = static_cast<std::int64_t>(n);
  auto const parent_of = [&](std::int64_t v, Random& random) {
    std::int64_t const kind = below(random, 1000);
    if (kind < 3) return -1 - below(random, 100);
    if (kind < 5) return m + below(random, 100);
    return kind < 7 || v == 0 ? below(random, m) : below(random, v);
  };
  for (std::uint64_t seed = 0; seed < 4; ++seed) {
    Parents const parents = forest(n, seed, parent_of);
    Of const ancestors(this->where, this->view(parents));
    this->expect(ancestors, parents, "seed " + std::to_string(seed));
  }
}

TYPED_TEST(Ancestors, are_built_anew_of_fewer_nodes) {
  using Of = typename TestFixture::Of;
  Of ancestors(1000);
  EXPECT_EQ(1000U, ancestors.capacity());
  for (std::size_t const n : std::vector<std::size_t>{1000, 500, 0, 999})
    for (auto const& [name, parents] : forests(n)) {
      ancestors.build("label", this->where.exec(), this->view(parents));
      this->expect(ancestors, parents, name);
    }
}

TEST(AncestorsOf, more_nodes_than_there_is_memory_for) {
  using Any = Kokkos::DefaultExecutionSpace;
  Kokkos::View<int*, Any> const parents("parents", 11);
  LowestCommonAncestors<> ancestors(10);
  EXPECT_TRUE(says(thrown_by<std::invalid_argument>([&] { ancestors.build(Any(), parents); }),
                   {"KokkosScan::LowestCommonAncestors::build", "11", "10"}));
  LowestCommonAncestors<signed char> narrow(300);
  Kokkos::View<int*, Any> const many("many", 300);
  EXPECT_TRUE(says(thrown_by<std::invalid_argument>([&] { narrow.build(Any(), many); }), {"299", "127"}));
}

}  // namespace
}  // namespace test
