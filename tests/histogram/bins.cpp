// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "src/core/arrays.hpp"
#include "src/driver/even_bins.hpp"
#include "support/random.hpp"

// Which bin a value falls into, near every edge: of integers by arithmetic of 128 bits, of floats by the one expression
// that decides, which narrow floats find in a shorter way.
namespace test {
namespace {

namespace core   = KokkosScan::core;
namespace driver = KokkosScan::driver;

__extension__ using Wide = __int128;

template <class Value>
void expect_exact(std::size_t count, Wide lower, Wide upper, Wide value) {
  if (value < std::numeric_limits<Value>::min() || value > std::numeric_limits<Value>::max()) return;
  auto const bins =
      core::even_integer_bins<Value>(count, static_cast<std::uint64_t>(lower), static_cast<std::uint64_t>(upper));
  bool const is_in = value >= lower && value < upper;
  // The product may need more than 128 bits: by parts.
  Wide const d = value - lower, width = upper - lower, n = static_cast<Wide>(count);
  Wide const expected = is_in ? d / width * n + [&] {
    Wide bin = 0, rest = 0;
    for (int bit = 63; bit >= 0; --bit) {  // rest < width < 2^64
      rest = 2 * rest + ((d >> bit & 1) != 0 ? n : 0);
      bin  = 2 * bin + rest / width;
      rest %= width;
    }
    return bin;
  }()
                              : n;
  ASSERT_EQ(bins.template of<std::size_t>(static_cast<Value>(value)), static_cast<std::size_t>(expected))
      << count << " bins, " << static_cast<double>(lower) << " to " << static_cast<double>(upper) << ", value "
      << static_cast<double>(value);
  if (count < 0xffffffffU) {
    ASSERT_EQ(bins.template of<std::uint32_t>(static_cast<Value>(value)), static_cast<std::uint32_t>(expected));
  }
}

/// Around each of some edges.
template <class Value>
void expect_exact_bins(std::size_t count, Wide lower, Wide upper) {
  Random random(count);
  for (int k = 0; k < 60; ++k) {
    Wide const edge = lower + (upper - lower) / static_cast<Wide>(count) * static_cast<Wide>(random.below(count + 1));
    for (int near = -2; near <= 2; ++near) {
      expect_exact<Value>(count, lower, upper, edge + near);
      expect_exact<Value>(count, lower, upper, lower + near);
      expect_exact<Value>(count, lower, upper, upper + near);
    }
    expect_exact<Value>(count, lower, upper, static_cast<Wide>(static_cast<Value>(random())));
    if (testing::Test::HasFailure()) return;
  }
}

TEST(Bins, of_integers_are_exact) {
  constexpr Wide two = 2, least = -(two << 62), most = (two << 62) - 1, most_unsigned = (two << 63) - 1;
  for (std::size_t const count :
       {std::size_t{1}, std::size_t{2}, std::size_t{3}, std::size_t{10}, std::size_t{255}, std::size_t{256},
        std::size_t{1000}, (std::size_t{1} << 24) + 1, std::size_t{0xfffffffe}, std::size_t{1} << 40}) {
    expect_exact_bins<std::int64_t>(count, least, most);
    expect_exact_bins<std::int64_t>(count, -7, 1234567891234567);
    expect_exact_bins<std::int64_t>(count, least, least + 5);
    expect_exact_bins<std::uint64_t>(count, 0, most_unsigned);
    expect_exact_bins<std::uint64_t>(count, most_unsigned - 10, most_unsigned);
    expect_exact_bins<std::uint64_t>(count, 5, (two << 62) + 12345);
    expect_exact_bins<std::int32_t>(count, -2147483648LL, 2147483648LL);
    expect_exact_bins<std::uint32_t>(count, 0, 4294967296LL);
    expect_exact_bins<std::uint32_t>(count, 0, 4294967297LL);
    expect_exact_bins<std::int32_t>(count, -3, 1000);
    expect_exact_bins<std::int32_t>(count, least, most);
    expect_exact_bins<std::uint8_t>(count, 0, 256);
    expect_exact_bins<std::int8_t>(count, -128, 77);
  }
}

template <class Bins>
void expect_in_order(Bins const& bins, std::vector<float> const& ascending, std::string const& what) {
  std::size_t last = 0;
  for (float const value : ascending) {
    std::size_t const bin = bins.template of<std::size_t>(value);
    if (bin == bins.count) continue;
    ASSERT_GE(bin, last) << what << ", " << value;
    last = bin;
  }
}

TEST(Bins, of_narrow_floats_are_those_of_doubles) {
  std::size_t by_doubles = 0;
  for (std::size_t const count : {std::size_t{1}, std::size_t{3}, std::size_t{100}, std::size_t{256},
                                  std::size_t{100'000}, std::size_t{1} << 22, (std::size_t{1} << 24) + 3})
    for (auto const& [lower, upper] : {std::pair{0., 1.},
                                       {-1., 1.},
                                       {0.1, 0.7},
                                       {1e6, 1e6 + 1},
                                       {-1e30, 3e30},
                                       {1e-40, 1e-38},
                                       {0., 1e300},
                                       {-3.4e38, 3.4e38},
                                       {1e7, 1e7 + 64}}) {
      auto const bins = driver::even_floats("label", count, lower, upper);
      auto const to   = driver::even_doubles("label", count, lower, upper);
      if (bins.least_rest >= 1) ++by_doubles;
      Random random(count);
      std::vector<float> values;
      for (int k = 0; k < 2000; ++k) {
        double const place = static_cast<double>(random.below(count + 1)) / static_cast<double>(count);
        auto value         = static_cast<float>(lower + (upper - lower) * place);
        for (int step = 0; step < 3; ++step) value = std::nextafter(value, -std::numeric_limits<float>::infinity());
        for (int step = 0; step < 7; ++step) {
          values.push_back(value);
          value = std::nextafter(value, std::numeric_limits<float>::infinity());
        }
        values.push_back(static_cast<float>(lower + (upper - lower) * random.fraction()));
      }
      std::string const what = std::to_string(count) + " bins from " + std::to_string(lower);
      for (float const value : values) {
        ASSERT_EQ(bins.of<std::size_t>(value), to.of<std::size_t>(static_cast<double>(value))) << what << ", " << value;
        if (!(value >= bins.least && value < bins.end)) continue;
        ASSERT_EQ(bins.by_floats<std::size_t>(value), bins.of<std::size_t>(value)) << what << ", " << value;
        ASSERT_EQ(bins.by_floats<std::uint32_t>(value), bins.of<std::uint32_t>(value)) << what << ", " << value;
      }
      std::sort(values.begin(), values.end());
      expect_in_order(bins, values, what);
    }
  EXPECT_GT(by_doubles, 5U);
  EXPECT_LT(by_doubles, 45U);
}

/// The last value below `upper` is in the last bin, `lower` in the first, whatever is rounded.
TEST(Bins, of_doubles_have_their_ends) {
  Random random(3);
  for (int k = 0; k < 20'000; ++k) {
    double const lower = std::ldexp(random.fraction() - 0.5, static_cast<int>(random.between(-60, 60)));
    double const upper = lower + std::ldexp(random.fraction() + 0.1, static_cast<int>(random.between(-20, 60)));
    if (!(lower < upper)) continue;
    std::size_t const count = 1 + random.below(1000);
    auto const bins         = driver::even_doubles("label", count, lower, upper);
    ASSERT_EQ(bins.of<std::size_t>(lower), 0U);
    ASSERT_LT(bins.of<std::size_t>(std::nextafter(upper, lower)), count);
    ASSERT_EQ(bins.of<std::size_t>(upper), count);
    ASSERT_EQ(bins.of<std::size_t>(std::nextafter(lower, -1e300)), count);
  }
}

/// Keys that are wider than the numbers of bins.
TEST(Bins, of_keys) {
  core::KeyBins<std::int64_t> const wide{10};
  EXPECT_EQ(wide.of<std::uint32_t>(9), 9U);
  for (std::int64_t const none : {std::int64_t{-1}, std::int64_t{10}, std::int64_t{1} << 32, std::int64_t{1} << 32 | 3})
    EXPECT_GE(wide.of<std::uint32_t>(none), 10U) << none;
  core::KeyBins<std::int8_t> const narrow{256};
  EXPECT_EQ(narrow.of<std::uint32_t>(127), 127U);
  EXPECT_GE(narrow.of<std::uint32_t>(-1), 256U);
  EXPECT_GE(narrow.of<std::size_t>(-128), 256U);
}

/// Integers of one type and edges of another.
TEST(Bins, between_edges_of_another_type) {
  auto const bin = []<class Value, class Edge>(Value value, std::vector<Edge> const& edges) {
    using Bins = core::EdgeBins<Value, core::Strided<Edge const>>;
    return Bins{edges.size() - 1, {edges.data(), 1}}.template of<std::size_t>(value);
  };
  EXPECT_EQ(bin(-1, std::vector<unsigned>{0, 10, 20}), 2U);
  EXPECT_EQ(bin(15, std::vector<unsigned>{0, 10, 20}), 1U);
  EXPECT_EQ(bin(15U, std::vector<int>{-5, 10, 20}), 1U);
  EXPECT_EQ(bin(3U, std::vector<int>{-5, 10, 20}), 0U);
  EXPECT_EQ(bin(~0U, std::vector<int>{-5, 10, 20}), 2U);
  EXPECT_EQ(bin(std::uint8_t{200}, std::vector<std::int8_t>{-5, 10, 20}), 2U);
  EXPECT_EQ(bin(16'777'217, std::vector<float>{0, 16'777'216, 1e9F}), 1U);
  EXPECT_EQ(bin(16'777'215, std::vector<float>{0, 16'777'216, 1e9F}), 0U);
  EXPECT_EQ(bin(0.1F, std::vector<double>{0, 0.1, 1}), 1U);  // a float above that double
}

}  // namespace
}  // namespace test
