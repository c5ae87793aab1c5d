// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <stdexcept>
#include <type_traits>

#include "scan/problems.hpp"

// Segments that are sorted each by itself, beside std::stable_sort of each: segments of all lengths, empty ones, what
// is in none, keys of every kind, Views of any layout.
namespace test {
namespace {

using KokkosScan::Greater;
using KokkosScan::segmented_sort;

/// Equal where `order` is; `place` tells whether equal ones kept their order.
struct Event {
  std::int32_t order, place;
  bool operator==(Event const&) const = default;
};
struct IsEarlier {
  KOKKOS_FUNCTION bool operator()(Event const& left, Event const& right) const { return left.order < right.order; }
};

/// What the library does not know to be Greater.
struct IsGreater {
  template <class T>
  KOKKOS_FUNCTION bool operator()(T const& left, T const& right) const {
    return left > right;
  }
};

template <class Setup>
class SegmentedSort : public testing::Test {
 protected:
  using Exec  = typename Setup::Exec;
  using Space = typename Exec::memory_space;
  using Key   = typename Setup::Value;
  template <class T>
  using Row   = Kokkos::View<T*, Space>;
  using Where = Handle<Exec, typename Setup::Backend>;

  Where const where{};

  /// Offsets of segments of many lengths within n elements, some of them empty, neither the first element nor the last
  /// ones in any.
  static std::vector<std::int64_t> make_offsets(std::size_t n) {
    Random random(n);
    std::vector<std::int64_t> offsets;
    std::size_t at = std::min<std::size_t>(n, 3);
    while (at + 5 < n) {
      offsets.push_back(static_cast<std::int64_t>(at));
      std::size_t const kind = random.below(6);
      at += kind == 0 ? 0 : kind < 4 ? random.below(40) : kind == 4 ? random.below(700) : random.below(n / 2 + 1);
    }
    if (n > 5) offsets.push_back(static_cast<std::int64_t>(n - 5));
    return offsets;
  }
  template <class T, class Compare>
  static std::vector<T> sorted(std::vector<T> keys, std::vector<std::int64_t> const& offsets, Compare const& compare) {
    for (std::size_t s = 0; s + 1 < offsets.size(); ++s)
      std::stable_sort(keys.begin() + offsets[s], keys.begin() + offsets[s + 1], compare);
    return keys;
  }
  static std::vector<Key> make_keys(std::size_t n) {
    Random random(n + 1);
    std::vector<Key> keys(n);
    for (Key& key : keys) key = static_cast<Key>(static_cast<std::int64_t>(random.below(200)) - 100);
    return keys;
  }
};

using SegmentedSetups = PlainSetups<Spaces, std::int8_t, int, std::uint64_t>::Types;
TYPED_TEST_SUITE(SegmentedSort, SegmentedSetups);

TYPED_TEST(SegmentedSort, sorts_each_segment_by_itself) {
  using Key = typename TestFixture::Key;
  for (std::size_t const n : std::vector<std::size_t>{0, 1, 2, 5, 6, 40, 1000, takes_short_inputs ? 9'011 : 30'011}) {
    auto const offsets                                    = this->make_offsets(n);
    auto const keys                                       = this->make_keys(n);
    typename TestFixture::template Row<std::int64_t> rows = to_view<decltype(rows)>(offsets);
    typename TestFixture::template Row<Key> view          = to_view<decltype(view)>(keys);
    std::string const what                                = std::to_string(n) + " keys";
    segmented_sort(this->where, view, rows);
    expect_same(this->sorted(keys, offsets, std::less<>()), to_vector(view, Key{}), what);

    view = to_view<decltype(view)>(keys);
    segmented_sort("label", this->where, view, rows, Greater{});
    expect_same(this->sorted(keys, offsets, std::greater<>()), to_vector(view, Key{}), what + ", downwards");
  }
}

TYPED_TEST(SegmentedSort, takes_any_comparison_and_is_stable) {
  for (std::size_t const n : std::vector<std::size_t>{6, 1000, takes_short_inputs ? 9'011 : 20'011}) {
    auto const offsets = this->make_offsets(n);
    Random random(n);
    std::vector<Event> events(n);
    for (std::size_t i = 0; i < n; ++i)
      events[i] = {static_cast<std::int32_t>(random.below(20)), static_cast<std::int32_t>(i)};
    typename TestFixture::template Row<std::int64_t> rows = to_view<decltype(rows)>(offsets);
    typename TestFixture::template Row<Event> view        = to_view<decltype(view)>(events);
    segmented_sort(this->where, view, rows, IsEarlier());
    expect_same(this->sorted(events, offsets, IsEarlier()), to_vector(view, Event{}), std::to_string(n) + " events");
  }
}

TYPED_TEST(SegmentedSort, takes_strided_views) {
  using Key           = typename TestFixture::Key;
  std::size_t const n = 3001;
  auto const offsets  = this->make_offsets(n);
  auto const keys     = this->make_keys(n);
  using Plane         = Kokkos::View<Key**, Kokkos::LayoutRight, typename TestFixture::Space>;
  using Offsets       = Kokkos::View<std::int64_t**, Kokkos::LayoutRight, typename TestFixture::Space>;
  Plane const plane("plane", n, 3);
  Offsets const rows("rows", offsets.size(), 2);
  auto const on_host      = Kokkos::create_mirror_view(plane);
  auto const rows_on_host = Kokkos::create_mirror_view(rows);
  for (std::size_t i = 0; i < n; ++i) on_host(i, 1) = keys[i];
  for (std::size_t s = 0; s < offsets.size(); ++s) rows_on_host(s, 1) = offsets[s];
  Kokkos::deep_copy(plane, on_host);
  Kokkos::deep_copy(rows, rows_on_host);
  segmented_sort(this->where, Kokkos::subview(plane, Kokkos::ALL, 1), Kokkos::subview(rows, Kokkos::ALL, 1));
  this->where.exec().fence();
  Kokkos::deep_copy(on_host, plane);
  auto const expected = this->sorted(keys, offsets, std::less<>());
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(on_host(i, 1), expected[i]) << i;
    ASSERT_EQ(on_host(i, 0), Key{}) << i;
    ASSERT_EQ(on_host(i, 2), Key{}) << i;
  }
}

TYPED_TEST(SegmentedSort, one_segment_or_one_to_each_key) {
  using Key           = typename TestFixture::Key;
  std::size_t const n = 2000;
  auto const keys     = this->make_keys(n);
  std::vector<std::int64_t> ones(n + 1);
  for (std::size_t i = 0; i <= n; ++i) ones[i] = static_cast<std::int64_t>(i);
  for (auto const& offsets : {std::vector<std::int64_t>{0, static_cast<std::int64_t>(n)},
                              ones,
                              std::vector<std::int64_t>{7},
                              std::vector<std::int64_t>{},
                              {9, 9, 9}}) {
    typename TestFixture::template Row<std::int64_t> rows = to_view<decltype(rows)>(offsets);
    typename TestFixture::template Row<Key> view          = to_view<decltype(view)>(keys);
    segmented_sort(this->where, view, rows);
    expect_same(this->sorted(keys, offsets, std::less<>()), to_vector(view, Key{}),
                std::to_string(offsets.size()) + " offsets");
  }
}

/// Enough for many threads: those of each begin and end anywhere, and the longest are too long for one.
TYPED_TEST(SegmentedSort, many_keys_in_short_segments_and_in_long_ones) {
  using Key = typename TestFixture::Key;
  Random random(1);
  constexpr int count = takes_short_inputs ? 1800 : 6000, length = takes_short_inputs ? 9'000 : 70'000;
  for (bool const has_long_ones : {false, true}) {
    std::vector<std::int64_t> offsets{2};
    for (int k = 0; k < count; ++k) {
      bool const is_long = has_long_ones && (k == 0 || k % (count / 2 - 100) == 1);
      offsets.push_back(offsets.back() + (is_long ? length : static_cast<std::int64_t>(random.below(25))));
    }
    auto const keys = this->make_keys(static_cast<std::size_t>(offsets.back()) + 3);
    typename TestFixture::template Row<std::int64_t> const rows =
        to_view<typename TestFixture::template Row<std::int64_t>>(offsets);
    typename TestFixture::template Row<Key> const view = to_view<typename TestFixture::template Row<Key>>(keys);
    segmented_sort(this->where, view, rows);
    expect_same(this->sorted(keys, offsets, std::less<>()), to_vector(view, Key{}), "by digits");
    auto const by_merges = to_view<typename TestFixture::template Row<Key>>(keys);
    segmented_sort(this->where, by_merges, rows, IsGreater());
    expect_same(this->sorted(keys, offsets, std::greater<>()), to_vector(by_merges, Key{}), "by a comparison");
  }
}

/// Zeros of either sign are equal, and what is no number comes last, upwards and downwards: each stays among its like.
TYPED_TEST(SegmentedSort, has_floats_in_the_order_of_all_sorts) {
  if (!std::is_same_v<typename TestFixture::Key, int>) return;
  std::size_t const n = takes_short_inputs ? 9'011 : 20'011;
  auto const offsets  = this->make_offsets(n);
  Random random(n);
  float const some[] = {0.F, -0.F, NAN, -NAN, INFINITY, -INFINITY, 1e-40F, -1e-40F};
  std::vector<float> keys(n);
  for (float& key : keys)
    key = random.below(3) == 0 ? some[random.below(8)] : static_cast<float>(random.below(100)) - 50.F;
  auto const bits_of = [](std::vector<float> const& floats) {
    std::vector<std::uint32_t> bits;
    for (float const x : floats) bits.push_back(std::bit_cast<std::uint32_t>(x));
    return bits;
  };
  auto const is_last = [](float a, float b) { return std::isnan(b) && !std::isnan(a); };
  auto const up      = [&](float a, float b) { return a < b || is_last(a, b); };
  auto const down    = [&](float a, float b) { return a > b || is_last(a, b); };
  typename TestFixture::template Row<std::int64_t> rows = to_view<decltype(rows)>(offsets);
  typename TestFixture::template Row<float> view        = to_view<decltype(view)>(keys);
  segmented_sort(this->where, view, rows);
  expect_same(bits_of(this->sorted(keys, offsets, up)), bits_of(to_vector(view, 0.F)), "upwards");
  view = to_view<decltype(view)>(keys);
  segmented_sort(this->where, view, rows, Greater{});
  expect_same(bits_of(this->sorted(keys, offsets, down)), bits_of(to_vector(view, 0.F)), "downwards");
}

/// Keys that begin within what they are moved by.
TYPED_TEST(SegmentedSort, takes_keys_anywhere) {
  using Key                                             = typename TestFixture::Key;
  std::size_t const n                                   = 15'001;
  auto offsets                                          = this->make_offsets(n - 1);
  auto const keys                                       = this->make_keys(n);
  typename TestFixture::template Row<Key> const view    = to_view<typename TestFixture::template Row<Key>>(keys);
  typename TestFixture::template Row<std::int64_t> rows = to_view<decltype(rows)>(offsets);
  segmented_sort(this->where, Kokkos::subview(view, Kokkos::pair<std::size_t, std::size_t>(1, n)), rows);
  for (std::int64_t& offset : offsets) ++offset;
  expect_same(this->sorted(keys, offsets, std::less<>()), to_vector(view, Key{}), "from the second key on");
}

#if !KOKKOSSCAN_TEST_ON_MODEL
struct Thrown {};
struct Throws {
  template <class T>
  bool operator()(T const& left, T const& right) const {
    if (left > 0) throw Thrown{};
    return left < right;
  }
};

/// What a comparison throws reaches the caller, whoever has called it.
TEST(SegmentedSortCalls, a_comparison_that_throws_on_a_host) {
  using Row = Kokkos::View<int*, Kokkos::HostSpace>;
  Row const keys("keys", 200'000), rows("rows", 4);
  rows(1) = 10, rows(2) = 90'000, rows(3) = 200'000;
  Kokkos::deep_copy(keys, 1);
  Kokkos::DefaultHostExecutionSpace const exec;
  EXPECT_THROW(segmented_sort(exec, keys, rows, Throws{}), Thrown);
  EXPECT_THROW(KokkosScan::sort(exec, keys, Throws{}), Thrown);
}

TEST(SegmentedSortCalls, that_are_wrong_write_nothing) {
  Kokkos::View<int*, Kokkos::HostSpace> const keys("keys", 10), rows("rows", 3);
  for (int i = 0; i < 10; ++i) keys(i) = 10 - i;
  EXPECT_THROW(segmented_sort(Kokkos::DefaultHostExecutionSpace(), keys, Kokkos::subview(keys, std::pair(2, 5))),
               std::invalid_argument);
  rows(1) = 11;
  Handle const handle(Kokkos::DefaultHostExecutionSpace(), Options{.check = true});
  EXPECT_THROW(segmented_sort(handle, keys, rows), std::invalid_argument);
  for (int i = 0; i < 10; ++i) EXPECT_EQ(keys(i), 10 - i);
}
#endif

}  // namespace
}  // namespace test
