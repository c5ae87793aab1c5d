// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <Kokkos_Half.hpp>
#include <cstddef>
#include <vector>

#include "support/backend_choices.hpp"
#include "support/random.hpp"

// The half types of Kokkos on the default execution space; where it has no arithmetic of their own they are floats.
namespace {

using namespace KokkosScan;
using Exec = Kokkos::DefaultExecutionSpace;

/// Steps of a walk between -100 and 100: whatever elements are summed, the result is exact, with 8 bits too.
std::vector<int> steps(std::size_t n) {
  std::vector<int> all(n);
  test::Random random(n);
  int sum = 0;
  for (int& step : all) {
    step = static_cast<int>(random.below(7)) - 3;
    if (sum + step > 100 || sum + step < -100) step = -step;
    sum += step;
  }
  return all;
}

template <class Half>
class HalfTypes : public testing::Test {
 protected:
  using View = Kokkos::View<Half*, Exec>;

  static View filled(std::vector<int> const& values) {
    View const view("values", values.size());
    auto const mirror = Kokkos::create_mirror_view(view);
    for (std::size_t i = 0; i < values.size(); ++i) mirror(i) = Half(static_cast<float>(values[i]));
    Kokkos::deep_copy(view, mirror);
    return view;
  }
  static void expect_equal(View const& got, std::vector<int> const& expected) {
    auto const mirror = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), got);
    for (std::size_t i = 0; i < expected.size(); ++i)
      ASSERT_EQ(static_cast<float>(mirror(i)), static_cast<float>(expected[i])) << i << " of " << expected.size();
  }

  template <class Where>
  void expect_sums(Where const& where) {
    for (std::size_t const n : {std::size_t(1), std::size_t(33), std::size_t(1001), std::size_t(40'003)}) {
      std::vector<int> const values = steps(n);
      std::vector<int> inclusive(n), exclusive(n);
      int sum = 5;
      for (std::size_t i = 0; i < n; ++i) {
        exclusive[i] = sum;
        inclusive[i] = sum += values[i];
      }
      View const from = filled(values), dest("dest", n + 1);
      View const odd  = Kokkos::subview(dest, Kokkos::pair<std::size_t, std::size_t>(1, n + 1));
      Half total{};
      inclusive_scan(where, from, odd, Sum{}, Half(5.F), Total{total});
      EXPECT_EQ(static_cast<float>(total), static_cast<float>(sum));
      expect_equal(odd, inclusive);
      exclusive_scan(where, from, from, Half(5.F), Sum{}, Total{total});
      EXPECT_EQ(static_cast<float>(total), static_cast<float>(sum));
      expect_equal(from, exclusive);
      if (this->HasFailure()) return;
    }
  }

  /// Halves into sums of floats.
  void expect_wider_sums() {
    std::size_t const n = 40'003;
    Kokkos::View<float*, Exec> const sums("sums", n);
    View const from("ones", n);
    Kokkos::deep_copy(from, Half(1.F));
    float total = 0;
    inclusive_scan(Exec(), from, sums, Total{total});
    EXPECT_EQ(total, static_cast<float>(n));
  }
};
using Types = testing::Types<Kokkos::Experimental::half_t, Kokkos::Experimental::bhalf_t>;
TYPED_TEST_SUITE(HalfTypes, Types);

TYPED_TEST(HalfTypes, sums) { this->expect_sums(Exec()); }

TYPED_TEST(HalfTypes, sums_by_every_grid) {
  using Own = driver::Backend<Exec>;
  for (GridScan const grid : Own::grids) {
    SCOPED_TRACE(to_string(grid));
    this->expect_sums(Handle(Exec(), Options{.grid = grid}));
  }
}

TYPED_TEST(HalfTypes, sums_of_halves_in_floats) { this->expect_wider_sums(); }

}  // namespace
