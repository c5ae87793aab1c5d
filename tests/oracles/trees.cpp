// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan/lowest_common_ancestors.hpp>
#include <KokkosScan/trees.hpp>
#include <cstdint>
#include <string>
#include <vector>

#include "inputs.hpp"
#include "views.hpp"

// Trees beside a depth-first search of Boost.Graph.
namespace test::oracles {
namespace {

using Nodes = View<std::int32_t>;

template <class Backend>
struct Trees : testing::Test {
  Where<Backend> const where{};
};
TYPED_TEST_SUITE(Trees, Backends, );

template <class F>
void for_each_forest(F const& f) {
  for (std::size_t const n : std::vector<std::size_t>{0, 1, 2, 1000, std::size_t{1} << 17})
    for (std::string const& kind : kinds_of_forests)
      for (bool const parents_first : {false, true})
        f(make_parents(kind, n, parents_first),
          kind + " of " + std::to_string(n) + (parents_first ? " nodes, parents first" : " nodes"));
}

TYPED_TEST(Trees, numbers_of_nodes) {
  for_each_forest([&](std::vector<std::int32_t> const& all, std::string const& what) {
    Tree const expected = boost_tree(all);
    Nodes const parents = to_view(all);
    std::size_t const n = all.size();
    Nodes const one("one", n), other("other", n);
    KokkosScan::tree_depths(this->where, parents, one);
    expect_same(expected.depths, to_vector(one), "depths, " + what);
    KokkosScan::subtree_sizes(this->where, parents, one);
    expect_same(expected.sizes, to_vector(one), "sizes, " + what);
    KokkosScan::preorder(this->where, parents, one);
    expect_same(expected.preorder, to_vector(one), "preorder, " + what);
    KokkosScan::postorder(this->where, parents, one);
    expect_same(expected.postorder, to_vector(one), "postorder, " + what);
    KokkosScan::euler_tour(this->where, parents, one, other);
    expect_same(expected.enter, to_vector(one), "enter, " + what);
    expect_same(expected.leave, to_vector(other), "leave, " + what);
  });
}

template <class Lowest>
struct Ask {
  Lowest lowest;
  Nodes us, vs, found;
  KOKKOS_FUNCTION void operator()(std::size_t i) const { found(i) = lowest(us(i), vs(i)); }
};

Pairs make_pairs(std::size_t n) {
  Pairs pairs;
  Random random(n);
  for (int k = 0; k < 5000 && n > 0; ++k) {
    std::size_t const u = random.below(n);
    pairs.emplace_back(u, k % 2 == 0 ? random.below(n) : (u + random.below(20)) % n);
  }
  return pairs;
}

TYPED_TEST(Trees, lowest_common_ancestors) {
  using Lowest = KokkosScan::LowestCommonAncestors<std::int32_t, Exec::memory_space>;
  for_each_forest([&](std::vector<std::int32_t> const& all, std::string const& what) {
    Pairs const pairs = make_pairs(all.size());
    std::vector<std::int32_t> us, vs;
    for (auto const& [u, v] : pairs) {
      us.push_back(static_cast<std::int32_t>(u));
      vs.push_back(static_cast<std::int32_t>(v));
    }
    Lowest const lowest(this->where, to_view(all));
    Nodes const found("found", pairs.size());
    Kokkos::parallel_for(Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(Exec(), 0, pairs.size()),
                         Ask<Lowest>{lowest, to_view(us), to_view(vs), found});
    expect_same(boost_ancestors(all, pairs), to_vector(found), what);
  });
}

}  // namespace
}  // namespace test::oracles
