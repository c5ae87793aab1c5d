// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <Kokkos_Core.hpp>
#include <Kokkos_Half.hpp>
#include <cstddef>
#include <vector>

#include "support/backend_choices.hpp"
#include "support/scan_case.hpp"

// The half types of Kokkos on the default execution space; where it has no arithmetic of their own they are floats.
namespace {

using namespace KokkosScan;
using core::Kind;
using Exec = Kokkos::DefaultExecutionSpace;

/// Steps of a walk between -100 and 100: whatever elements are summed, the result is exact, with 8 bits too.
template <class Half>
std::vector<Half> steps(std::size_t n) {
  std::vector<Half> all;
  test::Random random(n);
  int sum = 0;
  for (std::size_t i = 0; i < n; ++i) {
    int step = static_cast<int>(random.below(7)) - 3;
    if (sum + step > 100 || sum + step < -100) step = -step;
    sum += step;
    all.push_back(Half(static_cast<float>(step)));
  }
  return all;
}

template <class Half>
class HalfTypes : public testing::Test {};
using Types = testing::Types<Kokkos::Experimental::half_t, Kokkos::Experimental::bhalf_t>;
TYPED_TEST_SUITE(HalfTypes, Types);

template <class Half>
void expect_sums(auto const& exec) {
  for (std::size_t const n : {std::size_t(1), std::size_t(33), std::size_t(1001), std::size_t(40'003)}) {
    // dest is at an odd element.
    test::Call<Half> call{.shape = {.n = n, .from_offset = 0}, .init = Half(5.F), .total_to = test::TotalTo::host};
    test::expect_scan<Kind::inclusive, Half>(exec, steps<Half>(n), call, Sum{});
    call.shape.lie = test::Lie::in_place;
    test::expect_scan<Kind::exclusive, Half>(exec, steps<Half>(n), call, Sum{});
  }
}

TYPED_TEST(HalfTypes, sums) { expect_sums<TypeParam>(Exec()); }

TYPED_TEST(HalfTypes, sums_by_every_grid) {
  for (GridScan const grid : driver::Backend<Exec>::grids) {
    SCOPED_TRACE(to_string(grid));
    expect_sums<TypeParam>(Handle(Exec(), Options{.grid = grid}));
  }
}

TYPED_TEST(HalfTypes, sums_of_halves_in_floats) {
  std::vector<TypeParam> const ones(40'003, TypeParam(1.F));
  test::expect_scan<Kind::inclusive, float>(
      Exec(), ones, test::Call<float>{.shape = {.n = ones.size()}, .total_to = test::TotalTo::host}, Sum{});
}

}  // namespace
