// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cstdint>
#include <limits>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "support/random.hpp"
#include "support/spaces.hpp"

// offsets_from_counts: CSR row offsets, in a type that may be wider than that of the counts.
namespace {

using namespace KokkosScan;
using Exec = Kokkos::DefaultExecutionSpace;

template <class Count, class Offset>
struct Csr {
  using CountType  = Count;
  using OffsetType = Offset;
};

template <class Pair>
class Offsets : public testing::Test {
 protected:
  using Count  = typename Pair::CountType;
  using Offset = typename Pair::OffsetType;

  static std::vector<Count> counts(std::size_t n) {
    test::Random random(n);
    std::vector<Count> counts;
    // Large counts, so that the sum would overflow their type.
    for (std::size_t i = 0; i < n; ++i)
      counts.push_back(sizeof(Count) < sizeof(Offset) ? static_cast<Count>(random() >> 1 >> (64 - 8 * sizeof(Count)))
                                                      : static_cast<Count>(random.below(9)));
    return counts;
  }

  static std::vector<std::size_t> lengths() {
    return test::edge_lengths(test::automatic_tile<Exec, typename Pair::OffsetType>());
  }

  /// offsets, between two elements that must stay as they are.
  static Kokkos::View<Offset*, Exec> guarded_offsets(std::size_t n) {
    Kokkos::View<Offset*, Exec> const all("offsets", n + 3);
    Kokkos::deep_copy(all, static_cast<Offset>(77));
    return all;
  }

  static void expect_offsets(Kokkos::View<Offset*, Exec> const& all, std::vector<Count> const& counts) {
    std::size_t const n = counts.size();
    auto const host     = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), all);
    Offset expected     = 0;
    std::size_t wrong   = 0;
    for (std::size_t i = 0; i <= n; ++i) {
      wrong += host(i + 1) != expected;
      if (i < n) expected = static_cast<Offset>(expected + static_cast<Offset>(counts[i]));
    }
    EXPECT_EQ(wrong, 0U) << "of " << n + 1 << " offsets";
    EXPECT_EQ(host(0), static_cast<Offset>(77)) << "in front of the offsets";
    EXPECT_EQ(host(n + 2), static_cast<Offset>(77)) << "behind the offsets";
  }

  static auto inner(Kokkos::View<Offset*, Exec> const& all) {
    return Kokkos::subview(all, std::pair<std::size_t, std::size_t>(1, all.extent(0) - 1));
  }
  static Kokkos::View<Count*, Exec> on_device(std::vector<Count> const& values) {
    Kokkos::View<Count*, Exec> const counts("counts", values.size());
    Kokkos::deep_copy(counts, Kokkos::View<Count const*, Kokkos::HostSpace>(values.data(), values.size()));
    return counts;
  }
};
using Pairs = testing::Types<Csr<std::int32_t, std::int64_t>, Csr<std::uint8_t, std::uint32_t>,
                             Csr<std::int32_t, std::int32_t>, Csr<std::int32_t, std::size_t>>;
TYPED_TEST_SUITE(Offsets, Pairs);

TYPED_TEST(Offsets, of_all_edge_lengths) {
  for (std::size_t const n : this->lengths()) {
    SCOPED_TRACE(n);
    auto const counts = this->counts(n);
    auto const all    = this->guarded_offsets(n);
    offsets_from_counts(Exec(), this->on_device(counts), this->inner(all));
    Exec().fence();
    this->expect_offsets(all, counts);
  }
}

TYPED_TEST(Offsets, with_a_total_on_the_host) {
  for (std::size_t const n : this->lengths()) {
    SCOPED_TRACE(n);
    auto const counts                    = this->counts(n);
    auto const all                       = this->guarded_offsets(n);
    typename TypeParam::OffsetType total = 88;
    offsets_from_counts("label", Exec(), this->on_device(counts), this->inner(all), Total{total});
    this->expect_offsets(all, counts);
    auto const last = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), Kokkos::subview(all, n + 1));
    EXPECT_EQ(total, last());
  }
}

/// counts may be the first n of offsets: counted in place.
TEST(OffsetsInPlace, of_all_edge_lengths) {
  for (std::size_t const n : test::edge_lengths(test::automatic_tile<Exec, std::int32_t>())) {
    Kokkos::View<std::int32_t*, Kokkos::SharedSpace> const offsets("offsets", n + 1);
    std::vector<std::int32_t> expected{0};
    test::Random random(n);
    for (std::size_t i = 0; i < n; ++i) {
      offsets(i) = static_cast<std::int32_t>(random.below(1000));
      expected.push_back(expected.back() + offsets(i));
    }
    offsets(n) = 12345;
    offsets_from_counts(Exec(), Kokkos::subview(offsets, std::pair<std::size_t, std::size_t>(0, n)), offsets);
    Exec().fence();
    for (std::size_t i = 0; i <= n; ++i) ASSERT_EQ(offsets(i), expected[i]) << "offset " << i << " of " << n;
  }
}

/// One View that holds n counts, and behind them an entry that is only written.
TEST(OffsetsInPlace, of_one_view) {
  for (std::size_t const n : test::edge_lengths(test::automatic_tile<Exec, std::int32_t>()))
    for (int const total_to : {0, 1, 2}) {
      SCOPED_TRACE(testing::Message() << n << " counts, total " << total_to);
      Kokkos::View<std::int32_t*, Kokkos::SharedSpace> const offsets("offsets", n + 1);
      std::vector<std::int32_t> expected{0};
      test::Random random(n);
      for (std::size_t i = 0; i < n; ++i) {
        offsets(i) = static_cast<std::int32_t>(random.below(1000));
        expected.push_back(expected.back() + offsets(i));
      }
      offsets(n)         = 12345;
      std::int32_t total = -1;
      std::int64_t wide  = -1;
      if (total_to == 0) offsets_from_counts(Exec(), offsets);
      if (total_to == 1) offsets_from_counts("label", Exec(), offsets, Total{total});
      if (total_to == 2) offsets_from_counts(Exec(), offsets, Total{wide});
      Exec().fence();
      EXPECT_EQ(total, total_to == 1 ? expected.back() : -1);
      EXPECT_EQ(wide, total_to == 2 ? expected.back() : -1);
      for (std::size_t i = 0; i <= n; ++i) ASSERT_EQ(offsets(i), expected[i]) << "offset " << i;
    }
}

TEST(OffsetsOfNothing, are_nothing) {
  Kokkos::View<std::int32_t*, Kokkos::SharedSpace> const none("none", 0);
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
  Kokkos::View<std::int32_t*, Kokkos::SharedSpace> const counts("counts", 5000), offsets("offsets", 5001);
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
  Kokkos::View<std::int32_t*, Kokkos::SharedSpace> counts, offsets;
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
  try {
    offsets_from_counts(Exec(), counts, offsets, Total{total});
    FAIL() << "threw nothing";
  } catch (std::overflow_error const& error) {
    std::string const said = error.what();
    for (char const* const words : {"KokkosScan::offsets_from_counts: ", "2147483648", "2147483647"})
      EXPECT_NE(said.find(words), std::string::npos) << said;
  }
  EXPECT_EQ(total, most + 1);
}

TEST_F(WideTotals, in_a_view_are_exact_and_nobody_waits_to_check_them) {
  fill(1);
  offsets_from_counts(Exec(), counts, offsets, Total{place});
  Exec().fence();
  EXPECT_EQ(place(), most + 1);
}

TEST_F(WideTotals, are_looked_for_on_request) {
  fill(1);
  EXPECT_NO_THROW(offsets_from_counts(Exec(), counts, offsets));
  EXPECT_NO_THROW(offsets_from_counts(Handle(Exec(), Options{}), counts, offsets));
  Handle const checked(Exec(), Options{.check = true});
  EXPECT_THROW(offsets_from_counts(checked, counts, offsets), std::overflow_error);
  fill(0);
  EXPECT_NO_THROW(offsets_from_counts(checked, counts, offsets));
  Exec().fence();
  EXPECT_EQ(offsets(n), most);
}

TEST_F(WideTotals, of_any_kind_are_looked_at_on_request) {
  Handle const checked(Exec(), Options{.check = true});
  std::int32_t narrow = -1;
  std::int64_t wide   = -1;
  Kokkos::View<std::int32_t, Kokkos::SharedSpace> const narrow_place("narrow");
  auto const each = [&](auto const& expect) {
    expect(Total{narrow});
    expect(Total{wide});
    expect(Total{narrow_place});
    expect(Total{place});
  };
  fill(1);
  each([&](auto const& total) {
    EXPECT_THROW(offsets_from_counts(checked, counts, offsets, total), std::overflow_error);
  });
  fill(0);
  each([&](auto const& total) { EXPECT_NO_THROW(offsets_from_counts(checked, counts, offsets, total)); });
  Exec().fence();
  EXPECT_EQ(narrow, most);
  EXPECT_EQ(wide, most);
  EXPECT_EQ(narrow_place(), most);
  EXPECT_EQ(place(), most);
  EXPECT_EQ(offsets(n), most);
}

TEST(OffsetsOnAHandle, use_its_choices) {
  Kokkos::View<std::int32_t*, Kokkos::SharedSpace> const counts("counts", 10'000);
  Kokkos::View<std::int64_t*, Kokkos::SharedSpace> const offsets("offsets", 10'001);
  Kokkos::deep_copy(counts, 3);
  Handle const handle(Exec(), Options{.grid = GridScan::hierarchical, .block = BlockScan::three_phase});
  std::int64_t total = -1;
  offsets_from_counts(handle, counts, offsets, Total{total});
  EXPECT_EQ(total, 30'000);
  for (int i = 0; i <= 10'000; ++i) ASSERT_EQ(offsets(i), 3 * i);
}

}  // namespace
