// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdint>

#include "chosen.hpp"

// What is chosen of Views of every kind, too short ones among them, and what is refused.
namespace test {
namespace {

using KokkosScan::Length;
using KokkosScan::Total;

/// By the default backend and Affine, on Views that are longer, shorter, strided or begin anywhere.
template <class Setup>
class Compact : public testing::Test {
 protected:
  using Exec  = typename Setup::Exec;
  using Space = typename Exec::memory_space;
  using View  = Kokkos::View<int*, Space>;
  using Where = Handle<Exec, typename Setup::Backend>;

  static constexpr std::size_t n = 10'000;

  Where const where{};
  Picks const picks{40};
  std::vector<int> const values = make_runs<int>(n, 7);
  View const from               = to_view<View>(values);
  std::vector<int> chosen, others;

  Compact() {
    for (int const value : values) (picks(value) ? chosen : others).push_back(value);
  }
};
using CompactSetups = Setups<Spaces, std::int8_t>::Types;
TYPED_TEST_SUITE(Compact, CompactSetups);

TYPED_TEST(Compact, nothing_is_written_past_the_end_of_what_is_too_short) {
  for (std::size_t const extent : {std::size_t{0}, std::size_t{1}, this->chosen.size() - 1, this->chosen.size()}) {
    typename TestFixture::View const dest("dest", extent + 1), rest("rest", extent + 1);
    Kokkos::deep_copy(dest, -7);
    Kokkos::deep_copy(rest, -7);
    auto const room   = std::pair<std::size_t, std::size_t>(0, extent);
    std::size_t count = 0;
    KokkosScan::partition_copy(this->where, this->from, Kokkos::subview(dest, room), Kokkos::subview(rest, room),
                               this->picks, Total{count});
    EXPECT_EQ(count, this->chosen.size());
    auto const expect = [&](std::vector<int> expected, auto const& view) {
      expected.resize(extent);
      expected.push_back(-7);
      expect_same(expected, to_vector(view, 0), "short");
    };
    expect(this->chosen, dest);
    expect(this->others, rest);
    count = 0;
    Kokkos::deep_copy(dest, -7);
    KokkosScan::copy_if(this->where, this->from, Kokkos::subview(dest, room), this->picks, Total{count});
    EXPECT_EQ(count, this->chosen.size());
    expect(this->chosen, dest);
  }
}

TYPED_TEST(Compact, of_strided_views_and_other_types) {
  using Layout  = Kokkos::LayoutRight;
  using Columns = Kokkos::View<int* [3], Layout, typename TestFixture::Space>;
  using Doubles = Kokkos::View<double* [2], Layout, typename TestFixture::Space>;
  Columns const columns("columns", this->n);
  Doubles const results("results", this->n);
  auto const column = Kokkos::subview(columns, Kokkos::ALL, 1);
  Kokkos::deep_copy(column, this->from);
  auto const dest = Kokkos::subview(results, Kokkos::ALL, 0);
  short count     = 0;
  KokkosScan::copy_if(this->where, column, dest, this->picks, Total{count});
  ASSERT_EQ(static_cast<std::size_t>(count), this->chosen.size());
  auto const side_by_side = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), results);
  for (std::size_t i = 0; i < this->chosen.size(); ++i) ASSERT_EQ(side_by_side(i, 0), this->chosen[i]) << i;
  for (std::size_t i = 0; i < this->n; ++i) ASSERT_EQ(side_by_side(i, 1), 0.) << i;
  KokkosScan::remove_if(this->where, column, this->picks, Total{count});
  ASSERT_EQ(static_cast<std::size_t>(count), this->others.size());
  auto const kept = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), columns);
  for (std::size_t i = 0; i < this->n; ++i) {
    ASSERT_TRUE(i >= this->others.size() || kept(i, 1) == this->others[i]) << i;
    ASSERT_EQ(kept(i, 0), 0) << i;
    ASSERT_EQ(kept(i, 2), 0) << i;
  }
}

/// The count of one call is the length of the next, in one and the same View, and nobody waits in between.
TYPED_TEST(Compact, a_count_is_the_next_length) {
  using Space = typename TestFixture::Space;
  for (int const first : {10'000, 20'000, 77, 1, 0, -1}) {
    std::size_t const n                   = static_cast<std::size_t>(std::max(0, std::min(first, 10'000)));
    typename TestFixture::View const view = to_view<typename TestFixture::View>(this->values), dest("dest", this->n);
    Kokkos::View<int, Space> const count("count");
    Kokkos::deep_copy(count, first);
    Picks const thirds{66}, halves{50}, most{90};
    KokkosScan::remove_if(this->where, view, this->picks, Total{count}, Length{count});
    KokkosScan::stable_partition(this->where, view, thirds, Total{count}, Length{count});
    KokkosScan::copy_if(this->where, view, dest, halves, Length{count}, Total{count});
    KokkosScan::select(this->where, Length{count, static_cast<int>(this->n)}, Picked<decltype(dest)>{most, dest},
                       Move<decltype(view)>{dest, view}, Total{count});
    std::vector<int> expected;
    for (std::size_t i = 0; i < n; ++i) {
      int const value = this->values[i];
      if (!this->picks(value) && thirds(value) && halves(value) && most(value)) expected.push_back(value);
    }
    int found = -2;
    Kokkos::deep_copy(found, count);
    ASSERT_EQ(static_cast<std::size_t>(found), expected.size()) << first;
    auto results = to_vector(view, 0);
    results.resize(expected.size());
    expect_same(expected, results, "from " + std::to_string(first));
  }
}

TYPED_TEST(Compact, count_then_fill_takes_slots_in_order) {
  using Space = typename TestFixture::Space;
  using Longs = Kokkos::View<std::int64_t*, Space>;
  for (std::size_t const n : {std::size_t{0}, std::size_t{1}, std::size_t{9'999}}) {
    Longs const begins("begins", n);
    std::int64_t total = -1;
    KokkosScan::count_then_fill(this->where, n, SlotsOf{}, Fill<Longs>{begins}, Total{total});
    std::vector<std::int64_t> expected(n);
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < n; ++i) {
      expected[i] = sum;
      sum += SlotsOf{}(i);
    }
    EXPECT_EQ(total, sum);
    expect_same(expected, to_vector(begins, std::int64_t{}), "begins");
    KokkosScan::count_then_fill(this->where, n, SlotsOf{}, Fill<Longs>{begins}, KokkosScan::As<std::int64_t>{});
    expect_same(expected, to_vector(begins, std::int64_t{}), "begins without a total");
    KokkosScan::count_then_fill(this->where, n, IsThird{}, Fill<Longs>{begins});  // bool is counted as a number
    for (std::size_t i = 0; i < n; ++i) expected[i] = static_cast<std::int64_t>((i + 2) / 3);
    expect_same(expected, to_vector(begins, std::int64_t{}), "slots or none");
  }
}

TYPED_TEST(Compact, what_is_wrong_is_refused_in_words) {
  typename TestFixture::View const dest("dest", this->n);
  Kokkos::View<std::uint8_t*, typename TestFixture::Space> const flags("flags", 5);
  std::int8_t few = 0;
  int count       = 0;
  auto const half = Kokkos::subview(this->from, std::pair<int, int>(0, 5'000));
  EXPECT_EQ(
      message_of([&] { KokkosScan::copy_if(this->where, this->from, dest, this->picks, Total{few}); }),
      "KokkosScan::copy_if: there are up to 10000 elements, and the type of the count, Total{x}, holds at most 127");
  EXPECT_NE(message_of([&] {
              KokkosScan::copy_if(this->where, this->from, half, this->picks, Total{count});
            }).find("overlap"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              KokkosScan::partition_copy(this->where, this->from, dest, dest, this->picks, Total{count});
            }).find("overlap"),
            std::string::npos);
  EXPECT_NE(
      message_of([&] { KokkosScan::copy_flagged(this->where, this->from, flags, dest, Total{count}); }).find("flags"),
      std::string::npos);
  EXPECT_NE(message_of([&] { KokkosScan::where(this->where, -1, this->picks, dest, Total{count}); }).find("negative"),
            std::string::npos);
  EXPECT_NE(message_of([&] {
              KokkosScan::remove_if(this->where, this->from, this->picks, Total{Kokkos::subview(this->from, 3)});
            }).find("overlap"),
            std::string::npos);
  EXPECT_EQ(count, 0);
  expect_same(this->values, to_vector(this->from, 0), "from");
}

}  // namespace
}  // namespace test
