// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <algorithm>
#include <cstdint>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <thread>

#include "scan/problems.hpp"
#include "support/thrown.hpp"

// What histograms take, what they refuse, and that neither threads nor who calls beside them change a result.
namespace test {
namespace {

using KokkosScan::count_keys;
using KokkosScan::histogram;
using KokkosScan::Weights;

using Any     = Kokkos::DefaultExecutionSpace;
using Numbers = Kokkos::View<int*, Any::memory_space>;
using Floats  = Kokkos::View<double*, Any::memory_space>;

std::pair<std::size_t, std::size_t> range(std::size_t begin, std::size_t end) { return {begin, end}; }

TEST(HistogramCalls, what_is_wrong_is_said_before_anything_is_written) {
  Numbers const keys("keys", 10), counts("counts", 4), edges("edges", 4);
  Floats const from("from", 10), weights("weights", 9), sums("sums", 4);
  Kokkos::View<std::uint64_t*, Any::memory_space> const wide("wide", 3);
  Kokkos::deep_copy(counts, 77);
  auto const refusal    = [](auto const& call) { return thrown_by<std::invalid_argument>(call); };
  double const infinity = std::numeric_limits<double>::infinity(), none = std::numeric_limits<double>::quiet_NaN();
  auto const of_bounds = [&](double lower, double upper) {
    return refusal([&] { histogram(Any(), from, counts, lower, upper); });
  };
  EXPECT_TRUE(says(of_bounds(2, 1), {"KokkosScan::histogram", "lower is 2", "upper is 1"}));
  EXPECT_TRUE(says(of_bounds(1, 1), {"lower is 1", "upper is 1"}));
  EXPECT_TRUE(says(of_bounds(none, 1), {"lower is nan", "upper is 1"}));
  EXPECT_TRUE(says(of_bounds(0, infinity), {"upper is inf", "finite"}));
  EXPECT_TRUE(says(of_bounds(-infinity, 0), {"lower is -inf"}));
  EXPECT_TRUE(says(of_bounds(-1e308, 1e308), {"-1e+308", "1e+308", "4 bins"}));
  EXPECT_TRUE(says(of_bounds(0, 4e-324), {"no double holds"}));
  EXPECT_TRUE(says(refusal([&] { histogram(Any(), keys, counts, 0.5, 9); }), {"lower is 0.5", "integer"}));
  EXPECT_TRUE(says(refusal([&] { histogram(Any(), keys, counts, 5, 5); }), {"lower is 5", "upper is 5"}));
  EXPECT_TRUE(says(refusal([&] { histogram(Any(), keys, counts, 0, 1e30); }),
                   {"upper is 1e+30", "from -9223372036854775808 to"}));
  EXPECT_TRUE(
      says(refusal([&] { histogram(Any(), wide, counts, -1, 9); }), {"lower is -1", "from 0 to 18446744073709551615"}));
  EXPECT_TRUE(says(refusal([&] { histogram(Any(), keys, counts, none, 9); }), {"lower is nan"}));
  EXPECT_TRUE(
      says(refusal([&] { histogram(Any(), keys, edges, counts); }), {"edges.extent(0) is 4", "counts.extent(0) is 4"}));
  EXPECT_TRUE(says(refusal([&] { count_keys(Any(), keys, Kokkos::subview(keys, range(2, 5))); }),
                   {"count_keys", "keys", "counts", "overlap"}));
  EXPECT_TRUE(says(refusal([&] {
                     histogram(Any(), keys, Kokkos::subview(counts, range(0, 4)), Kokkos::subview(counts, range(0, 3)));
                   }),
                   {"edges", "counts", "overlap"}));
  EXPECT_TRUE(says(refusal([&] { count_keys(Any(), keys, sums, Weights{weights}); }),
                   {"keys.extent(0) is 10", "weights.extent(0) is 9"}));
  EXPECT_TRUE(says(refusal([&] { count_keys(Any(), keys, sums, Weights{Floats(sums.data(), 10)}); }),
                   {"weights", "counts", "overlap"}));
  expect_same(std::vector<int>(4, 77), to_vector(counts, 0), "counts");
}

TEST(HistogramCalls, of_nothing_and_into_nothing) {
  Numbers const keys("keys", 3), none("none", 0), counts("counts", 5), edge("edge", 1);
  Floats const sums("sums", 5), weights("weights", 3);
  Kokkos::deep_copy(counts, 77);
  Kokkos::deep_copy(sums, 7.5);
  count_keys(Any(), none, counts);
  expect_same(std::vector<int>(5, 0), to_vector(counts, 0), "no keys");
  count_keys(Any(), none, sums, Weights{Kokkos::subview(weights, range(0, 0))});
  expect_same(std::vector<double>(5, 0.), to_vector(sums, 0.), "no weights");
  count_keys(Any(), keys, none);
  histogram(Any(), keys, none, 0, 5);
  histogram(Any(), keys, none, none);
  histogram(Any(), keys, edge, none);
  count_keys(Any(), keys, Kokkos::subview(sums, range(0, 0)), Weights{weights});
  EXPECT_TRUE(says(thrown_by<std::invalid_argument>([&] { histogram(Any(), keys, none, 5, 0); }), {"lower is 5"}));
}

template <class Half>
void expect_counted_of_halves() {
  if constexpr (!std::is_same_v<Half, float>) {
    std::vector<Half> values(3000);
    std::vector<int> expected(8);
    for (std::size_t i = 0; i < values.size(); ++i) {
      values[i] = static_cast<Half>(static_cast<float>(i % 40) * 0.25F - 1);
      if (float const x = static_cast<float>(values[i]); x >= 0 && x < 8) ++expected[static_cast<std::size_t>(x)];
    }
    using Halves    = Kokkos::View<Half*, Any::memory_space>;
    auto const from = to_view<Halves>(values);
    Numbers const counts("counts", 8);
    histogram(Any(), from, counts, 0, 8);
    expect_same(expected, to_vector(counts, 0), "half types");
    std::vector<Half> edges;
    for (int k = 0; k <= 8; ++k) edges.push_back(static_cast<Half>(static_cast<float>(k)));
    Kokkos::deep_copy(counts, 77);
    histogram(Any(), from, to_view<Halves>(edges), counts);
    expect_same(expected, to_vector(counts, 0), "half types between edges");
  }
}
TEST(HistogramCalls, of_half_types) {
  expect_counted_of_halves<Kokkos::Experimental::half_t>();
  expect_counted_of_halves<Kokkos::Experimental::bhalf_t>();
}

TEST(HistogramCalls, weights_of_any_kind) {
  std::size_t const n = 5000;
  std::vector<int> keys(n);
  std::vector<double> weights(n), expected(7);
  for (std::size_t i = 0; i < n; ++i) {
    keys[i]    = static_cast<int>(i * 7919 % 9) - 1;
    weights[i] = static_cast<double>(i % 50);
    if (keys[i] >= 0 && keys[i] < 7) expected[static_cast<std::size_t>(keys[i])] += weights[i];
  }
  auto const from = to_view<Numbers>(keys);
  Kokkos::View<float*, Any::memory_space> const sums("sums", 7);
  count_keys("label", Any(), from, Weights{to_view<Floats>(weights)}, sums);
  expect_same(std::vector<float>(expected.begin(), expected.end()), to_vector(sums, 0.F), "doubles into floats");
  Floats const of_integers("sums", 7);
  count_keys(Any(), from, of_integers, Weights{from});
  for (int k = 0; k < 7; ++k) {
    std::size_t const many = static_cast<std::size_t>(std::count(keys.begin(), keys.end(), k));
    EXPECT_EQ(to_vector(of_integers, 0.)[static_cast<std::size_t>(k)],
              static_cast<double>(many * static_cast<std::size_t>(k)));
  }
  using Complex = Kokkos::complex<double>;
  std::vector<Complex> both(n);
  for (std::size_t i = 0; i < n; ++i) both[i] = Complex(weights[i], -weights[i]);
  Kokkos::View<Complex*, Any::memory_space> const complex_sums("sums", 7);
  count_keys(Any(), from, complex_sums, Weights{to_view<Kokkos::View<Complex*, Any::memory_space>>(both)});
  auto const found = to_vector(complex_sums, Complex{});
  for (std::size_t k = 0; k < 7; ++k) EXPECT_EQ(found[k], Complex(expected[k], -expected[k]));
}

#ifdef __SIZEOF_INT128__
TEST(HistogramCalls, sums_may_be_wider_than_any_count) {
  __extension__ using Wide = __int128;
  using Host               = Kokkos::DefaultHostExecutionSpace;
  Kokkos::View<int*, Kokkos::HostSpace> const keys("keys", 3);
  Kokkos::View<std::int64_t*, Kokkos::HostSpace> const weights("weights", 3);
  Kokkos::View<Wide*, Kokkos::HostSpace> const sums("sums", 1);
  for (std::size_t i = 0; i < 3; ++i) weights(i) = std::int64_t{1} << 62;
  count_keys(Host(), keys, sums, Weights{weights});
  EXPECT_TRUE(sums(0) == (Wide{3} << 62));
}
#endif

#ifdef KOKKOS_ENABLE_OPENMP
/// Instances of one to four threads, as far as there are so many.
TEST(HistogramCalls, threads_change_no_bit) {
  Kokkos::OpenMP const whole;
  std::vector<Kokkos::OpenMP> execs{whole};
  if (threads_of(whole) >= 2)
    for (auto const& exec : Kokkos::Experimental::partition_space(whole, 1, 1)) execs.push_back(exec);
  if (threads_of(whole) >= 4)
    for (auto const& exec : Kokkos::Experimental::partition_space(whole, 1, 3)) execs.push_back(exec);
  std::size_t const n = 300'000;
  Kokkos::View<float*, Kokkos::HostSpace> const from("from", n), weights("weights", n);
  Random random(8);
  for (std::size_t i = 0; i < n; ++i) {
    from(i)    = static_cast<float>(random.fraction() * random.fraction());
    weights(i) = static_cast<float>(random.fraction());
  }
  for (std::size_t const bins : {std::size_t{10}, std::size_t{300}, std::size_t{100'000}}) {
    std::vector<float> first_sums;
    std::vector<int> first_counts;
    for (auto const& exec : execs) {
      Kokkos::View<float*, Kokkos::HostSpace> const sums("sums", bins);
      Kokkos::View<int*, Kokkos::HostSpace> const counts("counts", bins);
      histogram(exec, from, sums, 0, 1, Weights{weights});
      histogram(exec, from, counts, 0, 1);
      auto const of_sums   = to_vector(sums, 0.F);
      auto const of_counts = to_vector(counts, 0);
      if (first_sums.empty()) first_sums = of_sums, first_counts = of_counts;
      EXPECT_EQ(std::memcmp(of_sums.data(), first_sums.data(), bins * sizeof(float)), 0) << threads_of(exec);
      expect_same(first_counts, of_counts, std::to_string(threads_of(exec)) + " threads");
    }
  }
}

TEST(HistogramCalls, from_several_threads_and_within_a_region) {
  std::size_t const n = 100'000, bins = 50;
  Kokkos::View<int*, Kokkos::HostSpace> const keys("keys", n);
  for (std::size_t i = 0; i < n; ++i) keys(i) = static_cast<int>(i % bins);
  std::vector<Kokkos::View<int*, Kokkos::HostSpace>> counts;
  for (int k = 0; k < 4; ++k) counts.emplace_back("counts", bins);
  std::vector<int> const expected(bins, static_cast<int>(n / bins));
  std::vector<std::thread> threads;
  for (auto const& own : counts)
    threads.emplace_back([&keys, own] {
      for (int k = 0; k < 20; ++k) count_keys(Kokkos::OpenMP(), keys, own);
    });
  for (auto& thread : threads) thread.join();
  for (auto const& own : counts) expect_same(expected, to_vector(own, 0), "several threads");
  for (auto const& own : counts) Kokkos::deep_copy(own, 77);
#pragma omp parallel for
  for (int k = 0; k < 4; ++k) count_keys(Kokkos::OpenMP(), keys, counts[static_cast<std::size_t>(k)]);
  for (auto const& own : counts) expect_same(expected, to_vector(own, 0), "within a region");
}
#endif

}  // namespace
}  // namespace test
