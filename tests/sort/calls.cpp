// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstdint>
#include <stdexcept>

#include "scan/problems.hpp"
#include "support/thrown.hpp"

// What is sorted by a comparison alone, and what calls refuse.
namespace test {
namespace {

using KokkosScan::Bits;

struct Particle {
  double position[2];
  std::int64_t cell;
  bool operator==(Particle const&) const = default;
};
struct ByCell {
  KOKKOS_FUNCTION bool operator()(Particle const& left, Particle const& right) const { return left.cell < right.cell; }
};
using Any     = Kokkos::DefaultExecutionSpace;
using Numbers = Kokkos::View<int*, Any::memory_space>;

TEST(SortCalls, keys_of_any_type_by_a_comparison) {
  std::size_t const n = 5000;
  std::vector<Particle> particles(n);
  Random random(5);
  for (std::size_t i = 0; i < n; ++i)
    particles[i] = {{1., static_cast<double>(i)}, static_cast<std::int64_t>(random.below(50))};
  auto const view = to_view<Kokkos::View<Particle*, Any::memory_space>>(particles);
  KokkosScan::sort(Any(), view, ByCell{});
  std::stable_sort(particles.begin(), particles.end(), ByCell{});
  expect_same(particles, to_vector(view, Particle{}), "particles by cell");
}

TEST(SortCalls, what_is_wrong_is_said_before_anything_is_written) {
  Numbers const keys("keys", 10), values("values", 9);
  Kokkos::deep_copy(keys, 1);
  auto const refusal = [](auto const& call) { return thrown_by<std::invalid_argument>(call); };
  EXPECT_TRUE(
      says(refusal([&] { KokkosScan::sort_by_key(Any(), keys, values); }), {"sort_by_key", "values", "10", "9"}));
  EXPECT_TRUE(
      says(refusal([&] { KokkosScan::sort_by_key(Any(), keys, Kokkos::subview(keys, std::pair<int, int>(0, 10))); }),
           {"sort_by_key", "keys", "values"}));
  EXPECT_TRUE(says(refusal([&] { KokkosScan::radix_sort(Any(), keys, Bits{0, 33}); }), {"Bits{0, 33}", "32"}));
  EXPECT_TRUE(says(refusal([&] { KokkosScan::radix_sort(Any(), keys, Bits{5, 4}); }), {"Bits{5, 4}"}));
  EXPECT_TRUE(says(refusal([&] { KokkosScan::radix_sort(Any(), keys, Bits{-1, 4}); }), {"Bits{-1, 4}"}));
  Kokkos::View<std::int8_t*, Any::memory_space> const narrow("narrow", 200);
  EXPECT_TRUE(says(refusal([&] { KokkosScan::sort_permutation(Any(), Numbers("many", 200), narrow); }),
                   {"sort_permutation", "200", "order", "127"}));
  EXPECT_TRUE(says(refusal([&] { KokkosScan::apply_permutation(Any(), keys, keys, values); }), {"dest", "10", "9"}));
}

}  // namespace
}  // namespace test
