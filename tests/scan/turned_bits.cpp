// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <string>
#include <vector>

#include "support/random.hpp"
#include "support/spaces.hpp"

// The vector kernels on arrays that are taken backwards, and on runs: in the caches and past them, with each
// instruction set. Values round, so another order of operations shows.
namespace {

using namespace KokkosScan;
using Exec = Kokkos::DefaultHostExecutionSpace;
template <class T>
using View = Kokkos::View<T*, Kokkos::HostSpace>;

template <class T>
View<T> make(std::size_t n, std::size_t seed) {
  test::Random random(seed);
  View<T> const values("values", n);
  for (std::size_t i = 0; i < n; ++i) values(i) = static_cast<T>((random.fraction() - 0.25) * 100);
  return values;
}
template <class T>
std::vector<T> values_of(View<T> const& view, bool turned = false) {
  std::vector<T> values(view.data(), view.data() + view.extent(0));
  if (turned) std::reverse(values.begin(), values.end());
  return values;
}
template <class T>
void expect_same_bits(std::vector<T> const& expected, std::vector<T> const& found, std::string const& what) {
  for (std::size_t i = 0; i < expected.size(); ++i)
    ASSERT_EQ(std::memcmp(&expected[i], &found[i], sizeof(T)), 0)
        << what << ": element " << i << " of " << expected.size();
}

/// Lengths with all that can be left over, and one of which the result goes past the caches.
template <class T, class F>
void for_each_length(F const& f) {
  test::Assume const small_caches({.last_level_bytes = 1 << 20, .sharers = 1, .reading = host::Reading::straight});
  std::size_t const past = host::streaming_from(Exec().concurrency()) / sizeof(T) + 1;
  for (std::size_t const n : {std::size_t{1}, std::size_t{63}, std::size_t{255}, std::size_t{257}, std::size_t{1111},
                              (past + 127) / 64 * 64, past + 77})
    f(n);
}

template <class T>
class TurnedBits : public testing::Test {};
using Types = testing::Types<std::int8_t, std::int16_t, std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(TurnedBits, Types);

TYPED_TEST(TurnedBits, reversed_is_a_scan_of_the_turned_array) {
  using T                          = TypeParam;
  [[maybe_unused]] auto const plus = [](T left, T right) { return static_cast<T>(left + right); };
  [[maybe_unused]] auto const less = [](T value) { return static_cast<T>(value / 3); };
  test::for_each_instruction_set([&] {
    for_each_length<T>([&](std::size_t n) {
      View<T> const from = make<T>(n, n), turned("turned", n), dest("dest", n), expected("expected", n);
      std::reverse_copy(from.data(), from.data() + n, turned.data());
      T const init     = static_cast<T>(0.1);
      auto const check = [&](auto const& call, std::string const& form) {
        call(turned, expected);
        Kokkos::deep_copy(dest, from);
        call(dest, dest, Reversed{});
        expect_same_bits(values_of(expected), values_of(dest, true), form + ", in place");
        Kokkos::deep_copy(dest, T{});
        call(from, dest, Reversed{});
        expect_same_bits(values_of(expected), values_of(dest, true), form);
      };
      Exec const exec;
      check([&](auto const&... views) { inclusive_scan(exec, views...); }, "inclusive");
      check([&](auto const& in, auto const& out, auto... rest) { exclusive_scan(exec, in, out, init, rest...); },
            "exclusive");
      // How chains read, and how what is transformed gets into a buffer, no type has any part in.
      if constexpr (sizeof(T) == 4)
        check([&](auto const& in, auto const& out, auto... rest) { inclusive_scan(exec, in, out, plus, rest...); },
              "of a user's operator");
      if constexpr (sizeof(T) == 8)
        check([&](auto const& in, auto const& out,
                  auto... rest) { transform_inclusive_scan(exec, in, out, Sum{}, less, init, rest...); },
              "transformed");
    });
  });
}

template <class T>
class TurnedPlaces : public testing::Test {};
using TypesAtPlaces = testing::Types<std::int16_t, float, double>;
TYPED_TEST_SUITE(TurnedPlaces, TypesAtPlaces);

/// Every third value in the place of all, from the end on; and results that begin anywhere.
TYPED_TEST(TurnedPlaces, change_no_bit) {
  using T       = TypeParam;
  using Strided = Kokkos::View<T*, Kokkos::LayoutStride, Kokkos::HostSpace>;
  test::for_each_instruction_set([&] {
    for_each_length<T>([&](std::size_t n) {
      View<T> const from = make<T>(n, n), expected("expected", n), all("all", n + 1);
      Strided const apart("apart", Kokkos::LayoutStride(n, 3));
      auto const dest = Kokkos::subview(all, std::pair<std::size_t, std::size_t>(1, n + 1));
      Kokkos::deep_copy(apart, from);
      inclusive_scan(Exec(), from, expected, Reversed{});
      inclusive_scan(Exec(), apart, dest, Reversed{});
      expect_same_bits(values_of(expected), std::vector<T>(dest.data(), dest.data() + n), "from a strided View");
      inclusive_scan(Exec(), from, apart, Reversed{});
      Kokkos::deep_copy(dest, apart);
      expect_same_bits(values_of(expected), std::vector<T>(dest.data(), dest.data() + n), "to a strided View");
    });
  });
}

/// Those that there are kernels for.
template <class T>
class BitsByKey : public testing::Test {};
using TypesByKey = testing::Types<std::int32_t, std::int64_t, float, double>;
TYPED_TEST_SUITE(BitsByKey, TypesByKey);

/// Integers have the results of a loop; of all types they are the same with every instruction set, type of keys and
/// place, and by every grid algorithm.
TYPED_TEST(BitsByKey, are_the_same_everywhere) {
  using T = TypeParam;
  for_each_length<T>([&](std::size_t n) {
    for (std::size_t const longest : {std::size_t{4}, std::size_t{3000}, std::size_t{1} << 40}) {
      test::Random random(n);
      View<T> const from = make<T>(n, n), dest("dest", n), all("all", n + 1);
      View<std::int32_t> const keys("keys", n);
      View<std::int64_t> const wide("wide", n);
      View<std::uint8_t> const narrow("narrow", n);
      for (std::size_t i = 1; i < n; ++i) keys(i) = keys(i - 1) + (random.below(longest) == 0);
      for (std::size_t i = 0; i < n; ++i)
        wide(i) = std::int64_t{keys(i)} << 32, narrow(i) = static_cast<std::uint8_t>(keys(i) & 255);
      auto const odd = Kokkos::subview(all, std::pair<std::size_t, std::size_t>(1, n + 1));
      std::vector<T> inclusive, exclusive;
      auto const expect_same = [&](auto const& exec, auto const& by, auto const& to, std::string const& what) {
        inclusive_scan_by_key(exec, by, from, to);
        std::vector<T> const found(to.data(), to.data() + n);
        if (inclusive.empty()) inclusive = found;
        expect_same_bits(inclusive, found, what + ", inclusive");
        exclusive_scan_by_key(exec, by, from, to, T(3));
        std::vector<T> const behind_init(to.data(), to.data() + n);
        if (exclusive.empty()) exclusive = behind_init;
        expect_same_bits(exclusive, behind_init, what + ", exclusive");
      };
      test::for_each_instruction_set([&] {
        if constexpr (std::is_same_v<T, float>)
          for (GridScan const grid : {GridScan::hierarchical, GridScan::chained, GridScan::lookback})
            expect_same(Handle(Exec(), Options{.grid = grid}), keys, dest, to_string(grid));
        expect_same(Exec(), keys, dest, "automatic");
        expect_same(Exec(), wide, dest, "keys of 8 bytes");
        expect_same(Exec(), narrow, odd, "keys of 1 byte, results anywhere");
      });
      if (!std::is_integral_v<T>) continue;
      T running{};
      for (std::size_t i = 0; i < n; ++i) {
        bool const begins = i == 0 || keys(i) != keys(i - 1);
        ASSERT_EQ(exclusive[i], begins ? T(3) : static_cast<T>(3 + running)) << i;
        running = begins ? from(i) : static_cast<T>(running + from(i));
        ASSERT_EQ(inclusive[i], running) << i;
      }
    }
  });
}

}  // namespace
