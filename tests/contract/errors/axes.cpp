// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan.hpp>

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
}

TEST(Axes, of_a_dest_whose_values_share_memory) {
  Table const from("from", 3, 4);
  Kokkos::View<int**, Kokkos::LayoutStride, Exec> const same(Kokkos::View<int*, Exec>("memory", 12).data(),
                                                             Kokkos::LayoutStride(3, 4, 4, 0));
  expect_words(message([&] { inclusive_scan(Exec(), from, same, Axis{0}); }), {"dest", "along dimension 1"});
}

}  // namespace
