// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "images.hpp"

#include <array>
#include <string>
#include <utility>

#include "../scan/problems.hpp"

namespace test {
namespace {

using Exec   = Kokkos::DefaultExecutionSpace;
using Memory = Exec::memory_space;

/// A copy that the host can read.
template <class View>
auto mirror(View const& view) {
  auto const copy = Kokkos::create_mirror(view);
  Kokkos::deep_copy(copy, view);
  return copy;
}

/// What the windows along an axis are of a View of rank 3.
template <class View, class Op>
std::vector<typename View::non_const_value_type> windows_along(View const& from, std::size_t axis, std::size_t before,
                                                               std::size_t after, Op const& op) {
  using Value                            = typename View::non_const_value_type;
  std::array<std::size_t, 3> const sizes = {from.extent(0), from.extent(1), from.extent(2)};
  std::size_t const one = (axis + 1) % 3, other = (axis + 2) % 3;
  std::array<std::size_t, 3> at{};
  std::vector<Value> all;
  for (at[one] = 0; at[one] < sizes[one]; ++at[one])
    for (at[other] = 0; at[other] < sizes[other]; ++at[other]) {
      std::vector<Value> line;
      for (at[axis] = 0; at[axis] < sizes[axis]; ++at[axis]) line.push_back(from(at[0], at[1], at[2]));
      auto const expected = expected_windows(line, before, after, op);
      all.insert(all.end(), expected.begin(), expected.end());
    }
  return all;
}

template <class Value, class View>
void expect_windows(std::vector<Value> const& expected, View const& found, std::size_t axis, std::string const& what) {
  std::size_t const one = (axis + 1) % 3, other = (axis + 2) % 3;
  std::array<std::size_t, 3> at{};
  auto right = expected.begin();
  for (at[one] = 0; at[one] < found.extent(one); ++at[one])
    for (at[other] = 0; at[other] < found.extent(other); ++at[other])
      for (at[axis] = 0; at[axis] < found.extent(axis); ++at[axis])
        if (!(*right++ == found(at[0], at[1], at[2])))
          FAIL() << what << ": wrong at " << at[0] << ", " << at[1] << ", " << at[2];
}

template <class Value, class View>
void fill(View const& view) {
  auto const host = mirror(view);
  auto const some = make_values<OperatorOf<Value>, Value>(view.size(), view.size());
  std::size_t k   = 0;
  for (std::size_t i = 0; i < host.extent(0); ++i)
    for (std::size_t j = 0; j < host.extent(1); ++j)
      for (std::size_t l = 0; l < host.extent(2); ++l) KokkosScan::core::put(host(i, j, l), some[k++]);
  Kokkos::deep_copy(view, host);
}

template <class Value, class Layout>
void try_axes(std::array<std::size_t, 3> const& sizes, std::string const& what) {
  using View = Kokkos::View<Value***, Layout, Memory>;
  using Op   = OperatorOf<Value>;
  View const from("from", sizes[0], sizes[1], sizes[2]), dest("dest", sizes[0], sizes[1], sizes[2]);
  fill<Value>(from);
  auto const given = mirror(from);
  Exec const exec;
  KokkosScan::Handle<Exec, KokkosScan::portable::Backend> const portable{exec};
  static std::size_t call = 0;
  for (int axis = 0; axis < 3; ++axis)
    for (auto const& [before, after] : {std::pair(0, 0), std::pair(3, 4), std::pair(0, 40), std::pair(90, 30),
                                        std::pair(2'000, 900), std::pair(100'000, 100'000)}) {
      if (is_sanitized && call++ % 5 != 0) continue;
      auto const text = what + ", axis " + std::to_string(axis) + ", window " + std::to_string(before) + " " +
                        std::to_string(after) + ", " + std::to_string(sizes[0]) + " x " + std::to_string(sizes[1]) +
                        " x " + std::to_string(sizes[2]);
      auto const along = static_cast<std::size_t>(axis);
      auto const expected =
          windows_along(given, along, static_cast<std::size_t>(before), static_cast<std::size_t>(after), Op{});
      Window const window{before, after};
      auto const try_on = [&](auto const& where, std::string const& how) {
        KokkosScan::window_scan(where, from, dest, window, Op{}, Axis{axis});
        expect_windows(expected, mirror(dest), along, text + how);
        Kokkos::deep_copy(dest, from);
        KokkosScan::window_scan(where, dest, dest, Axis{axis}, window, Op{});
        expect_windows(expected, mirror(dest), along, text + how + ", in place");
      };
      try_on(exec, "");
      try_on(portable, ", portable");
    }
}

template <class Value, class Layout>
void try_all(std::string const& what) {
  for (auto const& sizes :
       {std::array<std::size_t, 3>{0, 3, 3}, {1, 1, 1}, {5, 67, 33}, {40, 3, 130}, {900, 2, 35}, {2, 1'500, 9}})
    try_axes<Value, Layout>(sizes, what);
}

TEST(WindowsOfLines, of_layout_left) { try_all<std::int64_t, Kokkos::LayoutLeft>("left"); }
TEST(WindowsOfLines, of_layout_right) { try_all<Affine, Kokkos::LayoutRight>("right"); }

/// Parts of larger Views, of other layouts: lines side by side in one, neighbours in the other.
TEST(WindowsOfLines, of_parts_and_other_layouts) {
  Kokkos::View<int***, Kokkos::LayoutRight, Memory> const all("all", 40, 70, 50);
  Kokkos::View<int***, Kokkos::LayoutLeft, Memory> const dest("dest", 20, 69, 23);
  fill<int>(all);
  Kokkos::deep_copy(dest, -3);
  auto const part       = Kokkos::subview(all, std::pair(7, 25), std::pair(1, 68), std::pair(20, 41));
  auto const inside     = Kokkos::subview(dest, std::pair(0, 18), std::pair(0, 67), std::pair(0, 21));
  auto const given      = mirror(all);
  auto const given_part = Kokkos::subview(given, std::pair(7, 25), std::pair(1, 68), std::pair(20, 41));
  for (int axis = 0; axis < 3; ++axis)
    for (int const after : {2, 30, 60}) {
      KokkosScan::window_scan(Exec(), part, dest, Axis{axis}, Window{5, after}, KokkosScan::Max{});
      auto const found      = mirror(dest);
      auto const found_part = Kokkos::subview(found, std::pair(0, 18), std::pair(0, 67), std::pair(0, 21));
      auto const along      = static_cast<std::size_t>(axis);
      expect_windows(windows_along(given_part, along, 5, static_cast<std::size_t>(after), KokkosScan::Max{}),
                     found_part, along, "part");
      EXPECT_EQ(-3, found(18, 3, 3));
      EXPECT_EQ(-3, found(3, 67, 3));
      EXPECT_EQ(-3, found(3, 3, 21));
    }
}

/// What a window along each axis gives: the largest or smallest value of a box.
/// The larger one, of numbers that are in the View; of any other it says so.
struct OfValues {
  Kokkos::View<int, Memory, Kokkos::MemoryUnmanaged> others;
  KOKKOS_FUNCTION int operator()(int left, int right) const {
    if (left < 1000 || left >= 2000 || right < 1000 || right >= 2000) others() = 1;
    return left < right ? right : left;
  }
};

/// Teams have some lines each, and the last one fewer.
TEST(WindowsOfLines, hand_no_other_values_to_the_operator) {
  KokkosScan::Handle<Exec, KokkosScan::portable::Backend> const portable;
  Kokkos::View<int, Memory> const others("others");
  for (auto const& [n, m] : {std::pair(100, 33), std::pair(50, 7), std::pair(33, 100)}) {
    Kokkos::View<int**, Kokkos::LayoutRight, Memory> const from("from", n, m), dest("dest", n, m);
    auto const host = Kokkos::create_mirror_view(from);
    for (int i = 0; i < n; ++i)
      for (int j = 0; j < m; ++j) host(i, j) = 1000 + (i * 37 + j * 101) % 1000;
    Kokkos::deep_copy(from, host);
    for (int const axis : {0, 1})
      for (std::size_t const side : {std::size_t{2}, std::size_t{20}, std::size_t{300}}) {
        KokkosScan::window_scan(Exec(), from, dest, Window{side, side}, OfValues{others}, KokkosScan::Axis{axis});
        KokkosScan::window_scan(portable, from, dest, Window{side, side}, OfValues{others}, KokkosScan::Axis{axis});
      }
  }
  EXPECT_EQ(mirror(others)(), 0);
}

TEST(WindowsOfLines, make_boxes_and_openings) {
  Kokkos::View<float**, Memory> const image("image", 60, 80), result("result", 60, 80);
  auto const host = mirror(image);
  Random random(9);
  for (std::size_t i = 0; i < 60; ++i)
    for (std::size_t j = 0; j < 80; ++j) host(i, j) = static_cast<float>(random.below(1'000));
  Kokkos::deep_copy(image, host);
  Kokkos::deep_copy(result, image);
  for (int axis = 0; axis < 2; ++axis)
    KokkosScan::window_scan(Exec(), result, result, Window{2, 3}, KokkosScan::Min{}, Axis{axis});
  auto const eroded = mirror(result);
  auto const least  = [&](auto const& of, int i, int j, int before, int after, auto const& better) {
    float best = of(i, j);
    for (int k = std::max(0, i - before); k <= std::min(59, i + after); ++k)
      for (int l = std::max(0, j - before); l <= std::min(79, j + after); ++l)
        if (better(of(k, l), best)) best = of(k, l);
    return best;
  };
  for (int i = 0; i < 60; ++i)
    for (int j = 0; j < 80; ++j) ASSERT_EQ(least(host, i, j, 2, 3, std::less<float>()), eroded(i, j));
  for (int axis = 0; axis < 2; ++axis)
    KokkosScan::window_scan(Exec(), result, result, Window{3, 2}, KokkosScan::Max{}, Axis{axis});
  auto const opened = mirror(result);
  for (int i = 0; i < 60; ++i)
    for (int j = 0; j < 80; ++j) {
      ASSERT_EQ(least(eroded, i, j, 3, 2, std::greater<float>()), opened(i, j));
      ASSERT_LE(opened(i, j), host(i, j));
    }
}

TEST(WindowsOfLines, are_refused_in_words) {
  Kokkos::View<int**, Memory> const from("from", 4, 5), dest("dest", 4, 4);
  auto const refused = [&](auto const& call) { return thrown_by<std::invalid_argument>(call); };
  KokkosScan::Sum const op;
  EXPECT_TRUE(says(refused([&] { KokkosScan::window_scan(Exec(), from, from, Window{1, 1}, op, Axis{2}); }),
                   {"Axis is 2", "rank 2"}));
  EXPECT_TRUE(says(refused([&] { KokkosScan::window_scan(Exec(), from, dest, Window{1, 1}, op, Axis{0}); }),
                   {"from.extent(1) is 5", "dest.extent(1) is 4"}));
}

}  // namespace
}  // namespace test
