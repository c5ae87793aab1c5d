// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <utility>
#include <vector>

#include "support/random.hpp"
#include "support/scan_case.hpp"
#include "support/spaces.hpp"
#include "support/thrown.hpp"

// offsets_from_counts: CSR row offsets, in a type that may be wider than that of the counts.
namespace {

using namespace KokkosScan;
using Exec = Kokkos::DefaultExecutionSpace;

template <class T>
using View = Kokkos::View<T*, Kokkos::SharedSpace>;

template <class T>
View<T> part(View<T> const& all, std::size_t begin, std::size_t end) {
  return Kokkos::subview(all, std::pair<std::size_t, std::size_t>(begin, end));
}

template <class Count_, class Offset_>
struct Csr {
  using Count  = Count_;
  using Offset = Offset_;
};

template <class Pair>
class Offsets : public testing::Test {
 protected:
  using Count  = typename Pair::Count;
  using Offset = typename Pair::Offset;

  /// Calls call(counts, offsets) for all edge lengths, the offsets between two elements that must stay as they are.
  /// Counts may be the first of them: counted in place.
  template <class Call>
  void expect_offsets(bool in_place, Call const& call) {
    for (std::size_t const n : test::edge_lengths(test::automatic_tile<Exec, Offset>())) {
      SCOPED_TRACE(n);
      View<Offset> const all("offsets", n + 3), offsets = part(all, 1, n + 2);
      View<Count> counts("counts", n);
      Kokkos::deep_copy(all, static_cast<Offset>(77));
      if constexpr (std::is_same_v<Count, Offset>)
        if (in_place) counts = part(offsets, 0, n);
      // Large counts, so that the sum would overflow their type.
      test::Random random(n);
      std::vector<Offset> expected{0};
      for (std::size_t i = 0; i < n; ++i) {
        counts(i) = sizeof(Count) < sizeof(Offset) ? static_cast<Count>(random() >> 1 >> (64 - 8 * sizeof(Count)))
                                                   : static_cast<Count>(random.below(9));
        expected.push_back(static_cast<Offset>(expected.back() + static_cast<Offset>(counts(i))));
      }
      call(counts, offsets);
      Exec().fence();
      EXPECT_TRUE(test::same_values({offsets.data(), offsets.data() + n + 1}, expected));
      EXPECT_EQ(all(0), static_cast<Offset>(77)) << "in front of the offsets";
      EXPECT_EQ(all(n + 2), static_cast<Offset>(77)) << "behind the offsets";
    }
  }
};
using Pairs = testing::Types<Csr<std::int32_t, std::int64_t>, Csr<std::uint8_t, std::uint32_t>,
                             Csr<std::int32_t, std::int32_t>, Csr<std::int32_t, std::size_t>>;
TYPED_TEST_SUITE(Offsets, Pairs);

TYPED_TEST(Offsets, of_all_edge_lengths) {
  for (bool const in_place : {false, true})
    this->expect_offsets(in_place,
                         [](auto const& counts, auto const& offsets) { offsets_from_counts(Exec(), counts, offsets); });
}

TYPED_TEST(Offsets, with_a_total_on_the_host) {
  this->expect_offsets(false, [](auto const& counts, auto const& offsets) {
    typename TypeParam::Offset total = 88;
    offsets_from_counts("label", Exec(), counts, offsets, Total{total});
    EXPECT_EQ(total, offsets(counts.extent(0)));
  });
}

/// One View that holds n counts, and behind them an entry that is only written.
using OffsetsInPlace = Offsets<Csr<std::int32_t, std::int32_t>>;
TEST_F(OffsetsInPlace, of_one_view) {
  std::int32_t total = -1;
  std::int64_t wide  = -1;
  expect_offsets(true, [](auto const&, auto const& offsets) { offsets_from_counts(Exec(), offsets); });
  expect_offsets(true, [&](auto const& counts, auto const& offsets) {
    offsets_from_counts("label", Exec(), offsets, Total{total});
    EXPECT_EQ(total, offsets(counts.extent(0)));
  });
  expect_offsets(true, [&](auto const& counts, auto const& offsets) {
    offsets_from_counts(Exec(), offsets, Total{wide});
    EXPECT_EQ(wide, offsets(counts.extent(0)));
  });
}

TEST(OffsetsOfNothing, are_nothing) {
  View<std::int32_t> const none("none", 0);
  Kokkos::View<std::int32_t, Kokkos::SharedSpace> const place("place");
  Kokkos::deep_copy(place, 7);
  std::int32_t total = 7;
  std::int64_t wide  = 7;
  EXPECT_NO_THROW(offsets_from_counts(Exec(), none, none));
  EXPECT_NO_THROW(offsets_from_counts(Exec(), none));
  offsets_from_counts(Exec(), none, none, Total{total});
  offsets_from_counts(Exec(), none, Total{wide});
  offsets_from_counts(Exec(), none, none, Total{place});
  Exec().fence();
  EXPECT_EQ(total, 0);
  EXPECT_EQ(wide, 0);
  EXPECT_EQ(place(), 0);
}

/// Memory traits are the caller's business.
TEST(OffsetsOfViews, with_memory_traits) {
  View<std::int32_t> const counts("counts", 5000), offsets("offsets", 5001);
  Kokkos::deep_copy(counts, 2);
  using Atomic = Kokkos::View<std::int32_t*, Kokkos::SharedSpace, Kokkos::MemoryTraits<Kokkos::Atomic>>;
  using Random = Kokkos::View<std::int32_t const*, Kokkos::SharedSpace,
                              Kokkos::MemoryTraits<Kokkos::RandomAccess | Kokkos::Restrict>>;
  offsets_from_counts(Exec(), Random(counts), Atomic(offsets));
  Exec().fence();
  for (int i = 0; i <= 5000; ++i) ASSERT_EQ(offsets(i), 2 * i);
  inclusive_scan(Exec(), Atomic(counts), Atomic(counts), Sum{}, Kokkos::subview(Atomic(offsets), 1));
  Exec().fence();
  for (int i = 0; i < 5000; ++i) ASSERT_EQ(counts(i), 2 * (i + 2));
}

class WideTotals : public testing::Test {
 protected:
  static constexpr int n = 30'000;
  WideTotals() : counts("counts", n), offsets("offsets", n + 1), place("place") {}

  /// 2^31 - 1 in all, and so much more.
  void fill(int more) {
    Kokkos::deep_copy(counts, std::numeric_limits<std::int32_t>::max() / n);
    counts(n / 2) += std::numeric_limits<std::int32_t>::max() % n + more;
  }
  View<std::int32_t> counts, offsets;
  Kokkos::View<std::int64_t, Kokkos::SharedSpace> place;
  std::int64_t const most = std::numeric_limits<std::int32_t>::max();
};

TEST_F(WideTotals, that_fit_are_exact) {
  fill(0);
  std::int64_t total = -1;
  offsets_from_counts(Exec(), counts, offsets, Total{total});
  EXPECT_EQ(total, most);
  EXPECT_EQ(offsets(n), most);
}

TEST_F(WideTotals, that_do_not_fit_throw) {
  fill(1);
  std::int64_t total = -1;
  EXPECT_TRUE(test::says(
      test::thrown_by<std::overflow_error>([&] { offsets_from_counts(Exec(), counts, offsets, Total{total}); }),
      {"KokkosScan::offsets_from_counts: ", "2147483648", "2147483647"}));
  EXPECT_EQ(total, most + 1);
}

TEST_F(WideTotals, in_a_view_are_exact_and_nobody_waits_to_check_them) {
  fill(1);
  offsets_from_counts(Exec(), counts, offsets, Total{place});
  Exec().fence();
  EXPECT_EQ(place(), most + 1);
}

/// With a total of any kind, and with none.
TEST_F(WideTotals, of_any_kind_are_looked_at_on_request) {
  Handle const checked(Exec(), Options{.check = true});
  std::int32_t narrow = -1;
  std::int64_t wide   = -1;
  Kokkos::View<std::int32_t, Kokkos::SharedSpace> const narrow_place("narrow");
  auto const each = [&](auto const& expect) {
    expect(), expect(Total{narrow}), expect(Total{wide}), expect(Total{narrow_place}), expect(Total{place});
  };
  fill(1);
  EXPECT_NO_THROW(offsets_from_counts(Exec(), counts, offsets));
  EXPECT_NO_THROW(offsets_from_counts(Handle(Exec(), Options{}), counts, offsets));
  each([&](auto const&... total) {
    EXPECT_THROW(offsets_from_counts(checked, counts, offsets, total...), std::overflow_error);
  });
  fill(0);
  each([&](auto const&... total) { EXPECT_NO_THROW(offsets_from_counts(checked, counts, offsets, total...)); });
  Exec().fence();
  EXPECT_EQ(narrow, most);
  EXPECT_EQ(wide, most);
  EXPECT_EQ(narrow_place(), most);
  EXPECT_EQ(place(), most);
  EXPECT_EQ(offsets(n), most);
}

}  // namespace
