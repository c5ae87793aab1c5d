// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <numeric>
#include <type_traits>

#include "particle.hpp"
#include "scan/problems.hpp"

// Sorts beside std::stable_sort: every call, keys of every kind, values of every size, on Views of any layout.
namespace test {
namespace {

using KokkosScan::Bits;
using KokkosScan::Descending;
using KokkosScan::Greater;
using KokkosScan::Less;

struct IsLess {
  template <class T>
  KOKKOS_FUNCTION bool operator()(T const& left, T const& right) const {
    return left < right;
  }
};

template <class Setup>
class Sort : public testing::Test {
 protected:
  using Exec  = typename Setup::Exec;
  using Space = typename Exec::memory_space;
  using Key   = typename Setup::Value;
  using Keys  = Kokkos::View<Key*, Space>;
  using Where = Handle<Exec, typename Setup::Backend>;

  Where const where{};

  static constexpr std::size_t most = takes_short_inputs ? 7'000 : 20'011;
  static std::vector<std::size_t> lengths() { return {0, 1, 2, 31, 32, 33, 300, 3'000, most}; }

  static std::vector<Key> make_keys(std::size_t n, std::uint64_t range) {
    Random random(n + range);
    std::vector<Key> keys(n);
    for (Key& key : keys)
      key = static_cast<Key>(static_cast<std::int64_t>(random.below(range)) - static_cast<std::int64_t>(range / 2));
    return keys;
  }
  template <class Compare>
  static std::vector<std::size_t> order_of(std::vector<Key> const& keys, Compare const& compare) {
    std::vector<std::size_t> order(keys.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return compare(keys[a], keys[b]); });
    return order;
  }
  template <class T>
  static std::vector<T> in_order(std::vector<T> const& values, std::vector<std::size_t> const& order) {
    std::vector<T> sorted;
    for (std::size_t const i : order) sorted.push_back(values[i]);
    return sorted;
  }

  template <class Compare>
  void expect_by(std::size_t n, Compare const& compare, std::string const& what) {
    auto const keys   = make_keys(n, 200);
    auto const order  = order_of(keys, compare);
    auto const sorted = in_order(keys, order);

    Keys const only = to_view<Keys>(keys);
    KokkosScan::sort(where, only, compare);
    expect_same(sorted, to_vector(only, Key{}), what + ", sort");

    std::vector<std::uint32_t> values(n + 3);
    for (std::size_t i = 0; i < values.size(); ++i) values[i] = static_cast<std::uint32_t>(i * 2654435761U);
    auto moved = in_order(values, order);
    moved.insert(moved.end(), values.end() - 3, values.end());
    Keys const with      = to_view<Keys>(keys);
    auto const values_of = to_view<Kokkos::View<std::uint32_t*, Space>>(values);
    KokkosScan::sort_by_key("label", where, with, values_of, compare);
    expect_same(sorted, to_vector(with, Key{}), what + ", keys of sort_by_key");
    expect_same(moved, to_vector(values_of, 0U), what + ", values of sort_by_key");

    std::vector<Particle> particles(n);
    for (std::size_t i = 0; i < n; ++i)
      particles[i] = {{0.5 * static_cast<double>(i), -1.}, static_cast<std::int64_t>(n - i)};
    Keys const with_wide   = to_view<Keys>(keys);
    auto const wide_values = to_view<Kokkos::View<Particle*, Space>>(particles);
    KokkosScan::sort_by_key(where, with_wide, wide_values, compare);
    expect_same(in_order(particles, order), to_vector(wide_values, Particle{}), what + ", wide values");

    Kokkos::View<Key const*, Space> const left = to_view<Keys>(keys);
    Kokkos::View<int*, Space> const indices("indices", n);
    Kokkos::View<std::int16_t*, Space> const narrow("narrow", n);
    KokkosScan::sort_permutation(where, left, indices, compare);
    Keys const own = to_view<Keys>(keys);  // which it could write, and must not
    KokkosScan::sort_permutation(where, own, narrow, compare);
    expect_same(keys, to_vector(own, Key{}), what + ", own keys of sort_permutation");
    expect_same(keys, to_vector(left, Key{}), what + ", keys of sort_permutation");
    std::vector<int> const expected(order.begin(), order.end());
    expect_same(expected, to_vector(indices, 0), what + ", sort_permutation");
    expect_same(std::vector<std::int16_t>(order.begin(), order.end()), to_vector(narrow, std::int16_t{}),
                what + ", narrow indices");
    Keys const gathered("gathered", n);
    KokkosScan::apply_permutation(where, indices, left, gathered);
    expect_same(sorted, to_vector(gathered, Key{}), what + ", apply_permutation");
  }
};
using AllSortSetups = PlainSetups<Spaces, float, std::int8_t, std::uint16_t, int, std::uint64_t, double>::Types;
TYPED_TEST_SUITE(Sort, AllSortSetups);

TYPED_TEST(Sort, by_every_order) {
  for (std::size_t const n : this->lengths()) {
    std::string const what = std::to_string(n) + " keys";
    this->expect_by(n, Less{}, what + ", Less");
    if (n < 10'000) this->expect_by(n, std::greater<>{}, what + ", std::greater");  // which is Less of other bits
    this->expect_by(n, IsLess{}, what + ", a comparison");
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(Sort, by_some_bits_and_downwards) {
  using Key   = typename TestFixture::Key;
  using Keys  = typename TestFixture::Keys;
  using Order = KokkosScan::driver::RadixOrderOf<Key>;
  for (std::size_t const n : {std::size_t{1000}, this->most})
    for (bool const downwards : {false, true})
      for (Bits const bits : {Bits{0, Order::width}, Bits{1, 4}, Bits{3, 3}, Bits{Order::width - 3, Order::width}}) {
        auto const keys  = this->make_keys(n, 100);
        auto const order = KokkosScan::driver::radix_order<Key>(downwards, bits.begin, bits.end);
        auto const digit = [&](Key key) {
          typename Order::Bits word{};
          std::memcpy(&word, &key, sizeof(key));
          int const width             = bits.end - bits.begin;
          std::uint64_t const ordered = order.ordered(word);
          return width == 0 ? 0 : ordered >> bits.begin & (~std::uint64_t{0} >> (64 - width));
        };
        auto const expected =
            this->in_order(keys, this->order_of(keys, [&](Key a, Key b) { return digit(a) < digit(b); }));
        Keys const view = to_view<Keys>(keys);
        if (downwards)
          KokkosScan::radix_sort(this->where, view, Descending{}, bits);
        else
          KokkosScan::radix_sort(this->where, view, bits);
        expect_same(expected, to_vector(view, Key{}),
                    std::to_string(n) + " keys, bits from " + std::to_string(bits.begin));
      }
}

TYPED_TEST(Sort, views_that_do_not_lie_side_by_side) {
  using Key     = typename TestFixture::Key;
  using Columns = Kokkos::View<Key* [2], Kokkos::LayoutRight, typename TestFixture::Space>;
  using Values  = Kokkos::View<double* [3], Kokkos::LayoutRight, typename TestFixture::Space>;
  for (std::size_t const n : {std::size_t{100}, std::size_t{9000}}) {
    auto const keys  = this->make_keys(n, 150);
    auto const order = this->order_of(keys, std::less<>{});
    Columns const columns("columns", n);
    Values const values("values", n);
    auto const key   = Kokkos::subview(columns, Kokkos::ALL, 1);
    auto const value = Kokkos::subview(values, Kokkos::ALL, 0);
    std::vector<double> numbers(n);
    for (std::size_t i = 0; i < n; ++i) numbers[i] = static_cast<double>(i);
    Kokkos::deep_copy(key, to_view<typename TestFixture::Keys>(keys));
    Kokkos::deep_copy(value, to_view<Kokkos::View<double*, typename TestFixture::Space>>(numbers));
    KokkosScan::sort_by_key(this->where, key, value);
    auto const sorted = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), columns);
    auto const moved  = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), values);
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(sorted(i, 1), keys[order[i]]) << i;
      ASSERT_EQ(sorted(i, 0), Key{0}) << i;
      ASSERT_EQ(moved(i, 0), static_cast<double>(order[i])) << i;
      ASSERT_EQ(moved(i, 1), 0.) << i;
    }
  }
}

/// Zeros keep their order, and what is no number comes last, in either direction.
template <class Setup>
class SortOfFloats : public Sort<Setup> {};
using FloatSetups = PlainSetups<Spaces, float, double>::Types;
TYPED_TEST_SUITE(SortOfFloats, FloatSetups);

TYPED_TEST(SortOfFloats, zeros_infinities_and_what_is_no_number) {
  using Key          = typename TestFixture::Key;
  using Keys         = typename TestFixture::Keys;
  Key const infinity = std::numeric_limits<Key>::infinity(), nan = std::numeric_limits<Key>::quiet_NaN();
  for (std::size_t const n : {std::size_t{9}, std::size_t{9000}}) {
    std::vector<Key> keys(n);
    std::vector<int> places(n);
    Key const some[] = {nan,      Key{0},  -infinity, std::copysign(nan, Key{-1}), -Key{0}, Key{1},
                        infinity, Key{-2}, Key{0}};
    for (std::size_t i = 0; i < n; ++i) keys[i] = some[i % 9], places[i] = static_cast<int>(i);
    for (bool const downwards : {false, true}) {
      Keys const view    = to_view<Keys>(keys);
      auto const indices = to_view<Kokkos::View<int*, typename TestFixture::Space>>(places);
      if (downwards)
        KokkosScan::sort_by_key(this->where, view, indices, Greater{});
      else
        KokkosScan::sort_by_key(this->where, view, indices);
      auto const order = this->order_of(keys, [&](Key a, Key b) {
        if (std::isnan(a) || std::isnan(b)) return !std::isnan(a) && std::isnan(b);
        return downwards ? b < a : a < b;
      });
      expect_same(std::vector<int>(order.begin(), order.end()), to_vector(indices, 0),
                  downwards ? "downwards" : "upwards");
      auto const sorted = to_vector(view, Key{});
      for (std::size_t i = 0; i < n; ++i) {
        Key const expected = keys[order[i]];
        ASSERT_EQ(std::memcmp(&sorted[i], &expected, sizeof(Key)), 0) << i << " of " << n;
      }
    }
  }
}

}  // namespace
}  // namespace test
