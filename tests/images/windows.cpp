// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "images.hpp"

#include <algorithm>
#include <cstring>
#include <limits>
#include <string>
#include <utility>

#include "../scan/problems.hpp"

namespace test {
namespace {

TEST(ExpectedWindows, are_what_each_window_is_by_itself) {
  Random random(1);
  for (std::size_t const n : Sizes{0, 1, 2, 9, 40})
    for (std::size_t const before : Sizes{0, 1, 3, 50})
      for (std::size_t const after : Sizes{0, 2, 5, 50}) {
        auto const from = make_values<Then, Affine>(n, n);
        ASSERT_EQ(expected_one_by_one(from, before, after, Then{}), expected_windows(from, before, after, Then{}));
      }
}

/// A backend of an execution space with a type of values.
template <class Setup>
class Windows : public testing::Test {
 public:
  using Exec  = typename Setup::Exec;
  using Value = typename Setup::Value;
  using View  = typename Setup::View;
  using Op    = OperatorOf<Value>;

  void expect_right(std::size_t n, std::size_t before, std::size_t after) {
    auto const from     = make_values<Op, Value>(n, n);
    auto const expected = expected_windows(from, before, after, Op{});
    auto const inputs   = to_view<View>(from);
    View const dest(Kokkos::view_alloc("dest", Kokkos::WithoutInitializing), n);
    std::string const what =
        std::to_string(n) + " elements, " + std::to_string(before) + " before and " + std::to_string(after) + " after";
    auto const any = make_values<Op, Value>(1, 7).front();
    KokkosScan::window_scan(handle, inputs, dest, Window{before, after}, Op{});
    expect_same(expected, to_vector(dest, any), what);
    if (n > 20'000) return;
    KokkosScan::window_scan("label", handle, inputs, inputs, Op{}, Window{before, after});
    expect_same(expected, to_vector(inputs, any), what + ", in place");
  }

  KokkosScan::Handle<Exec, typename Setup::Backend> handle{Exec()};
};
using WindowSetups = Setups<Spaces, std::int8_t, std::int64_t, Record>::Types;
TYPED_TEST_SUITE(Windows, WindowSetups);

TYPED_TEST(Windows, of_each_small_length_and_width) {
  for (std::size_t const n : Sizes{0, 1, 2, 3, 15, 16, 31, 46, 70})
    for (std::size_t const before : Sizes{0, 1, 2, 4, 14, 30, 69, 100})
      for (std::size_t const after : Sizes{0, 1, 3, 15, 40, 100}) this->expect_right(n, before, after);
}

TYPED_TEST(Windows, of_several_tiles_and_runs) {
  using Width = std::pair<std::size_t, std::size_t>;
  for (std::size_t const n : Sizes{4095, 4097, 20'011, 100'003})
    for (auto const& [before, after] : std::vector<Width>{{0, 0},
                                                          {0, 1},
                                                          {4, 5},
                                                          {11, 11},
                                                          {31, 0},
                                                          {16, 16},
                                                          {0, 200},
                                                          {500, 499},
                                                          {2000, 1},
                                                          {0, 9000},
                                                          {16'000, 20'000},
                                                          {0, 65'535},
                                                          {90'000, 0},
                                                          {1, 90'000},
                                                          {n - 1, n - 1},
                                                          {10 * n, 3 * n}})
      this->expect_right(n, before, after);
}

/// Several levels of runs: of the narrowest values that they are as few as possible.
TEST(WindowsOfRuns, are_windows_themselves) {
  using Exec          = Kokkos::DefaultExecutionSpace;
  using View          = Kokkos::View<Affine*, Exec::memory_space>;
  std::size_t const n = takes_short_inputs ? 300'017 : 3'000'017;
  auto const from     = make_values<Then, Affine>(n, n);
  auto const inputs   = to_view<View>(from);
  View const dest("dest", n);
  Exec const exec;
  KokkosScan::Handle<Exec, KokkosScan::portable::Backend> const portable(exec);
  for (std::size_t const width : Sizes{n / 15, n - 18}) {
    auto const expected = expected_windows(from, width / 3, width, Then{});
    KokkosScan::window_scan(exec, inputs, dest, Window{width / 3, width}, Then{});
    expect_same(expected, to_vector(dest, from[0]), "own");
    KokkosScan::window_scan(portable, inputs, dest, Window{width / 3, width}, Then{});
    expect_same(expected, to_vector(dest, from[0]), "portable");
  }
}

template <class Where>
void expect_views(Where const& where, std::string const& what) {
  using Memory   = Kokkos::DefaultExecutionSpace::memory_space;
  using Numbers  = Kokkos::View<int*, Memory>;
  auto const all = make_values<KokkosScan::Sum, int>(60'006, 3);
  for (std::size_t const before : Sizes{std::size_t{1}, std::size_t{40}, std::size_t{7'000}}) {
    std::vector<int> every_third, behind_first(all.begin() + 1, all.end());
    for (std::size_t i = 0; i < all.size(); i += 3) every_third.push_back(all[i]);
    auto const inputs = to_view<Numbers>(all);
    Numbers const dest("dest", all.size() + 5);
    Kokkos::deep_copy(dest, -7);
    KokkosScan::window_scan(where, Kokkos::subview(inputs, std::pair(std::size_t{1}, all.size())),
                            Kokkos::subview(dest, std::pair(std::size_t{1}, all.size() + 5)), Window{before, 2},
                            KokkosScan::Max{});
    auto found    = to_vector(dest, 0);
    auto expected = expected_windows(behind_first, before, 2, KokkosScan::Max{});
    expected.insert(expected.begin(), -7);
    expected.insert(expected.end(), 5, -7);
    expect_same(expected, found, what + ", behind the first");
    Kokkos::View<int**, Kokkos::LayoutRight, Memory> const table("table", every_third.size(), 3);
    auto const column = Kokkos::subview(table, Kokkos::ALL, 1);
    Kokkos::deep_copy(column, Kokkos::subview(Kokkos::View<int**, Kokkos::LayoutRight, Memory, Kokkos::MemoryUnmanaged>(
                                                  inputs.data(), every_third.size(), 3),
                                              Kokkos::ALL, 0));
    KokkosScan::window_scan(where, column, column, Window{0, before}, KokkosScan::Min{});
    Numbers const packed("packed", every_third.size());
    Kokkos::deep_copy(packed, column);
    expect_same(expected_windows(every_third, 0, before, KokkosScan::Min{}), to_vector(packed, 0),
                what + ", every third");
  }
  std::vector<std::int8_t> const from(5'000, 100);
  auto const inputs = to_view<Kokkos::View<std::int8_t*, Memory>>(from);
  Kokkos::View<double*, Memory> const dest("dest", from.size());
  KokkosScan::window_scan(where, inputs, dest, KokkosScan::As<std::int64_t>{}, Window{9, 90}, KokkosScan::Sum{});
  auto const sums = to_vector(dest, 0.0);
  for (std::size_t i = 0; i < sums.size(); ++i)
    ASSERT_EQ(100.0 * static_cast<double>(std::min<std::size_t>(i, 9) + 1 + std::min<std::size_t>(90, 4'999 - i)),
              sums[i])
        << what << ", another accumulator, at " << i;
}
TEST(WindowsOfViews, are_strided_unaligned_longer_and_of_another_accumulator) {
  using Exec = Kokkos::DefaultExecutionSpace;
  expect_views(Exec(), "own");
  expect_views(KokkosScan::Handle<Exec, KokkosScan::portable::Backend>(Exec()), "portable");
}

/// The same bits with any number of threads.
TEST(WindowsOfFloats, have_the_bits_of_one_thread) {
#ifdef KOKKOS_ENABLE_SERIAL
  using Exec          = Kokkos::DefaultHostExecutionSpace;
  using View          = Kokkos::View<float*, Kokkos::HostSpace>;
  std::size_t const n = 150'001;
  auto const inputs   = to_view<View>(make_values<KokkosScan::Sum, float>(n, 5));
  View const dest("dest", n), of_one("of_one", n);
  for (std::size_t const after : Sizes{5, 77, 3'000, 140'000}) {
    KokkosScan::window_scan(Exec(), inputs, dest, Window{3, after}, KokkosScan::Sum{});
    KokkosScan::window_scan(Kokkos::Serial(), inputs, of_one, Window{3, after}, KokkosScan::Sum{});
    ASSERT_EQ(0, std::memcmp(dest.data(), of_one.data(), n * sizeof(float))) << after;
  }
#endif
}

TEST(WindowsOfViews, are_refused_in_words) {
  using Exec    = Kokkos::DefaultExecutionSpace;
  using Numbers = Kokkos::View<int*, Exec::memory_space>;
  Numbers const from("from", 10), dest("dest", 10);
  Kokkos::deep_copy(dest, 5);
  KokkosScan::Sum const op;
  auto const refused = [&](auto const& call) { return thrown_by<std::invalid_argument>(call); };
  EXPECT_TRUE(says(refused([&] { KokkosScan::window_scan(Exec(), from, dest, Window{-1, 2}, op); }),
                   {"KokkosScan::window_scan", "Window{-1, 2}", "0 or more"}));
  EXPECT_TRUE(says(refused([&] { KokkosScan::window_scan("mine", Exec(), from, dest, Window{3, -4L}, op); }),
                   {"mine", "Window{3, -4}"}));
  auto const shorter = Kokkos::subview(dest, std::pair(0, 9));
  EXPECT_TRUE(says(refused([&] { KokkosScan::window_scan(Exec(), from, shorter, Window{1, 1}, op); }),
                   {"from.extent(0) is 10", "dest.extent(0) is 9"}));
  auto const first = Kokkos::subview(dest, std::pair(0, 9)), second = Kokkos::subview(dest, std::pair(1, 10));
  EXPECT_TRUE(says(refused([&] { KokkosScan::window_scan(Exec(), first, second, Window{1, 1}, op); }), {"overlap"}));
  expect_same(std::vector<int>(10, 5), to_vector(dest, 0), "written before it was refused");
  std::size_t const all = std::numeric_limits<std::size_t>::max();
  Kokkos::deep_copy(from, 1);
  KokkosScan::window_scan(Exec(), from, dest, Window{all, all}, op);
  expect_same(std::vector<int>(10, 10), to_vector(dest, 0), "as wide as can be said");
}

}  // namespace
}  // namespace test
