// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "cuda_native/histogram/histogram.hpp"
#include "seeds.hpp"
#include "streams.hpp"
#include "support/random.hpp"

// Histograms on the execution model: bytes, few bins and many, in one block and by several, at any address.
namespace test {
namespace {

namespace core      = KokkosScan::core;
namespace histogram = KokkosScan::cuda::histogram;

enum class Input { uniform, one_value, skewed, runs, outside };
constexpr Input inputs[] = {Input::uniform, Input::one_value, Input::skewed, Input::runs, Input::outside};

/// Keys, most of them below `bins`.
template <class Key>
std::vector<Key> make(Input kind, std::size_t n, std::size_t bins, std::uint64_t seed) {
  Random random(seed);
  std::vector<Key> keys(n);
  for (std::size_t i = 0; i < n; ++i) switch (kind) {
      case Input::uniform: keys[i] = static_cast<Key>(random.below(bins)); break;
      case Input::one_value: keys[i] = static_cast<Key>(bins / 3); break;
      case Input::skewed:
        keys[i] = static_cast<Key>(random.one_in(3) ? random.below(bins) : random.below(7) % bins);
        break;
      case Input::runs: keys[i] = static_cast<Key>(i / 40 % bins); break;
      case Input::outside: keys[i] = static_cast<Key>(random.below(2 * bins + 2) - 1); break;
    }
  return keys;
}

/// Small shapes: several blocks and rounds of a few elements.
struct SmallBytes {
  static constexpr int threads = 128, blocks_per_sm = 2, vectors = 2;
};
struct SmallFew {
  static constexpr int threads = 64, blocks_per_sm = 2, vectors = 2;
};
struct SmallMany : histogram::ManyBinsNumbers<64, 2, 4, 5, 3> {};

using Counts = std::vector<std::uint32_t>;

/// Calls count(histogram) with counts that stand `stride` apart, and compares.
template <class Word, class From, class Bins, class Weights, class Count>
void expect_counted(From const& from, Bins const& bins, Weights const& weights, std::size_t n, std::size_t stride,
                    Count const& count, std::string const& what) {
  using Histogram = core::Histogram<From, Bins, Word, Weights>;
  std::vector<Word> expected(bins.count), counts(bins.count * stride + 8, Word{77});
  Histogram const all{from, bins, weights, {counts.data() + 4, static_cast<std::ptrdiff_t>(stride)}, n};
  for (std::size_t i = 0; i < n; ++i)
    if (auto const bin = bins.template of<std::size_t>(from[i]); bin < bins.count)
      expected[bin] = static_cast<Word>(expected[bin] + all.weight(i));
  on_a_stream([&] { count(all); });
  std::vector<bool> is_count(counts.size());
  for (std::size_t k = 0; k < bins.count; ++k) {
    is_count[4 + k * stride] = true;
    ASSERT_EQ(counts[4 + k * stride], expected[k]) << what << ", bin " << k << ", " << n << " elements";
  }
  for (std::size_t k = 0; k < counts.size(); ++k)
    if (!is_count[k]) {
      ASSERT_EQ(counts[k], Word{77}) << what << ", beside the counts";
    }
}

template <class Key, class Count>
void expect_counted_at_all_sizes(std::size_t bins, Count const& count, std::string const& what) {
  std::size_t turn = 0;
  for (std::size_t const n : {1, 15, 16, 17, 63, 700, 5000})
    for (Input const input : inputs) {
      std::size_t const off = ++turn % 5;
      if (turn % 3 == 0 && n > 64) continue;
      auto const keys = make<Key>(input, n + off, bins, n + static_cast<std::size_t>(input));
      core::Contiguous<Key const> const from{keys.data() + off};
      expect_counted<std::uint32_t>(from, core::KeyBins<Key>{bins}, core::NoWeights{}, n, 1 + turn % 2, count,
                                    what + ", input " + std::to_string(static_cast<int>(input)));
      if (testing::Test::HasFailure()) return;
    }
}

auto const on_device = [] { return KokkosScan::cuda::current_device(); };
auto const by_bytes  = [](auto const& all) { histogram::count_bytes<SmallBytes>(nullptr, all, on_device()); };
auto const by_few    = [](auto const& all) {
  auto plan = histogram::plan_few_bins<SmallFew>(all, on_device());
  if (plan.blocks == 0) plan = {2, 1, 1};
  histogram::count_few_bins<SmallFew>(nullptr, all, plan, on_device());
};
auto const by_passes = [](auto const& all) {
  histogram::count_few_bins<SmallFew>(nullptr, all, {3, 3, 2}, on_device());
};
auto const by_many = [](auto const& all) { histogram::count_many_bins<SmallMany>(nullptr, all, on_device()); };
auto const by_run  = [](auto const& all) { histogram::run(nullptr, all, on_device()); };

TEST(Histogram, of_bytes) {
  for_each_seed(3, [] {
    expect_counted_at_all_sizes<std::uint8_t>(256, by_bytes, "bytes");
    expect_counted_at_all_sizes<std::int8_t>(100, by_bytes, "bytes with signs, less bins");
  });
}
TEST(Histogram, of_few_bins) {
  for_each_seed(3, [] {
    for (std::size_t const bins : {1, 2, 33, 900}) {
      expect_counted_at_all_sizes<std::uint32_t>(bins, by_few, std::to_string(bins) + " bins");
      expect_counted_at_all_sizes<std::int64_t>(bins, by_few, std::to_string(bins) + " bins of wide keys");
    }
  });
}
TEST(Histogram, of_some_bins_at_a_time) {
  for_each_seed(2, [] {
    for (std::size_t const bins : {1, 2, 100})
      expect_counted_at_all_sizes<std::uint16_t>(bins, by_passes, std::to_string(bins) + " bins");
  });
}
TEST(Histogram, between_edges) {
  for_each_seed(2, [] {
    std::vector<float> edges, values;
    for (int k = 0; k <= 37; ++k) edges.push_back(static_cast<float>(k * k));
    Random random(3);
    for (int i = 0; i < 3000; ++i) values.push_back(static_cast<float>(random.below(1500)) - 20);
    using Bins = core::EdgeBins<float, core::Strided<float const>>;
    for (std::size_t const n : {1, 100, 3000})
      for (std::size_t const stride : {1, 2})
        expect_counted<std::uint32_t>(
            core::Contiguous<float const>{values.data()},
            Bins{edges.size() / stride - 1, {edges.data(), static_cast<std::ptrdiff_t>(stride)}}, core::NoWeights{}, n,
            1, by_few, "between edges");
  });
}
TEST(Histogram, of_many_bins) {
  for_each_seed(3, [] {
    for (std::size_t const bins : {3, 1000}) {
      expect_counted_at_all_sizes<std::uint32_t>(bins, by_many, std::to_string(bins) + " bins");
      expect_counted_at_all_sizes<std::int16_t>(bins, by_many, std::to_string(bins) + " bins of half words");
    }
  });
}

/// Weights that wrap, and elements that do not lie side by side.
TEST(Histogram, of_weights) {
  for_each_seed(2, [] {
    constexpr std::size_t n = 1500, bins = 50;
    auto const keys = make<std::int32_t>(Input::skewed, 3 * n, bins, 1);
    std::vector<std::int16_t> weights(2 * n);
    Random random(2);
    for (auto& weight : weights) weight = static_cast<std::int16_t>(random());
    core::Strided<std::int32_t const> const from{keys.data(), 3};
    core::Strided<std::int16_t const> const by{weights.data(), 2};
    core::KeyBins<std::int32_t> const of{bins};
    auto const expect = [&](auto const& count, std::string const& what) {
      expect_counted<std::uint32_t>(from, of, by, n, 1, count, what);
      expect_counted<std::uint64_t>(from, of, by, n, 3, count, what + ", wide");
      expect_counted<std::uint64_t>(from, of, core::NoWeights{}, n, 1, count, what + ", wide without weights");
    };
    expect(by_few, "few");
    expect(by_many, "many");
    expect(by_run, "any");
  });
}

/// As callers have it, with the real shapes, one and two blocks of each.
TEST(Histogram, of_any_number_of_bins) {
  for_each_seed(1, [] {
    for (std::size_t const bins : {std::size_t{1}, std::size_t{256}, std::size_t{100000}})
      for (std::size_t const n : {std::size_t{0}, std::size_t{100}, std::size_t{12000}}) {
        auto const keys = make<std::uint32_t>(Input::skewed, n, bins, n);
        expect_counted<std::uint32_t>(core::Contiguous<std::uint32_t const>{keys.data()},
                                      core::KeyBins<std::uint32_t>{bins}, core::NoWeights{}, n, 1, by_run, "any");
      }
    auto const bytes = make<std::uint8_t>(Input::outside, 70001, 200, 1);
    expect_counted<std::uint64_t>(core::Contiguous<std::uint8_t const>{bytes.data() + 1},
                                  core::KeyBins<std::uint8_t>{200}, core::NoWeights{}, bytes.size() - 1, 1, by_run,
                                  "bytes");
  });
}

}  // namespace
}  // namespace test
