// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include "systems.hpp"

// One system: what is left of each row, and how far the unknowns are from those of an elimination in more digits.
namespace test::tridiagonal {
namespace {

using Exec  = Kokkos::DefaultExecutionSpace;
using Space = Exec::memory_space;

/// In Views that begin at an odd address, of every `step`-th element.
template <class T>
std::vector<T> solved(Way way, System<T> const& s, std::size_t step, bool strided) {
  using All           = Kokkos::View<T**, Kokkos::LayoutRight, Space>;
  std::size_t const n = s.size();
  auto const brought  = [&](std::vector<T> const& values) {
    All const view("values", n + 1, step);
    auto const copy = Kokkos::create_mirror_view(view);
    for (std::size_t i = 0; i < n; ++i) copy(i + 1, 0) = values[i];
    Kokkos::deep_copy(view, copy);
    return view;
  };
  All const lower = brought(s.lower), diagonal = brought(s.diagonal), upper = brought(s.upper),
            right = brought(s.right), x("x", n + 1, step);
  Kokkos::deep_copy(x, T(7));
  Exec const exec;
  std::pair<std::size_t, std::size_t> const rows(1, n + 1);
  if (strided) {
    auto const column = [&](All const& view) { return Kokkos::subview(view, rows, 0); };
    solve(way, exec, column(lower), column(diagonal), column(upper), column(right), column(x));
  } else {
    auto const row = [&](All const& view) {
      return Kokkos::subview(Kokkos::View<T*, Space, Kokkos::MemoryUnmanaged>(view.data(), n + 1), rows);
    };
    solve(way, exec, row(lower), row(diagonal), row(upper), row(right), row(x));
  }
  auto const copy = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), x);
  EXPECT_EQ(copy(0, 0), T(7));
  for (std::size_t i = 0; i <= n; ++i)
    for (std::size_t k = 1; k < step; ++k) EXPECT_EQ(copy(i, k), T(7));
  std::vector<T> result(n);
  for (std::size_t i = 0; i < n; ++i) result[i] = copy(i + 1, 0);
  return result;
}

template <class T>
struct OneSystem : testing::Test {};
using Types = testing::Types<double, float>;
TYPED_TEST_SUITE(OneSystem, Types, );

// Around blocks, groups of blocks, tiles, and systems of their ends.
TYPED_TEST(OneSystem, rows_are_what_they_should_be) {
  using T = TypeParam;
  for (Way const way : {Way::call, Way::tiles})
    for (Kind const kind : all_kinds)
      for (int const n : {0,   1,   2,   3,   6,   7,    8,    55,   56,   57,   63,   64,    65,    511,
                          512, 513, 895, 896, 897, 1023, 1024, 1025, 1031, 1793, 5000, 65537, 100003}) {
        auto const s    = make<T>(kind, static_cast<std::size_t>(n), static_cast<std::uint64_t>(n) + 7);
        auto const left = residual(s, solved(way, s, 1, false));
        auto const what = name_of(kind) + ", " + std::to_string(n) + (way == Way::tiles ? " by tiles" : "");
        EXPECT_LT(left.by_norm, 8) << what;
        // Of a matrix that is barely dominant, unknowns at the ends are small beside others.
        EXPECT_TRUE(kind == Kind::barely || left.by_terms < 500) << what << ": " << left.by_terms;
      }
}

TEST(OneSystem, of_more_levels) {
  auto const s = make<double>(Kind::dominant, 900'001, 5);
  for (Way const way : {Way::call, Way::tiles}) EXPECT_LT(residual(s, solved(way, s, 1, false)).by_norm, 8);
}

TYPED_TEST(OneSystem, unknowns_are_those_of_elimination) {
  using T = TypeParam;
  for (Way const way : {Way::call, Way::tiles})
    for (std::size_t const n : {1U, 2U, 50U, 3001U}) {
      auto const s = make<T>(Kind::dominant, n, n);
      auto const x = solved(way, s, 1, false), expected = thomas(s);
      double worst = 0, size = 0;
      for (std::size_t i = 0; i < n; ++i) {
        worst = std::max(worst, std::abs(static_cast<double>(x[i]) - static_cast<double>(expected[i])));
        size  = std::max(size, std::abs(static_cast<double>(expected[i])));
      }
      // The inverse of a matrix that is dominant by 0.01 has a norm of up to 100, the matrix one of 4.
      EXPECT_LT(worst, 4000 * static_cast<double>(std::numeric_limits<T>::epsilon()) * size) << n;
    }
}

/// Beside what elimination from one end to the other leaves: a few times that.
TEST(OneSystem, residuals_are_like_those_of_elimination) {
  for (Way const way : {Way::call, Way::tiles})
    for (Kind const kind : {Kind::dominant, Kind::barely, Kind::graded})
      for (std::size_t const n : {10U, 1000U, 10000U, 100000U}) {
        auto const s      = make<double>(kind, n, n + 1);
        double const ours = residual(s, solved(way, s, 1, false)).by_norm;
        EXPECT_LT(ours, 8 * residual(s, thomas<double, double>(s)).by_norm) << name_of(kind) << ", " << n;
      }
}

TEST(OneSystem, strided_and_unaligned) {
  for (Way const way : {Way::call, Way::tiles})
    for (std::size_t const n : {1U, 1025U, 3000U}) {
      auto const s = make<double>(Kind::dominant, n, n);
      EXPECT_LT(residual(s, solved(way, s, 3, true)).by_norm, 8);
    }
}

TEST(OneSystem, complex_numbers) {
  using Complex = Kokkos::complex<double>;
  for (Way const way : {Way::call, Way::tiles})
    for (std::size_t const n : {1U, 500U, 3001U}) {
      auto const s = make<Complex>(Kind::dominant, n, n);
      EXPECT_LT(residual(s, solved(way, s, 1, false)).by_norm, 8) << n;
    }
}

}  // namespace
}  // namespace test::tridiagonal
