// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <array>
#include <cstring>

#include "systems.hpp"

// A system along each line of Views of rank 2 and 3: each as if it were alone.
namespace test::tridiagonal {
namespace {

using Exec  = Kokkos::DefaultExecutionSpace;
using Space = Exec::memory_space;

/// Views of rank 3, or of 2 where the last extent is 0, with the systems that are in them.
template <class T, class Layout>
class Lines {
 public:
  using View = Kokkos::View<T***, Layout, Space>;

  Lines(std::array<std::size_t, 3> const& extents, int axis, Kind kind)
      : extents_(extents), axis_(axis), views_{view(), view(), view(), view(), view()} {
    std::array const copies{copy(0), copy(1), copy(2), copy(3)};
    std::uint64_t seed = 1;
    for_each_line([&](auto const& place) {
      System<T> const s = make<T>(kind, extents_[static_cast<std::size_t>(axis_)], seed++);
      for (std::size_t i = 0; i < s.size(); ++i) {
        place(copies[0], i) = s.lower[i];
        place(copies[1], i) = s.diagonal[i];
        place(copies[2], i) = s.upper[i];
        place(copies[3], i) = s.right[i];
      }
      systems_.push_back(s);
    });
    for (std::size_t k = 0; k < 4; ++k) Kokkos::deep_copy(views_[k], copies[k]);
  }

  /// The second line has no solution, and NaN in every row.
  void spoil() {
    auto const diagonal = copy(1);
    std::size_t line    = 0;
    for_each_line([&](auto const& place) {
      for (std::size_t i = 0; i < systems_[line].size() && line == 1; ++i) place(diagonal, i) = T(0);
      ++line;
    });
    Kokkos::deep_copy(views_[1], diagonal);
  }

  /// Each in x, or in place of the right sides.
  std::vector<std::vector<T>> solved(Way way, bool in_place = false) {
    View const& x = in_place ? views_[3] : views_[4];
    solve_along(axis_, way, Exec(), views_[0], views_[1], views_[2], views_[3], x);
    auto const found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), x);
    std::vector<std::vector<T>> result;
    for_each_line([&](auto const& place) {
      std::vector<T> line(extents_[static_cast<std::size_t>(axis_)]);
      for (std::size_t i = 0; i < line.size(); ++i) line[i] = place(found, i);
      result.push_back(line);
    });
    return result;
  }
  void check(Way way, bool in_place = false) {
    auto const x = solved(way, in_place);
    for (std::size_t line = 0; line < x.size(); ++line)
      ASSERT_LT(residual(systems_[line], x[line]).by_norm, 8)
          << extents_[0] << " x " << extents_[1] << " x " << extents_[2] << ", axis " << axis_ << ", line " << line
          << (way == Way::tiles ? " by tiles" : "");
  }

 private:
  View view() const { return View("values", extents_[0], extents_[1], extents_[2]); }
  auto copy(std::size_t k) const { return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), views_[k]); }

  /// f(place), where place(view, i) is element i of the line.
  template <class F>
  void for_each_line(F const& f) const {
    auto const axis = static_cast<std::size_t>(axis_);
    auto lines      = extents_;
    lines[axis]     = 1;
    for (std::size_t a = 0; a < lines[0]; ++a)
      for (std::size_t b = 0; b < lines[1]; ++b)
        for (std::size_t c = 0; c < lines[2]; ++c)
          f([&](auto const& view, std::size_t i) -> T& {
            std::array<std::size_t, 3> at{a, b, c};
            at[axis] = i;
            return view(at[0], at[1], at[2]);
          });
  }

  std::array<std::size_t, 3> extents_;
  int axis_;
  std::array<View, 5> views_;
  std::vector<System<T>> systems_;
};

template <class Layout>
struct AlongAxis : testing::Test {};
using Layouts = testing::Types<Kokkos::LayoutLeft, Kokkos::LayoutRight>;
TYPED_TEST_SUITE(AlongAxis, Layouts, );

TYPED_TEST(AlongAxis, every_line_is_a_system) {
  using Extents = std::array<std::size_t, 3>;
  for (int const length : {1, 2, 5, 72, 600, 896, 900, 3000})
    for (int const beside : {1, 3, 29})
      for (int axis = 0; axis < 3; ++axis) {
        Extents extents{static_cast<std::size_t>(beside), 2, static_cast<std::size_t>(beside)};
        if (axis == 1) extents[2] = 2, extents[0] = static_cast<std::size_t>(beside);
        extents[static_cast<std::size_t>(axis)] = static_cast<std::size_t>(length);
        Lines<double, TypeParam> lines(extents, axis, Kind::dominant);
        lines.check(Way::call);
        lines.check(Way::tiles);
        lines.check(axis == 0 ? Way::call : Way::tiles, true);
      }
}

// So many that on devices each has a thread, and on hosts long ones go in step.
TYPED_TEST(AlongAxis, many_lines) {
  Lines<float, TypeParam> columns({1, 226, 8200}, 1, Kind::graded);
  columns.check(Way::tiles);
  columns.check(Way::tiles, true);
  Lines<float, TypeParam> rows({8200, 226, 1}, 1, Kind::dominant);
  rows.check(Way::tiles);
  Lines<float, TypeParam> long_ones({515, 4100, 1}, 1, Kind::dominant);
  long_ones.check(Way::call);
}

// A line that has no solution leaves the others as they would be without it.
TYPED_TEST(AlongAxis, lines_do_not_touch) {
  for (Way const way : {Way::call, Way::tiles})
    for (int axis = 0; axis < 3; ++axis)
      for (int const length : {1, 2, 20, 1000}) {
        std::array<std::size_t, 3> extents{3, 4, 5};
        extents[static_cast<std::size_t>(axis)] = static_cast<std::size_t>(length);
        Lines<double, TypeParam> lines(extents, axis, Kind::dominant);
        auto const before = lines.solved(way);
        lines.spoil();
        auto const after = lines.solved(way);
        for (std::size_t line = 0; line < before.size(); ++line) {
          std::size_t const bytes = sizeof(double) * before[line].size();
          EXPECT_TRUE(line == 1 || std::memcmp(before[line].data(), after[line].data(), bytes) == 0)
              << "axis " << axis << ", " << length << " rows, line " << line;
        }
      }
}

TEST(AlongAxis, of_rank_2) {
  using View = Kokkos::View<double**, Kokkos::LayoutRight, Space>;
  View const lower("lower", 30, 40), diagonal("diagonal", 30, 40), right("right", 30, 40), x("x", 31, 42);
  Kokkos::deep_copy(lower, -1.0);
  Kokkos::deep_copy(diagonal, 2.0);
  Kokkos::deep_copy(right, 1.0);
  Kokkos::deep_copy(x, 7.0);
  for (int const axis : {0, 1}) {
    // -x'' = 1 between zeros is a parabola.
    KokkosScan::tridiagonal_solve(Exec(), lower, diagonal, lower, right, x, KokkosScan::Axis{axis});
    auto const found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), x);
    for (std::size_t i = 0; i < 31; ++i)
      for (std::size_t j = 0; j < 42; ++j) {
        double const k = static_cast<double>(axis == 0 ? i : j) + 1, n = axis == 0 ? 31 : 41;
        EXPECT_NEAR(found(i, j), i < 30 && j < 40 ? k * (n - k) / 2 : 7, 1e-10);
      }
  }
}

}  // namespace
}  // namespace test::tridiagonal
