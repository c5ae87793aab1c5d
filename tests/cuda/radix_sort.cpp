// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <cstring>
#include <numeric>
#include <string>
#include <type_traits>
#include <vector>

#include "cuda_native/sort/radix_sort.hpp"
#include "seeds.hpp"
#include "streams.hpp"
#include "support/random.hpp"
#include "support/time.hpp"

// Radix sort on the execution model: keys and values of every size, any range of bits, in one block and by passes.
namespace test {
namespace {

namespace core  = KokkosScan::core;
namespace radix = KokkosScan::cuda::radix;

/// 16 bytes.
struct Wide {
  std::uint64_t first, second;
  bool operator==(Wide const&) const = default;
};

enum class RadixKeys { random, few, equal, ascending, descending, special };

template <class Bits>
std::vector<Bits> make(RadixKeys kind, std::size_t n, std::uint64_t seed) {
  Random random(seed);
  std::vector<Bits> keys(n);
  for (std::size_t i = 0; i < n; ++i) switch (kind) {
      case RadixKeys::random: keys[i] = static_cast<Bits>(random()); break;
      case RadixKeys::few: keys[i] = static_cast<Bits>(0x9e3779b97f4a7c15U * (1 + random.below(3))); break;
      case RadixKeys::equal: keys[i] = static_cast<Bits>(0xa5a5a5a5a5a5a5a5U); break;
      case RadixKeys::ascending: keys[i] = static_cast<Bits>(i); break;
      case RadixKeys::descending: keys[i] = static_cast<Bits>(n - i); break;
      case RadixKeys::special: {  // zeros, infinities and what is no number, for floats of 4 bytes
        constexpr std::uint32_t some[] = {0,           0x80000000U, 0x7f800000U, 0xff800000U,
                                          0x7fc00000U, 0xffc00001U, 1,           0x80000001U};
        keys[i]                        = static_cast<Bits>(some[random.below(8)]);
        break;
      }
    }
  return keys;
}

/// The order of equal keys is that in which they came.
template <class Sort>
void expect_digits_sorted(Sort const& like, RadixKeys kind, std::size_t n, std::string const& what) {
  using Bits                   = typename Sort::Bits;
  using Value                  = std::conditional_t<Sort::has_values, typename Sort::Value, char>;
  constexpr std::size_t guards = 8;
  std::vector<Bits> const keys = make<Bits>(kind, n, n + static_cast<std::size_t>(kind));
  std::vector<std::size_t> order(n);
  std::iota(order.begin(), order.end(), std::size_t{0});
  auto const sorted_by = [&](std::size_t i) {
    std::uint64_t const bits  = like.order.ordered(keys[i]),
                        width = static_cast<std::uint64_t>(like.order.end - like.order.begin);
    return bits >> like.order.begin & (width == 64 ? ~std::uint64_t{0} : (std::uint64_t{1} << width) - 1);
  };
  std::stable_sort(order.begin(), order.end(),
                   [&](std::size_t a, std::size_t b) { return sorted_by(a) < sorted_by(b); });

  std::vector<Bits> got(n + 2 * guards, Bits{77}), other(n);
  std::vector<Value> values(n + 2 * guards), other_values(n);
  auto const value_of = [](std::size_t i) {
    Value value{};
    std::uint64_t const bits[2] = {i * 0x9e3779b97f4a7c15U, i};
    std::memcpy(&value, bits, sizeof(Value));
    return value;
  };
  std::copy(keys.begin(), keys.end(), got.begin() + guards);
  for (std::size_t i = 0; i < n; ++i) values[guards + i] = value_of(i);
  Sort sort       = like;
  sort.keys       = got.data() + guards;
  sort.other_keys = other.data();
  sort.n          = n;
  if constexpr (Sort::has_values) {
    sort.values       = values.data() + guards;
    sort.other_values = other_values.data();
  }
  std::vector<std::uint64_t> scratch(radix::needs(sort).scratch / sizeof(std::uint64_t), 0xa5a5a5a5a5a5a5a5U);
  on_a_stream([&] { radix::run(nullptr, sort, {scratch.data(), nullptr, 0}, KokkosScan::cuda::current_device()); });
  for (std::size_t i = 0; i < guards; ++i) {
    ASSERT_EQ(got[i], Bits{77}) << what;
    ASSERT_EQ(got[n + guards + i], Bits{77}) << what;
  }
  for (std::size_t i = 0; i < n; ++i) {
    ASSERT_EQ(got[guards + i], keys[order[i]]) << what << ", element " << i << " of " << n;
    if constexpr (Sort::has_values) {
      ASSERT_TRUE(values[guards + i] == value_of(order[i])) << what << ", the value of " << i << " of " << n;
    }
  }
}

/// Of other bits, or downwards, the kernels go the same ways through the same tiles: two sizes are enough.
template <class Sort>
void expect_sorted_at_all_sizes(typename Sort::Order const& order, std::string const& what, bool at_two_alone) {
  constexpr std::size_t tile = radix::Long<Sort>::tile;
  Sort sort{};
  sort.order                = order;
  std::size_t turn          = 0;
  constexpr std::size_t row = KokkosScan::cuda::radix_threads;  // one item of each thread
  for (std::size_t const n : {std::size_t{2}, std::size_t{33}, row + 1, tile - 1, tile, tile + 1, 3 * tile + 5})
    for (RadixKeys const kind : {RadixKeys::random, RadixKeys::few, RadixKeys::equal, RadixKeys::ascending,
                                 RadixKeys::descending, RadixKeys::special}) {
      if ((n > 100 && ++turn % 3 != 0) || (at_two_alone && n != row + 1 && n != tile + 1)) continue;
      expect_digits_sorted(sort, kind, n, what + ", keys " + std::to_string(static_cast<int>(kind)));
      if (testing::Test::HasFailure()) return;
    }
}

template <class Bits, bool is_float, class Value = core::NoValues>
void expect_digits_sorted_of(Bits infinity = 0) {
  using Order            = core::RadixOrder<Bits, is_float>;
  using Sort             = core::RadixSort<Order, Value>;
  std::string const what = std::to_string(sizeof(Bits)) + " bytes" + (is_float ? " of floats" : "");
  for_each_seed(1, [&] {
    constexpr int width = Order::width;
    expect_sorted_at_all_sizes<Sort>(Order{Bits{0}, infinity, 0, width}, what, false);
    expect_sorted_at_all_sizes<Sort>(Order{Order::all, infinity, 0, width}, what + ", downwards", !has_time);
    expect_sorted_at_all_sizes<Sort>(Order{Order::sign, infinity, width / 3, width - 1}, what + ", some bits",
                                     !has_time);
  });
}

TEST(RadixSort, of_bytes) { expect_digits_sorted_of<std::uint8_t, false, std::uint16_t>(); }
#if KOKKOSSCAN_TEST_FIRST_TYPES
TEST(RadixSort, of_floats) { expect_digits_sorted_of<std::uint32_t, true, std::uint32_t>(0x7f800000U); }
#endif
/// By the tiles of long arrays.
TEST(RadixSort, of_many_words) {
  using Order = core::RadixOrder<std::uint32_t, false>;
  core::RadixSort<Order, std::uint8_t> sort{};
  sort.order = Order{0, 0, 3, 13};
  expect_digits_sorted(sort, RadixKeys::random, KokkosScan::cuda::radix_short_most + 1, "many words");
}
#if KOKKOSSCAN_TEST_OTHER_TYPES
TEST(RadixSort, of_words) { expect_digits_sorted_of<std::uint32_t, false>(); }
TEST(RadixSort, of_half_words) { expect_digits_sorted_of<std::uint16_t, false, std::uint8_t>(); }
TEST(RadixSort, of_doubles) { expect_digits_sorted_of<std::uint64_t, true>(0x7ff0000000000000U); }
TEST(RadixSort, with_wide_values) { expect_digits_sorted_of<std::uint64_t, false, Wide>(); }
#endif

}  // namespace
}  // namespace test
