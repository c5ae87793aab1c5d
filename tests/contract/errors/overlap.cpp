// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan.hpp>
#include <stdexcept>

#include "support/random.hpp"
#include "thrown.hpp"

// from and dest may be the same or apart; anything in between is refused, before a byte is written.
namespace {

using namespace contract;

template <class From, class Dest>
void expect_refused(Poisoned const& memory, From const& from, Dest const& dest) {
  std::string const message = thrown_by<std::invalid_argument>([&] { KokkosScan::inclusive_scan(Exec(), from, dest); });
  EXPECT_TRUE(says(message, {"KokkosScan::inclusive_scan: ", "from", "dest", "overlap", address(from.data()),
                             address(dest.data())}));
  thrown_by<std::invalid_argument>([&] { KokkosScan::exclusive_scan(Exec(), from, dest, 0); });
  EXPECT_TRUE(memory.untouched());
}

/// Scans ones, so that the result is 1, 2, 3 ...
template <class From, class Dest>
void expect_served(From const& from, Dest const& dest) {
  Kokkos::deep_copy(from, 1);
  ASSERT_NO_THROW(KokkosScan::inclusive_scan(Exec(), from, dest));
  Kokkos::View<int*, Exec::memory_space> const copy("copy", dest.extent(0));
  Kokkos::deep_copy(copy, dest);
  auto const result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), copy);
  for (std::size_t i = 0; i < result.extent(0); ++i) ASSERT_EQ(result(i), static_cast<int>(i) + 1);
}

TEST(Overlap, of_contiguous_views_is_refused) {
  Poisoned const memory(400);
  expect_refused(memory, memory.view<int>(0, 40), memory.view<int>(1, 40));
  expect_refused(memory, memory.view<int>(1, 40), memory.view<int>(0, 40));
  expect_refused(memory, memory.view<int>(0, 40), memory.view<int>(39, 40));
}

TEST(Overlap, of_values_of_different_sizes_is_refused_even_at_the_same_address) {
  Poisoned const memory(400);
  expect_refused(memory, memory.view<short>(0, 20), memory.view<int>(0, 20));
  expect_refused(memory, memory.view<int>(0, 20), memory.view<short>(0, 20));
  expect_refused(memory, memory.view<short>(0, 1), memory.view<int>(0, 1));
}

TEST(Overlap, of_strided_views_is_refused) {
  Poisoned const memory(800);
  expect_refused(memory, memory.strided<int>(0, 40, 2), memory.strided<int>(2, 40, 2));  // the column, one row on
  expect_refused(memory, memory.strided<int>(0, 40, 2), memory.view<int>(0, 40));
  expect_refused(memory, memory.view<int>(79, 40), memory.strided<int>(0, 40, 3));       // meet in one element
  expect_refused(memory, memory.strided<int>(0, 20, 6), memory.strided<int>(2, 20, 4));  // 6 i = 4 j + 2
  // Half an element in common.
  expect_refused(memory, memory.strided<int>(0, 20, 4), memory.strided<short>(1, 20, 8));
}

TEST(Overlap, in_place_is_served) {
  Poisoned const memory(800);
  expect_served(memory.view<int>(3, 40), memory.view<int>(3, 40));
  expect_served(memory.strided<int>(3, 40, 3), memory.strided<int>(3, 40, 3));
  expect_served(memory.strided<int>(3, 1, 3), memory.view<int>(3, 1));  // one element has no stride
}

TEST(Overlap, of_the_ranges_alone_is_served) {
  Poisoned const memory(800);
  expect_served(memory.view<int>(0, 40), memory.view<int>(40, 40));             // side by side
  expect_served(memory.strided<int>(0, 40, 2), memory.strided<int>(1, 40, 2));  // columns of a matrix
  expect_served(memory.strided<int>(1, 40, 2), memory.strided<int>(0, 40, 2));  // and the other way round
  expect_served(memory.strided<int>(0, 20, 6), memory.strided<int>(1, 20, 4));  // 6 i is never 4 j + 1
  Kokkos::View<int* [3], Kokkos::LayoutRight, Exec::memory_space> const matrix("matrix", 30);
  expect_served(Kokkos::subview(matrix, Kokkos::ALL, 0), Kokkos::subview(matrix, Kokkos::ALL, 2));
  Kokkos::View<int* [3], Kokkos::LayoutLeft, Exec::memory_space> const rows("rows", 30);
  expect_served(Kokkos::subview(rows, 0, Kokkos::ALL), Kokkos::subview(rows, 1, Kokkos::ALL));
}

TEST(Overlap, of_nothing_is_served) {
  Poisoned const memory(100);
  EXPECT_NO_THROW(KokkosScan::inclusive_scan(Exec(), memory.view<int>(0, 0), memory.view<int>(0, 0)));
  EXPECT_NO_THROW(KokkosScan::inclusive_scan(Exec(), memory.view<short>(0, 0), memory.view<int>(0, 0)));
  EXPECT_TRUE(memory.untouched());
}

// ---------------------------------------------------------------- the total

using TotalView = Kokkos::View<int, Exec::memory_space, Kokkos::MemoryUnmanaged>;

template <class From, class Dest>
void expect_total_refused(Poisoned const& memory, From const& from, Dest const& dest, int* place, char const* in) {
  std::string message = thrown_by<std::invalid_argument>([&] {
    KokkosScan::inclusive_scan(Exec(), from, dest, KokkosScan::Sum{}, 0, KokkosScan::Total{TotalView(place)});
  });
  EXPECT_TRUE(says(message, {in, "total", "overlap", address(place)}));
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace, Exec::memory_space>::accessible) {
    message = thrown_by<std::invalid_argument>(
        [&] { KokkosScan::inclusive_scan(Exec(), from, dest, KokkosScan::Sum{}, 0, KokkosScan::Total{*place}); });
    EXPECT_TRUE(says(message, {in, "total", "overlap", address(place)}));
  }
  EXPECT_TRUE(memory.untouched());
}

TEST(Overlap, of_the_total_is_refused) {
  Poisoned const memory(800);
  auto const from = memory.view<int>(0, 10), dest = memory.view<int>(10, 10);
  expect_total_refused(memory, from, dest, memory.at<int>(0), "from");
  expect_total_refused(memory, from, dest, memory.at<int>(9), "from");
  expect_total_refused(memory, from, dest, memory.at<int>(10), "dest");
  expect_total_refused(memory, from, dest, memory.at<int>(19), "dest");
  expect_total_refused(memory, memory.strided<int>(0, 10, 2), memory.strided<int>(1, 10, 2), memory.at<int>(5), "dest");
  expect_total_refused(memory, from, from, memory.at<int>(5), "from");
}

TEST(Overlap, of_the_total_and_a_gap_is_served) {
  Poisoned const memory(800);
  auto const from = memory.strided<int>(0, 10, 3), dest = memory.strided<int>(1, 10, 3);
  TotalView const total(memory.at<int>(5));
  Kokkos::deep_copy(total, 0);
  Kokkos::deep_copy(from, 1);
  ASSERT_NO_THROW(KokkosScan::inclusive_scan(Exec(), from, dest, KokkosScan::Total{total}));
  Exec().fence();
  int result = 0;
  Kokkos::deep_copy(result, total);
  EXPECT_EQ(result, 10);
}

// ---------------------------------------------------------------- offsets_from_counts

TEST(Overlap, of_counts_and_offsets_is_refused_by_their_names) {
  Poisoned const memory(400);
  auto const counts = memory.view<int>(1, 40), offsets = memory.view<int>(0, 41);
  std::string const message =
      thrown_by<std::invalid_argument>([&] { KokkosScan::offsets_from_counts(Exec(), counts, offsets); });
  EXPECT_TRUE(says(message, {"overlap", address(counts.data()), address(offsets.data())}));
  std::string const label = "KokkosScan::offsets_from_counts: ";
  ASSERT_EQ(message.substr(0, label.size()), label);
  EXPECT_TRUE(says(message.substr(label.size()), {"counts", "offsets"})) << "the caller knows no other names";
  EXPECT_TRUE(memory.untouched());
}

TEST(Overlap, of_counts_with_the_front_of_offsets_is_served) {
  Poisoned const memory(400);
  auto const counts = memory.view<int>(0, 40), offsets = memory.view<int>(0, 41);
  Kokkos::deep_copy(counts, 2);
  ASSERT_NO_THROW(KokkosScan::offsets_from_counts(Exec(), counts, offsets));
  auto const result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), offsets);
  for (std::size_t i = 0; i < 41; ++i) EXPECT_EQ(result(i), static_cast<int>(2 * i));
}

/// Strides that differ: some elements of the one may come between those of the other all the way.
TEST(Overlap, of_all_small_footprints_is_what_a_comparison_of_elements_says) {
  using KokkosScan::driver::Footprint;
  auto const share_a_byte = [](Footprint const& a, Footprint const& b) {
    for (std::size_t i = 0; i < a.count; ++i)
      for (std::size_t j = 0; j < b.count; ++j) {
        std::size_t const one = a.first + i * a.stride, other = b.first + j * b.stride;
        if (one < other + b.size && other < one + a.size) return true;
      }
    return false;
  };
  test::Random random(7);
  int wrong = 0, apart = 0;
  for (int run = 0; run < 50'000; ++run) {
    auto const any = [&] {
      return Footprint{1000 + random.below(120), random.below(7), random.below(40), 1 + random.below(16)};
    };
    Footprint const a = any(), b = any();
    bool const expected = share_a_byte(a, b);
    apart += !expected && a.first < b.end() && b.first < a.end();
    wrong += KokkosScan::driver::overlap(a, b) != expected;
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(apart, 1000) << "else this shows little";
}

TEST(Overlap, of_many_elements_takes_no_longer) {
  using KokkosScan::driver::Footprint;
  constexpr std::size_t many = std::size_t{1} << 40;
  // All distances are odd multiples of 8: 16 bytes meet, 8 do not. Even and odd places never meet.
  EXPECT_TRUE(KokkosScan::driver::overlap(Footprint{4096, many, 48, 16}, Footprint{4096 + 8, many, 80, 16}));
  EXPECT_FALSE(KokkosScan::driver::overlap(Footprint{4096, many, 48, 8}, Footprint{4096 + 8, many, 80, 8}));
  EXPECT_FALSE(KokkosScan::driver::overlap(Footprint{4096, many, 6, 1}, Footprint{4097, many, 10, 1}));
  // The only place where they meet is behind the end of one of them, or is its last element.
  EXPECT_FALSE(KokkosScan::driver::overlap(Footprint{4096, 7, 1000, 8}, Footprint{4096 - 7 * 8, many, 1008, 8}));
  EXPECT_TRUE(KokkosScan::driver::overlap(Footprint{4096, 8, 1000, 8}, Footprint{4096 - 7 * 8, many, 1008, 8}));
}

/// Every third and every fourth element of an array, that have no element in common.
TEST(Overlap, of_other_strides_is_no_excuse) {
  Poisoned const memory(400);
  using Strided = Kokkos::View<int*, Kokkos::LayoutStride, Exec::memory_space, Kokkos::MemoryUnmanaged>;
  // 0, 3, 6 and 1, 5, 9 have none in common; 1, 6, 11 has 6.
  Strided const thirds(memory.at<int>(0), Kokkos::LayoutStride(3, 3));
  Strided const fourths(memory.at<int>(1), Kokkos::LayoutStride(3, 4));
  Strided const meeting(memory.at<int>(1), Kokkos::LayoutStride(3, 5));
  EXPECT_NO_THROW(KokkosScan::inclusive_scan(Exec(), thirds, fourths));
  Exec().fence();
  EXPECT_THROW(KokkosScan::inclusive_scan(Exec(), thirds, meeting), std::invalid_argument);
}

TEST(Overlap, of_the_total_of_offsets_is_refused) {
  if constexpr (Kokkos::SpaceAccessibility<Kokkos::HostSpace, Exec::memory_space>::accessible) {
    Poisoned const memory(400);
    auto const counts = memory.view<int>(0, 40), offsets = memory.view<int>(40, 41);
    for (std::size_t const place : {3U, 43U}) {
      std::string const message = thrown_by<std::invalid_argument>(
          [&] { KokkosScan::offsets_from_counts(Exec(), counts, offsets, KokkosScan::Total{*memory.at<int>(place)}); });
      EXPECT_TRUE(says(message, {"total", "overlap"}));
      EXPECT_TRUE(memory.untouched());
    }
  } else {
    GTEST_SKIP() << "a variable of the host cannot lie in this memory space";
  }
}

}  // namespace
