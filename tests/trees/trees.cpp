// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan/trees.hpp>
#include <cstddef>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <vector>

#include "forests.hpp"
#include "scan/problems.hpp"
#include "support/thrown.hpp"

// Depths, sizes, numbers and tours beside what one thread finds that goes through the trees.
namespace test {
namespace {

using KokkosScan::euler_tour;
using KokkosScan::postorder;
using KokkosScan::preorder;
using KokkosScan::subtree_sizes;
using KokkosScan::tree_depths;

template <class T>
std::vector<T> as(std::vector<std::int64_t> const& numbers) {
  std::vector<T> converted;
  for (std::int64_t const number : numbers) converted.push_back(static_cast<T>(number));
  return converted;
}

template <class Setup>
class Trees : public testing::Test {
 protected:
  using Exec   = typename Setup::Exec;
  using Space  = typename Exec::memory_space;
  using Parent = typename Setup::Value;
  using Row    = Kokkos::View<Parent*, Space>;
  using Where  = Handle<Exec, typename Setup::Backend>;

  Where const where{};

  /// The portable sort takes its time on hosts.
  static constexpr bool is_host     = std::is_same_v<typename Setup::Backend, KokkosScan::host::Backend>;
  static constexpr std::size_t many = is_host ? 100'003 : takes_short_inputs ? 9'001 : 20'011;

  static constexpr std::size_t guards = 3;  // which stay behind the results

  /// What a call writes behind parents of n nodes.
  template <class Call>
  static std::vector<std::int64_t> found(std::size_t n, Call const& call) {
    Row const results("results", n + guards);
    Kokkos::deep_copy(results, Parent{77});
    call(results);
    Exec().fence();
    std::vector<std::int64_t> numbers;
    for (Parent const number : to_vector(results, Parent{})) numbers.push_back(number);
    for (std::size_t k = 0; k < guards; ++k) {
      EXPECT_EQ(77, numbers.back());
      numbers.pop_back();
    }
    return numbers;
  }

  template <class ExecOrHandle>
  void expect(ExecOrHandle const& exec, Parents const& all, std::string const& what) const {
    Found const expected(all);
    Row const parents   = to_view<Row>(as<Parent>(all));
    std::size_t const n = all.size();
    expect_same(expected.depths, found(n, [&](Row const& to) { tree_depths(exec, parents, to); }), "depths, " + what);
    expect_same(expected.sizes, found(n, [&](Row const& to) { subtree_sizes(exec, parents, to); }), "sizes, " + what);
    expect_same(expected.preorder, found(n, [&](Row const& to) { preorder(exec, parents, to); }), "preorder, " + what);
    expect_same(expected.postorder, found(n, [&](Row const& to) { postorder(exec, parents, to); }),
                "postorder, " + what);
    std::vector<std::int64_t> leaves;
    auto const enters = found(n, [&](Row const& enter) {
      leaves = found(n, [&](Row const& leave) { euler_tour(exec, parents, enter, leave); });
    });
    expect_same(expected.enter, enters, "enter, " + what);
    expect_same(expected.leave, leaves, "leave, " + what);
    expect_same(as<Parent>(all), to_vector(parents, Parent{}), "parents, " + what);
  }
};

using TreesSetups = PlainSetups<Spaces, int, std::int64_t>::Types;
TYPED_TEST_SUITE(Trees, TreesSetups);

TYPED_TEST(Trees, of_all_shapes) {
  for (std::size_t const n : std::vector<std::size_t>{0, 1, 2, 3, 5, 64, 4095, 4096, 4097})
    for (auto const& [name, parents] : forests(n)) this->expect(this->where, parents, name);
}

TYPED_TEST(Trees, of_many_nodes) {
  for (auto const& [name, parents] : forests(this->many)) this->expect(this->where, parents, name);
}

TYPED_TEST(Trees, of_cycles_and_parents_that_are_none_all_others_are_found) {
  for (std::size_t const n : std::vector<std::size_t>{1, 2, 3, 100, takes_short_inputs ? 5'000 : 20'000}) {
    auto const m = static_cast<std::int64_t>(n);
    this->expect(this->where, forest(n, n, [](std::int64_t v, Random&) { return v; }), "their own parents");
    this->expect(this->where, forest(n, n, [&](std::int64_t v, Random&) { return (v + 1) % m; }), "one cycle");
    this->expect(this->where, forest(n, n, [&](std::int64_t, Random&) { return m; }), "no parents");
    this->expect(this->where, forest(n, n, [&](std::int64_t, Random& random) { return below(random, m); }), "no root");
    for (std::uint64_t seed = 0; seed < 4; ++seed)
      this->expect(this->where,
                   forest(n, n + seed,
                          [&](std::int64_t v, Random& random) {
                            if (seed % 2 == 1 && v < 100)
                              return v - 1;  // the first nodes alone are as those of a tree that grew
                            std::int64_t const kind = below(random, 1000);
                            if (kind < 3) return -1 - below(random, 100);
                            if (kind < 5) return m + below(random, 100);
                            return kind < 10 || v == 0 ? below(random, m) : below(random, v);
                          }),
                   "a few of all");
    this->expect(this->where, forest(n, n, [&](std::int64_t, Random& random) { return below(random, 3 * m) - m; }),
                 "anything");
  }
}

TYPED_TEST(Trees, with_a_label_an_instance_and_strided_views) {
  using Row    = typename TestFixture::Row;
  using Parent = typename TestFixture::Parent;
  using Space  = typename TestFixture::Space;
  for (auto const& [name, all] : forests(2000)) {
    Found const expected(all);
    Kokkos::View<Parent**, Kokkos::LayoutRight, Space> const table("table", all.size(), 3);
    Kokkos::View<std::uint16_t**, Kokkos::LayoutRight, Space> const other("other", all.size(), 2);
    Kokkos::deep_copy(table, Parent{55});
    Kokkos::deep_copy(other, std::uint16_t{55});
    auto const parents = Kokkos::subview(table, Kokkos::ALL, 1);
    Kokkos::deep_copy(parents, to_view<Row>(as<Parent>(all)));
    typename TestFixture::Exec const exec;
    Kokkos::View<Parent const*, Kokkos::LayoutStride, Space> const given = parents;
    tree_depths("label", exec, given, Kokkos::subview(table, Kokkos::ALL, 2));
    euler_tour(exec, given, Kokkos::subview(other, Kokkos::ALL, 1), Kokkos::subview(table, Kokkos::ALL, 0));
    exec.fence();
    auto const on_host    = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), table);
    auto const other_host = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), other);
    for (std::size_t v = 0; v < all.size(); ++v) {
      ASSERT_EQ(static_cast<Parent>(all[v]), on_host(v, 1)) << name;
      ASSERT_EQ(expected.depths[v], on_host(v, 2)) << name;
      ASSERT_EQ(expected.leave[v], on_host(v, 0)) << name;
      ASSERT_EQ(expected.enter[v], other_host(v, 1)) << name;
      ASSERT_EQ(55, other_host(v, 0)) << name;
    }
  }
}

using Any = Kokkos::DefaultExecutionSpace;
template <class T>
using AnyRow = Kokkos::View<T*, Any>;

TEST(TreesOf, unsigned_and_short_parents) {
  for (auto const& [name, all] : forests(200)) {
    Found const expected(all);
    auto const parents = to_view<AnyRow<unsigned char>>(as<unsigned char>(all));  // of roots some number beyond
    AnyRow<std::uint64_t> const sizes("sizes", all.size());
    Parents changed = all;
    for (std::int64_t& parent : changed) parent = static_cast<unsigned char>(parent);
    for (std::int64_t& parent : changed) parent = parent == 255 ? -1 : parent;
    subtree_sizes(Any(), parents, sizes);
    Any().fence();
    expect_same(as<std::uint64_t>(Found(changed).sizes), to_vector(sizes, std::uint64_t{}), name);
  }
}

TEST(TreesOf, is_ancestor_is_whether_one_is_on_the_way_from_another_to_its_root) {
  Parents const all  = forest(300, 5, [](std::int64_t v, Random& random) {
    return v % 100 == 0 ? -1 : v - 1 - below(random, std::min<std::int64_t>(v % 100, 4));
  });
  using Numbers      = Kokkos::View<int*, Kokkos::HostSpace>;
  using Host         = Kokkos::DefaultHostExecutionSpace;
  auto const parents = to_view<Numbers>(as<int>(all));
  Numbers const enter("enter", all.size()), leave("leave", all.size());
  euler_tour(Host(), parents, enter, leave);
  Host().fence();
  for (int a = 0; a < 300; ++a)
    for (int b = 0; b < 300; ++b) {
      int v = b;
      while (v >= 0 && v != a) v = parents(v);
      ASSERT_EQ(v == a, KokkosScan::is_ancestor(enter, leave, a, b)) << a << " and " << b;
    }
}

/// The largest number of an unsigned type says that there is none, so no result may be that.
TEST(TreesOf, results_of_unsigned_types_beside_what_says_none) {
  auto const refuses = [](std::size_t n, auto const& call) {
    AnyRow<int> const parents("parents", n);
    AnyRow<std::uint8_t> const results("results", n), others("others", n);
    Kokkos::deep_copy(parents, -1);
    try {
      call(parents, results, others);
      return false;
    } catch (std::invalid_argument const&) {
      return true;
    }
  };
  auto const number = [](auto const& parents, auto const& results, auto const&) { preorder(Any(), parents, results); };
  auto const size   = [](auto const& parents, auto const& results, auto const&) {
    subtree_sizes(Any(), parents, results);
  };
  auto const tour = [](auto const& parents, auto const& results, auto const& others) {
    euler_tour(Any(), parents, results, others);
  };
  EXPECT_TRUE(!refuses(255, number) && refuses(256, number));
  EXPECT_TRUE(!refuses(254, size) && refuses(255, size));
  EXPECT_TRUE(!refuses(127, tour) && refuses(128, tour));
}

TEST(TreesOf, what_is_wrong_is_said_before_anything_is_written) {
  auto const refusal = [](auto const& call) { return thrown_by<std::invalid_argument>(call); };
  AnyRow<int> const parents("parents", 300), few("few", 299), results("results", 300);
  AnyRow<signed char> const narrow("narrow", 300);
  Kokkos::deep_copy(results, 77);
  EXPECT_TRUE(says(refusal([&] { tree_depths(Any(), parents, few); }),
                   {"KokkosScan::tree_depths", "parents.extent(0) is 300", "depths.extent(0) is 299"}));
  EXPECT_TRUE(
      says(refusal([&] { subtree_sizes("mine", Any(), parents, parents); }), {"mine", "parents", "sizes", "overlap"}));
  EXPECT_TRUE(says(refusal([&] { preorder(Any(), parents, narrow); }), {"numbers", "299", "127"}));
  EXPECT_TRUE(says(refusal([&] { euler_tour(Any(), parents, results, results); }), {"enter", "leave", "overlap"}));
  EXPECT_TRUE(says(refusal([&] { euler_tour(Any(), parents, results, few); }), {"leave.extent(0) is 299"}));
  expect_same(std::vector<int>(300, 77), to_vector(results, 0), "results");
}

TEST(TreesOf, the_debug_check_names_a_node) {
  auto const refusal = [](Parents const& all) {
    KokkosScan::Handle const checks(Any(), KokkosScan::Options{.check = true});
    auto const parents = to_view<AnyRow<int>>(as<int>(all));
    AnyRow<int> const results("results", all.size());
    Kokkos::deep_copy(results, 77);
    std::string const words = thrown_by<std::invalid_argument>([&] { tree_depths(checks, parents, results); });
    expect_same(std::vector<int>(all.size(), 77), to_vector(results, 0), "results");
    return words;
  };
  EXPECT_TRUE(says(refusal({-1, 0, 5, 1}), {"KokkosScan::tree_depths", "parent of node 2 is 5", "4 nodes"}));
  EXPECT_TRUE(says(refusal({-1, 0, 3, 4, 5, 4}), {"node 4 is its own ancestor", "from node 2"}) ||
              says(refusal({-1, 0, 3, 4, 5, 4}), {"node 5 is its own ancestor", "from node 2"}));
  // A long way to a cycle of three.
  Parents const way       = forest(100, 1, [](std::int64_t v, Random&) { return v == 0 ? 2 : v - 1; });
  std::string const words = refusal(way);
  EXPECT_TRUE(says(words, {"node 0 is its own"}) || says(words, {"node 1 is its own"}) ||
              says(words, {"node 2 is its own"}))
      << words;
  Parents const back = forest(100, 1, [](std::int64_t v, Random&) { return v == 99 ? 97 : v + 1; });
  EXPECT_TRUE(says(refusal(back), {"node 9", " is its own ancestor", "from node 0"}));
  EXPECT_TRUE(says(refusal({0}), {"node 0 is its own ancestor"}));
  KokkosScan::Handle const checks(Any(), KokkosScan::Options{.check = true});
  auto const parents = to_view<AnyRow<int>>(std::vector<int>{1, 2, -1, 2});
  AnyRow<int> const results("results", 4);
  tree_depths(checks, parents, results);
  Any().fence();
  expect_same({2, 1, 0, 1}, to_vector(results, 0), "depths");
}

TEST(TreesOf, the_tour_finds_what_hosts_find_without_it) {
  KokkosScan::Handle const checks(Any(), KokkosScan::Options{.check = true});  // by the tour, on hosts too
  for (auto const& forest : forests(50'021)) {
    std::string const& name = forest.first;
    Parents const& all      = forest.second;
    Found const expected(all);
    auto const parents = to_view<AnyRow<int>>(as<int>(all));
    auto const found   = [&](auto const& call) {
      AnyRow<int> const results("results", all.size());
      call(results);
      Any().fence();
      return to_vector(results, 0);
    };
    expect_same(as<int>(expected.depths), found([&](auto const& to) { tree_depths(checks, parents, to); }), name);
    expect_same(as<int>(expected.sizes), found([&](auto const& to) { subtree_sizes(checks, parents, to); }), name);
    expect_same(as<int>(expected.postorder), found([&](auto const& to) { postorder(checks, parents, to); }), name);
  }
}

/// Where it fails, the tour finds results all the same, and only time would tell.
TEST(TreesOf, hosts_need_no_tour_where_all_nodes_come_to_a_root) {
  using Host    = Kokkos::DefaultHostExecutionSpace;
  using Numbers = Kokkos::View<int*, Kokkos::HostSpace>;
  Host const exec;
  auto of_all = forests(100'003);
  of_all.emplace_back("a binary tree backwards, leaves side by side", forest(100'003, 1, [](std::int64_t v, Random&) {
                        std::int64_t const from_end = 100'002 - v;
                        return from_end == 0 ? -1 : 100'002 - (from_end - 1) / 2;
                      }));
  for (auto const& [name, all] : of_all) {
    Found const expected(all);
    Numbers const parents = to_view<Numbers>(as<int>(all));
    KokkosScan::driver::TreesOnHost<Host, Numbers> const trees(name, exec, parents, all.size());
    std::vector<std::int64_t> depths(all.size()), sizes(all.size());
    EXPECT_TRUE(trees.find_depths([&](std::size_t v, std::size_t depth) {
      depths[v] = static_cast<std::int64_t>(depth);
    })) << name;
    EXPECT_TRUE(trees.find_sizes([&](std::size_t v, std::size_t size) { sizes[v] = static_cast<std::int64_t>(size); }))
        << name;
    expect_same(expected.depths, depths, name);
    expect_same(expected.sizes, sizes, name);
  }
}

TEST(TreesOf, repeated_calls_of_one_handle_have_the_same_results) {
  KokkosScan::Handle const handle{Any()};
  Parents const all  = forest(5000, 1, [](std::int64_t v, Random& random) { return v == 0 ? -1 : below(random, v); });
  auto const parents = to_view<AnyRow<int>>(as<int>(all));
  Found const expected(all);
  for (int times = 0; times < 5; ++times) {
    AnyRow<int> const depths("depths", all.size()), sizes("sizes", all.size());
    tree_depths(handle, parents, depths);
    subtree_sizes(handle, parents, sizes);
    handle.exec().fence();
    expect_same(as<int>(expected.depths), to_vector(depths, 0), "depths");
    expect_same(as<int>(expected.sizes), to_vector(sizes, 0), "sizes");
  }
}

}  // namespace
}  // namespace test
