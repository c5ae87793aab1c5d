// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "images.hpp"

#include <array>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

namespace test {
namespace {

using Exec   = Kokkos::DefaultExecutionSpace;
using Memory = Exec::memory_space;
using Corner = Kokkos::Array<int, 3>;
using Pair   = KokkosScan::Compensated<float>;

/// A copy that the host can read.
template <class View>
auto copied(View const& view) {
  auto const copy = Kokkos::create_mirror(view);
  Kokkos::deep_copy(copy, view);
  return copy;
}

/// The sum over each of some boxes, in a kernel.
template <class Table, class Boxes, class Sums>
struct SumBoxes {
  Table table;
  Boxes boxes;
  Sums sums;
  KOKKOS_FUNCTION void operator()(int b) const { sums(b) = KokkosScan::box_sum(table, boxes(b, 0), boxes(b, 1)); }
};
template <class Table>
auto box_sums(Table const& table, std::vector<std::array<Corner, 2>> const& boxes) {
  int const count = static_cast<int>(boxes.size());
  Kokkos::View<Corner**, Memory> const on("boxes", boxes.size(), 2);
  auto const host = Kokkos::create_mirror_view(on);
  for (std::size_t b = 0; b < boxes.size(); ++b)
    for (std::size_t end = 0; end < 2; ++end) host(b, end) = boxes[b][end];
  Kokkos::deep_copy(on, host);
  using Sums = Kokkos::View<typename Table::non_const_value_type*, Memory>;
  Sums const sums("sums", boxes.size());
  Kokkos::parallel_for(Kokkos::RangePolicy<Exec>(0, count), SumBoxes<Table, decltype(on), Sums>{table, on, sums});
  return copied(sums);
}

std::vector<std::array<Corner, 2>> some_boxes(Corner const& sizes, std::size_t rank) {
  std::vector<std::array<Corner, 2>> boxes{{Corner{0, 0, 0}, sizes}, {Corner{0, 0, 0}, Corner{0, 0, 0}}};
  Random random(4);
  for (std::size_t b = 0; b < 200; ++b) {
    Corner low{0, 0, 0}, high{1, 1, 1};
    for (std::size_t d = 0; d < rank; ++d) {
      auto const size = static_cast<std::uint64_t>(sizes[d]) + 1;
      low[d] = static_cast<int>(random.below(size)), high[d] = static_cast<int>(random.below(size));
      if (b % 3 > 0 && low[d] > high[d]) std::swap(low[d], high[d]);  // of the others some are empty
      if (b % 7 == d) low[d] = 0;
    }
    boxes.push_back({low, high});
  }
  return boxes;
}

template <class Layout, class Value, class Where>
void expect_image(Where const& where, int rows, int columns) {
  using View = Kokkos::View<Value**, Layout, Memory>;
  View const from("from", rows, columns), dest("dest", rows + 2, columns + 1);
  auto const host = Kokkos::create_mirror(from);
  Random random(static_cast<std::uint64_t>(rows * columns));
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) host(i, j) = static_cast<Value>(static_cast<int>(random.below(200)) - 100);
  Kokkos::deep_copy(from, host);
  Kokkos::deep_copy(dest, Value(-9));
  KokkosScan::summed_area_table(where, from, dest);
  auto const found = copied(dest);
  std::vector<Value> above(static_cast<std::size_t>(columns), Value(0));
  for (int i = 0; i < rows; ++i) {
    Value row(0);
    for (int j = 0; j < columns; ++j) {
      row       = static_cast<Value>(row + host(i, j));
      auto& sum = above[static_cast<std::size_t>(j)];
      sum       = static_cast<Value>(sum + row);
      ASSERT_EQ(sum, found(i, j)) << rows << " x " << columns << " at " << i << ", " << j;
    }
    ASSERT_EQ(Value(-9), found(i, columns));
  }
  for (int j = 0; j <= columns; ++j) ASSERT_EQ(Value(-9), found(rows + 1, j));
  KokkosScan::summed_area_table("label", where, from, from);
  auto const in_place = copied(from);
  for (int i = 0; i < rows; ++i)
    for (int j = 0; j < columns; ++j) ASSERT_EQ(found(i, j), in_place(i, j)) << "in place";
  auto const boxes = some_boxes({rows, columns, 1}, 2);
  auto const sums  = box_sums(from, boxes);
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    Value sum(0);
    for (int i = boxes[b][0][0]; i < boxes[b][1][0]; ++i)
      for (int j = boxes[b][0][1]; j < boxes[b][1][1]; ++j) sum = static_cast<Value>(sum + host(i, j));
    ASSERT_EQ(sum, sums(b)) << "box " << b << " of " << rows << " x " << columns;
  }
}

TEST(SummedAreas, of_images) {
  KokkosScan::Handle<Exec, KokkosScan::portable::Backend> const portable{Exec()};
  for (auto const& [rows, columns] : {std::pair(0, 0), std::pair(0, 4), std::pair(4, 0), std::pair(1, 1),
                                      std::pair(1, 300), std::pair(300, 1), std::pair(65, 129), std::pair(500, 401)}) {
    expect_image<Kokkos::LayoutLeft, std::int32_t>(Exec(), rows, columns);
    expect_image<Kokkos::LayoutRight, float>(Exec(), rows, columns);  // small integers: exact
    expect_image<Kokkos::LayoutRight, float>(portable, rows, columns);
  }
}

TEST(SummedAreas, wrap_around_and_boxes_do_not) {
  Kokkos::View<std::uint8_t**, Memory> const from("from", 40, 40), dest("dest", 40, 40);
  Kokkos::deep_copy(from, std::uint8_t{3});
  KokkosScan::summed_area_table(Exec(), from, dest);
  auto const sums = box_sums(dest, {{Corner{5, 5, 0}, Corner{14, 14, 0}}, {Corner{20, 39, 0}, Corner{40, 40, 0}}});
  EXPECT_EQ(3 * 81, sums(0));
  EXPECT_EQ(3 * 20, sums(1));
}

/// What the type of dest says of its extents is no part of the result.
TEST(SummedAreas, leave_what_is_behind_in_static_extents) {
  Kokkos::View<int[3][4], Kokkos::HostSpace> const from("from");
  Kokkos::View<int[8][9], Kokkos::HostSpace> const dest("dest");
  Kokkos::deep_copy(from, 1);
  Kokkos::deep_copy(dest, -1);
  KokkosScan::summed_area_table(Kokkos::DefaultHostExecutionSpace(), from, dest);
  for (int i = 0; i < 8; ++i)
    for (int j = 0; j < 9; ++j) EXPECT_EQ(dest(i, j), i < 3 && j < 4 ? (i + 1) * (j + 1) : -1) << i << ", " << j;
}

TEST(SummedAreas, of_volumes) {
  int const sizes[] = {9, 40, 33};
  Kokkos::View<std::int16_t***, Memory> const from("from", 9, 40, 33);
  Kokkos::View<std::int64_t***, Memory> const dest("dest", 9, 41, 33);
  auto const host = Kokkos::create_mirror(from);
  Random random(8);
  for (int i = 0; i < sizes[0]; ++i)
    for (int j = 0; j < sizes[1]; ++j)
      for (int k = 0; k < sizes[2]; ++k) host(i, j, k) = static_cast<std::int16_t>(random.below(60'000) - 30'000);
  Kokkos::deep_copy(from, host);
  KokkosScan::summed_area_table(Exec(), from, dest);
  auto const boxes = some_boxes({9, 40, 33}, 3);
  auto const sums  = box_sums(dest, boxes);
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    std::int64_t sum = 0;
    auto const &low = boxes[b][0], &high = boxes[b][1];
    for (int i = low[0]; i < high[0]; ++i)
      for (int j = low[1]; j < high[1]; ++j)
        for (int k = low[2]; k < high[2]; ++k) sum += host(i, j, k);
    ASSERT_EQ(sum, sums(b)) << "box " << b;
  }
}

/// By how much the entries of a table are off at most, and the sums over boxes of 16 x 16: images of about 1.
struct Worst {
  double entry = 0, box = 0;
};
template <class Stored, class... As>
Worst worst_of(int size, As const&... as) {
  Kokkos::View<float**, Kokkos::LayoutRight, Memory> const from("from", size, size);
  Kokkos::View<Stored**, Kokkos::LayoutRight, Memory> const table("table", size, size);
  auto const host = Kokkos::create_mirror(from);
  Random random(2);
  for (int i = 0; i < size; ++i)
    for (int j = 0; j < size; ++j) host(i, j) = 0.5F + static_cast<float>(random.below(1 << 24)) / (1 << 24);
  Kokkos::deep_copy(from, host);
  KokkosScan::summed_area_table(Exec(), from, table, as...);
  Worst worst;
  auto const entries = copied(table);
  std::vector<double> above(static_cast<std::size_t>(size), 0.0);
  for (int i = 0; i < size; ++i) {
    double row = 0;
    for (int j = 0; j < size; ++j) {
      row += static_cast<double>(host(i, j));  // exact, as are all sums here
      auto& sum   = above[static_cast<std::size_t>(j)];
      sum         = sum + row;
      worst.entry = std::max(worst.entry, std::abs(static_cast<double>(entries(i, j)) - sum));
    }
  }
  std::vector<std::array<Corner, 2>> boxes;
  for (int b = 0; b + 16 <= size; b += 16) boxes.push_back({Corner{size - 16, b, 0}, Corner{size, b + 16, 0}});
  auto const sums = box_sums(table, boxes);
  for (std::size_t b = 0; b < boxes.size(); ++b) {
    double sum = 0;
    for (int i = boxes[b][0][0]; i < boxes[b][1][0]; ++i)
      for (int j = boxes[b][0][1]; j < boxes[b][1][1]; ++j) sum += static_cast<double>(host(i, j));
    worst.box = std::max(worst.box, std::abs(static_cast<double>(sums(b)) - sum));
  }
  return worst;
}

TEST(SummedAreas, of_floats_are_as_exact_as_asked_for) {
  constexpr int size     = 1000;  // sums of up to 2^20, whose last bit is 2^-4
  Worst const plain      = worst_of<float>(size);
  Worst const by_doubles = worst_of<float>(size, KokkosScan::As<double>{});
  Worst const by_pairs   = worst_of<float>(size, KokkosScan::As<Pair>{});
  Worst const of_doubles = worst_of<double>(size);
  Worst const of_pairs   = worst_of<Pair>(size);
  auto const show        = [](char const* name, Worst const& worst) {
    std::printf("%-28s entries off by %.3g, boxes of 256 by %.3g\n", name, worst.entry, worst.box);
  };
  show("float", plain);
  show("float, As<double>", by_doubles);
  show("float, As<Compensated>", by_pairs);
  show("double", of_doubles);
  show("Compensated<float>", of_pairs);
  EXPECT_GT(plain.box, 0.01);
  // Rounded once for each axis: two halves of the last bit, of each of four corners.
  EXPECT_LE(by_doubles.entry, 0.0626);
  EXPECT_LE(by_pairs.entry, 0.0626);
  EXPECT_LT(by_doubles.entry, plain.entry);
  EXPECT_LT(by_pairs.entry, plain.entry);
  EXPECT_LE(by_doubles.box, 0.25);
  EXPECT_LE(by_pairs.box, 0.25);
  EXPECT_LT(of_doubles.box, 1e-8);
  EXPECT_LT(of_pairs.box, 1e-6);
}

TEST(Compensated, holds_what_a_float_does_not) {
  Pair const large(16'777'216), one(1), sum = large + one + one;
  EXPECT_EQ(16'777'218.0, static_cast<double>(sum));
  EXPECT_EQ(2.0, static_cast<double>(sum - large));
  EXPECT_EQ(123'456'789, static_cast<int>(static_cast<double>(Pair(123'456'789))));
  EXPECT_EQ(0.1, static_cast<double>(Pair(0.1)) + (0.1 - static_cast<double>(Pair(0.1))));
  EXPECT_NEAR(0.1, static_cast<double>(Pair(0.1)), 1e-15);
  KokkosScan::Compensated<double> const most(std::int64_t{9'007'199'254'740'993});
  EXPECT_EQ(9'007'199'254'740'992.0, most.value);
  EXPECT_EQ(1.0, most.missing);
}

TEST(SummedAreas, are_refused_in_words) {
  Kokkos::View<int**, Memory> const from("from", 4, 5), dest("dest", 4, 4);
  EXPECT_TRUE(says(thrown_by<std::invalid_argument>([&] { KokkosScan::summed_area_table(Exec(), from, dest); }),
                   {"KokkosScan::summed_area_table", "from.extent(1) is 5", "dest.extent(1) is 4"}));
}

}  // namespace
}  // namespace test
