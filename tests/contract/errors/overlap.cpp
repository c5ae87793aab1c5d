// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan.hpp>

#include "support/random.hpp"
#include "thrown.hpp"

// from and dest may be the same or apart; anything in between is refused, before a byte is written.
namespace {

using namespace contract;
using namespace KokkosScan;

class Overlap : public testing::Test {
 protected:
  template <class T = int>
  auto view(std::size_t begin, std::size_t n) const {
    return memory.view<T>(begin, n);
  }
  template <class T = int>
  auto strided(std::size_t begin, std::size_t n, std::size_t stride) const {
    return memory.strided<T>(begin, n, stride);
  }

  template <class From, class Dest>
  void refused(From const& from, Dest const& dest) const {
    expect_refused(
        memory, {"KokkosScan::inclusive_scan: ", "from", "dest", "overlap", address(from.data()), address(dest.data())},
        [&] { inclusive_scan(Exec(), from, dest); });
    expect_refused(memory, {}, [&] { exclusive_scan(Exec(), from, dest, 0); });
  }

  /// A total there is refused, in a View and, where it can be, as a variable.
  template <class From, class Dest>
  void total_refused(From const& from, Dest const& dest, std::size_t place, char const* in) const {
    auto const refused = [&](auto const& total) {
      expect_refused(memory, {in, "total", "overlap", address(memory.at<int>(place))},
                     [&] { inclusive_scan(Exec(), from, dest, Sum{}, 0, total); });
    };
    refused(Total{memory.place<int>(place)});
    if constexpr (host_can_access) refused(Total{*memory.at<int>(place)});
  }

  /// Scans ones, so that the result is 1, 2, 3 ...
  template <class From, class Dest>
  void served(From const& from, Dest const& dest) const {
    Kokkos::deep_copy(from, 1);
    ASSERT_NO_THROW(inclusive_scan(Exec(), from, dest));
    Kokkos::View<int*, Exec::memory_space> const copy("copy", dest.extent(0));
    Kokkos::deep_copy(copy, dest);
    auto const result = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), copy);
    for (std::size_t i = 0; i < result.extent(0); ++i) ASSERT_EQ(result(i), static_cast<int>(i) + 1);
  }

  static constexpr bool host_can_access = Kokkos::SpaceAccessibility<Kokkos::HostSpace, Exec::memory_space>::accessible;
  Poisoned const memory{800};
};

TEST_F(Overlap, of_contiguous_views_is_refused) {
  refused(view(0, 40), view(1, 40));
  refused(view(1, 40), view(0, 40));
  refused(view(0, 40), view(39, 40));
}

TEST_F(Overlap, of_values_of_different_sizes_is_refused_even_at_the_same_address) {
  refused(view<short>(0, 20), view(0, 20));
  refused(view(0, 20), view<short>(0, 20));
  refused(view<short>(0, 1), view(0, 1));
}

TEST_F(Overlap, of_strided_views_is_refused) {
  refused(strided(0, 40, 2), strided(2, 40, 2));  // the column, one row on
  refused(strided(0, 40, 2), view(0, 40));
  refused(view(79, 40), strided(0, 40, 3));              // meet in one element
  refused(strided(0, 20, 6), strided(2, 20, 4));         // 6 i = 4 j + 2
  refused(strided(0, 20, 4), strided<short>(1, 20, 8));  // half an element in common
}

TEST_F(Overlap, of_the_ranges_alone_is_served) {
  served(view(0, 40), view(40, 40));             // side by side
  served(strided(0, 40, 2), strided(1, 40, 2));  // columns of a matrix
  served(strided(1, 40, 2), strided(0, 40, 2));  // and the other way round
  served(strided(0, 20, 6), strided(1, 20, 4));  // 6 i is never 4 j + 1
  served(strided(3, 1, 3), view(3, 1));          // in place: one element has no stride
}

TEST_F(Overlap, of_nothing_is_served) {
  EXPECT_NO_THROW(inclusive_scan(Exec(), view(0, 0), view(0, 0)));
  EXPECT_NO_THROW(inclusive_scan(Exec(), view<short>(0, 0), view(0, 0)));
  EXPECT_TRUE(memory.untouched());
}

TEST_F(Overlap, of_the_total_is_refused) {
  auto const from = view(0, 10), dest = view(10, 10);
  total_refused(from, dest, 0, "from");
  total_refused(from, dest, 9, "from");
  total_refused(from, dest, 10, "dest");
  total_refused(from, dest, 19, "dest");
  total_refused(strided(0, 10, 2), strided(1, 10, 2), 5, "dest");
  total_refused(from, from, 5, "from");
}

TEST_F(Overlap, of_the_total_and_a_gap_is_served) {
  auto const from = strided(0, 10, 3), dest = strided(1, 10, 3);
  auto const total = memory.place<int>(5);
  Kokkos::deep_copy(total, 0);
  Kokkos::deep_copy(from, 1);
  ASSERT_NO_THROW(inclusive_scan(Exec(), from, dest, Total{total}));
  Exec().fence();
  int result = 0;
  Kokkos::deep_copy(result, total);
  EXPECT_EQ(result, 10);
}

TEST_F(Overlap, of_counts_and_offsets_is_refused_by_their_names) {
  auto const counts = view(1, 40), offsets = view(0, 41);
  std::string const message = thrown_by<std::invalid_argument>([&] { offsets_from_counts(Exec(), counts, offsets); });
  std::string const label   = "KokkosScan::offsets_from_counts: ";
  ASSERT_EQ(message.substr(0, label.size()), label);
  EXPECT_TRUE(says(message.substr(label.size()),
                   {"counts", "offsets", "overlap", address(counts.data()), address(offsets.data())}))
      << "the caller knows no other names";
  EXPECT_TRUE(memory.untouched());
}

TEST_F(Overlap, of_the_total_of_offsets_is_refused) {
  if constexpr (host_can_access) {
    auto const counts = view(0, 40), offsets = view(40, 41);
    for (std::size_t const place : {3U, 43U})
      expect_refused(memory, {"total", "overlap"},
                     [&] { offsets_from_counts(Exec(), counts, offsets, Total{*memory.at<int>(place)}); });
  } else {
    GTEST_SKIP() << "a variable of the host cannot lie in this memory space";
  }
}

/// Strides that differ: some elements of the one may come between those of the other all the way.
TEST_F(Overlap, of_all_small_footprints_is_what_a_comparison_of_elements_says) {
  using driver::Footprint;
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
    wrong += driver::overlap(a, b) != expected;
  }
  EXPECT_EQ(wrong, 0);
  EXPECT_GT(apart, 1000) << "else this shows little";
}

TEST_F(Overlap, of_many_elements_takes_no_longer) {
  using driver::Footprint;
  constexpr std::size_t many = std::size_t{1} << 40;
  // All distances are odd multiples of 8: 16 bytes meet, 8 do not. Even and odd places never meet.
  EXPECT_TRUE(driver::overlap(Footprint{4096, many, 48, 16}, Footprint{4096 + 8, many, 80, 16}));
  EXPECT_FALSE(driver::overlap(Footprint{4096, many, 48, 8}, Footprint{4096 + 8, many, 80, 8}));
  EXPECT_FALSE(driver::overlap(Footprint{4096, many, 6, 1}, Footprint{4097, many, 10, 1}));
  // The only place where they meet is behind the end of one of them, or is its last element.
  EXPECT_FALSE(driver::overlap(Footprint{4096, 7, 1000, 8}, Footprint{4096 - 7 * 8, many, 1008, 8}));
  EXPECT_TRUE(driver::overlap(Footprint{4096, 8, 1000, 8}, Footprint{4096 - 7 * 8, many, 1008, 8}));
}

}  // namespace
