// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan.hpp>
#include <array>
#include <cstddef>

#include "thrown.hpp"

// What is wrong with a scan along an axis is said before anything is written, with both values.
namespace {

using namespace contract;
using namespace KokkosScan;
using Table = Kokkos::View<int**, Kokkos::LayoutRight, Exec>;

/// What is thrown; empty if nothing is.
template <class Call>
std::string message(Call const& call) {
  try {
    call();
  } catch (std::invalid_argument const& error) {
    return error.what();
  }
  return "";
}

void expect_words(std::string const& found, std::initializer_list<char const*> words) {
  for (char const* const word : words) EXPECT_NE(found.find(word), std::string::npos) << word << " in: " << found;
}

TEST(Axes, that_a_view_has_not) {
  Table const table("table", 3, 4);
  for (int const axis : {-1, 2, 7})
    expect_words(message([&] { inclusive_scan(Exec(), table, table, Axis{axis}); }),
                 {"KokkosScan::inclusive_scan: ", "Axis is", std::to_string(axis).c_str(), "rank 2", "from 0 to 1"});
}

TEST(Axes, of_a_dest_that_is_too_short) {
  Table const from("from", 3, 4), dest("dest", 3, 2);
  expect_words(message([&] { exclusive_scan(Exec(), from, dest, 0, Axis{0}); }),
               {"from.extent(1) is 4", "dest.extent(1) is 2", "at least the same"});
  Table const longer("longer", 5, 6);
  Kokkos::deep_copy(from, 1);
  Kokkos::deep_copy(longer, -1);
  inclusive_scan(Exec(), from, longer, Axis{0});
  auto const found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), longer);
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 6; ++j)
      EXPECT_EQ(found(i, j), i < 3 && j < 4 ? static_cast<int>(i) + 1 : -1) << i << ", " << j;
}

TEST(Axes, of_an_init_that_has_not_an_element_for_each_line) {
  Table const table("table", 3, 4);
  Kokkos::View<int*, Exec> const init("init", 3);
  expect_words(message([&] { exclusive_scan(Exec(), table, table, init, Axis{0}); }),
               {"from.extent(1) is 4", "init.extent(0) is 3", "for each line"});
  EXPECT_EQ(message([&] { exclusive_scan(Exec(), table, table, init, Axis{1}); }), "");
}

TEST(Axes, of_views_that_overlap_in_part) {
  Kokkos::View<int***, Kokkos::LayoutRight, Exec> const all("all", 6, 5, 2);
  auto const part = [&](int from, int to, int k) { return Kokkos::subview(all, std::pair(from, to), Kokkos::ALL, k); };
  auto const scan = [&](auto const& from, auto const& dest) {
    return message([&] { inclusive_scan(Exec(), from, dest, Axis{0}); });
  };
  EXPECT_EQ(scan(part(0, 3, 0), part(3, 6, 0)), "");
  EXPECT_EQ(scan(part(0, 4, 0), part(1, 5, 1)), "") << "they interleave and share nothing";
  EXPECT_EQ(scan(part(0, 4, 0), part(0, 4, 0)), "");
  expect_words(scan(part(0, 4, 0), part(1, 5, 0)), {"from", "dest", "overlap", "by being the same View"});
  expect_words(scan(part(1, 5, 1), part(0, 4, 1)), {"from", "dest", "overlap", "by being the same View"});
  Kokkos::View<int*, Exec> const init("init", 5);
  auto const row = Kokkos::subview(all, 2, Kokkos::ALL, 0);
  expect_words(message([&] { exclusive_scan(Exec(), part(0, 3, 1), part(0, 3, 0), row, Axis{0}); }),
               {"dest", "init", "overlap"});
  EXPECT_EQ(message([&] { exclusive_scan(Exec(), part(0, 2, 0), part(0, 2, 0), row, Axis{0}); }), "");
  auto const between = Kokkos::subview(all, 1, Kokkos::ALL, 1);
  EXPECT_EQ(message([&] { exclusive_scan(Exec(), part(0, 3, 0), part(0, 3, 0), between, Axis{0}); }), "")
      << "init interleaves with dest and shares nothing";
  auto const one = [&](int k) { return Kokkos::subview(all, 1, 2, k); };
  EXPECT_EQ(message([&] { exclusive_scan(Exec(), part(0, 3, 0), part(0, 3, 0), one(1), Axis{0}); }), "");
  expect_words(message([&] { exclusive_scan(Exec(), part(0, 3, 0), part(0, 3, 0), one(0), Axis{0}); }),
               {"dest", "init", "overlap"});
}

/// Where there is but one element, nothing is at the distance that a View names.
TEST(Axes, of_views_whose_strides_differ_where_their_extent_is_1) {
  Kokkos::View<int*, Exec> const memory("memory", 100);
  using Strided     = Kokkos::View<int**, Kokkos::LayoutStride, Exec, Kokkos::MemoryUnmanaged>;
  auto const a_line = [&](std::size_t begin, std::size_t stride) {
    return Strided(memory.data() + begin, Kokkos::LayoutStride(1, stride, 5, 2));
  };
  auto const scan = [&](auto const& from, auto const& dest) {
    return message([&] { inclusive_scan(Exec(), from, dest, Axis{1}); });
  };
  EXPECT_EQ(scan(a_line(0, 1000), a_line(1, 10)), "") << "they interleave and share nothing";
  EXPECT_EQ(scan(a_line(0, 1000), a_line(0, 10)), "") << "they are the same";
  expect_words(scan(a_line(0, 1000), a_line(2, 10)), {"from", "dest", "overlap"});
}

TEST(Axes, of_a_dest_whose_values_share_memory) {
  Table const from("from", 3, 4);
  Kokkos::View<int**, Kokkos::LayoutStride, Exec> const same(Kokkos::View<int*, Exec>("memory", 12).data(),
                                                             Kokkos::LayoutStride(3, 4, 4, 0));
  expect_words(message([&] { inclusive_scan(Exec(), from, same, Axis{0}); }), {"dest", "along dimension 1"});
}

/// Lines that are apart each by itself may still lie on top of each other.
TEST(Axes, of_a_dest_whose_lines_share_memory) {
  Kokkos::View<int*, Exec> const memory("memory", 1000);
  auto const scan = [&](auto const& layout) {
    Kokkos::View<int**, Kokkos::LayoutStride, Exec, Kokkos::MemoryUnmanaged> const dest(memory.data(), layout);
    Table const from("from", dest.extent(0), dest.extent(1));
    return message([&] { inclusive_scan(Exec(), from, dest, Axis{0}); });
  };
  using Strides = std::array<std::size_t, 2>;
  for (auto const& [outer, inner] : {Strides{2, 1}, Strides{1, 2}, Strides{9, 3}, Strides{3, 2}})
    expect_words(scan(Kokkos::LayoutStride(3, outer, 4, inner)), {"dest", "overwrite each other", "3 x 4"});
  EXPECT_EQ(scan(Kokkos::LayoutStride(3, 4, 4, 1)), "");
  EXPECT_EQ(scan(Kokkos::LayoutStride(3, 1, 4, 3)), "");
  EXPECT_EQ(scan(Kokkos::LayoutStride(2, 3, 3, 2)), "") << "at 0, 2, 4 and 3, 5, 7";
  EXPECT_EQ(scan(Kokkos::LayoutStride(3, 2, 2, 3)), "");
  EXPECT_EQ(scan(Kokkos::LayoutStride(20, 41, 40, 1)), "");
  Kokkos::View<int***, Kokkos::LayoutStride, Exec, Kokkos::MemoryUnmanaged> const cube(
      memory.data(), Kokkos::LayoutStride(2, 100, 5, 10, 11, 1));
  Kokkos::View<int***, Exec> const from("from", 2, 5, 11);
  expect_words(message([&] { inclusive_scan(Exec(), from, cube, Axis{1}); }), {"dest", "overwrite each other"});
}

}  // namespace
