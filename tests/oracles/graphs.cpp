// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan/breadth_first_levels.hpp>
#include <KokkosScan/connected_components.hpp>
#include <KokkosScan/shortest_paths.hpp>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "inputs.hpp"
#include "views.hpp"

// Levels, components and shortest paths beside those of Boost.Graph.
namespace test::oracles {
namespace {

template <class Backend>
struct Graphs : testing::Test {
  Where<Backend> const where{};
};
TYPED_TEST_SUITE(Graphs, Backends, );

std::vector<std::size_t> sources_of(std::size_t n) {
  if (n == 0) return {};
  if (n < 3) return {0, n - 1};
  return n > 1000 ? std::vector<std::size_t>{n / 3} : std::vector<std::size_t>{0, n / 3, n - 1};
}

TYPED_TEST(Graphs, levels) {
  for_each_graph([&](Rows const& rows, std::string const& what, bool both_ways) {
    auto const offsets = to_view(rows.row_offsets), columns = to_view(rows.columns);
    View<std::int32_t> const levels("levels", rows.vertices());
    for (std::size_t const source : sources_of(rows.vertices())) {
      auto const expected = boost_levels(rows, source);
      KokkosScan::breadth_first_levels(this->where, offsets, columns, source, levels);
      expect_same(expected, to_vector(levels), what + " from " + std::to_string(source));
      if (!both_ways) continue;
      KokkosScan::breadth_first_levels(this->where, offsets, columns, source, levels, KokkosScan::Symmetric{});
      expect_same(expected, to_vector(levels), what + " from " + std::to_string(source) + ", as symmetric");
    }
  });
}

TYPED_TEST(Graphs, components) {
  for_each_graph([&](Rows const& rows, std::string const& what, bool both_ways) {
    auto const offsets = to_view(rows.row_offsets), columns = to_view(rows.columns);
    View<std::int32_t> const labels("labels", rows.vertices());
    auto const expected = boost_labels(rows);
    KokkosScan::connected_components(this->where, offsets, columns, labels);
    expect_same(expected, to_vector(labels), what);
    if (!both_ways) return;
    KokkosScan::connected_components(this->where, offsets, columns, labels, KokkosScan::Symmetric{});
    expect_same(expected, to_vector(labels), what + ", as symmetric");
  });
}

/// Of 0 to 255; or fractions of very different size, of which the order of summation shows in the last bits.
template <class Weight>
std::vector<Weight> make_weights(std::size_t edges) {
  Random random(edges);
  std::vector<Weight> weights(edges);
  for (Weight& weight : weights) {
    if constexpr (std::is_integral_v<Weight>)
      weight = static_cast<Weight>(random.below(256));
    else
      weight = random.fraction() * random.pick({0.0, 1e-12, 1.0, 1.0, 3.0, 1e5});
  }
  return weights;
}

template <class Weight, class Distance, class Where>
void expect_paths(Where const& where, Distance unreached) {
  for_each_graph([&](Rows const& rows, std::string const& what, bool) {
    auto const weights = make_weights<Weight>(rows.columns.size());
    auto const offsets = to_view(rows.row_offsets), columns = to_view(rows.columns);
    auto const lengths = to_view(weights);
    View<Distance> const distances("distances", rows.vertices());
    for (std::size_t const source : sources_of(rows.vertices())) {
      KokkosScan::shortest_paths(where, offsets, columns, lengths, source, distances);
      expect_same(boost_distances(rows, weights, source, unreached), to_vector(distances),
                  what + " from " + std::to_string(source));
    }
  });
}
TYPED_TEST(Graphs, paths_of_integers) {
  expect_paths<std::int32_t>(this->where, std::numeric_limits<std::int64_t>::max());
}
/// Equal as numbers are, and so bit for bit: none of them is negative or NaN.
TYPED_TEST(Graphs, paths_of_doubles) { expect_paths<double>(this->where, std::numeric_limits<double>::infinity()); }

}  // namespace
}  // namespace test::oracles
