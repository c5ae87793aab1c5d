// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <map>
#include <numeric>
#include <type_traits>

#include "scan/problems.hpp"

// Histograms beside loops: values of every kind, even bins, edges and keys, few bins and many, weights, Views of any
// layout.
namespace test {
namespace {

using KokkosScan::Weights;

/// -1: in none. Of the documented expressions; of integers in 128 bits.
template <class Value>
std::int64_t even_bin(Value value, std::size_t bins, double lower, double upper) {
  if constexpr (std::is_integral_v<Value>) {
    __extension__ using Wide = __int128;
    Wide const low = static_cast<Wide>(lower), d = static_cast<Wide>(value) - low,
               width = static_cast<Wide>(upper) - low;
    return d < 0 || d >= width ? -1 : static_cast<std::int64_t>(d * static_cast<Wide>(bins) / width);
  } else {
    double const x = static_cast<double>(value);
    if (!(x >= lower && x < upper)) return -1;
    double const scale = static_cast<double>(bins) / (upper - lower), difference = x - lower;
    return std::min(static_cast<std::int64_t>(difference * scale), static_cast<std::int64_t>(bins) - 1);
  }
}
template <class Value>
std::int64_t edge_bin(Value value, std::vector<Value> const& edges) {
  for (std::size_t k = 0; k + 1 < edges.size(); ++k)
    if (value >= edges[k] && value < edges[k + 1]) return static_cast<std::int64_t>(k);
  return -1;
}

template <class Setup>
class Histograms : public testing::Test {
 protected:
  using Exec   = typename Setup::Exec;
  using Space  = typename Exec::memory_space;
  using Value  = typename Setup::Value;
  using Values = Kokkos::View<Value*, Space>;
  using Where  = Handle<Exec, typename Setup::Backend>;
  template <class T>
  using Array = Kokkos::View<T*, Space>;

  Where const where{};

  static constexpr std::size_t most = takes_short_inputs ? 12'003 : 70'003;
  static std::vector<std::size_t> lengths() { return {0, 1, 2, 17, 300, 3'000, most}; }

  /// Uniform, all alike, or mostly a few of them; from -20 to 107, as far as the type has that.
  static std::vector<Value> make_values(std::size_t n, int kind) {
    Random random(n + static_cast<std::size_t>(kind));
    std::vector<Value> values(n);
    for (Value& value : values) {
      double const all = 128 * random.fraction() - 20, few = random.one_in(5) ? all : 30.25;
      double const x = kind == 0 ? all : kind == 1 ? 41.5 : few;
      value          = static_cast<Value>(std::is_unsigned_v<Value> ? std::abs(x) : x);
    }
    return values;
  }

  template <class Count, class Bin>
  static std::vector<Count> count(std::vector<Value> const& values, std::size_t bins, Bin const& bin,
                                  std::vector<Count> const& weights = {}) {
    std::vector<Count> counts(bins);
    for (std::size_t i = 0; i < values.size(); ++i)
      if (std::int64_t const k = bin(values[i]); k >= 0) {
        auto& of = counts[static_cast<std::size_t>(k)];
        of       = static_cast<Count>(of + (weights.empty() ? Count{1} : weights[i]));
      }
    return counts;
  }
  template <class Count>
  static Array<Count> some_counts(std::size_t bins) {
    Array<Count> const counts("counts", bins);
    Kokkos::deep_copy(counts, Count{77});
    return counts;
  }
  template <class Count>
  void expect_counts_of(std::size_t n) const {
    auto const values = make_values(n, 2);
    auto const counts = some_counts<Count>(12);
    KokkosScan::histogram(where, to_view<Values>(values), counts, 0, 96);
    expect_same(count<Count>(values, 12, [&](Value x) { return even_bin(x, 12, 0, 96); }), to_vector(counts, Count{}),
                "counts of " + std::to_string(sizeof(Count)) + " bytes");
  }
};
using AllSetups = PlainSetups<Spaces, float, std::int8_t, std::uint8_t, std::uint16_t, int, std::int64_t, std::uint64_t,
                              double>::Types;
TYPED_TEST_SUITE(Histograms, AllSetups);

TYPED_TEST(Histograms, of_even_bins) {
  using Value = typename TestFixture::Value;
  for (std::size_t const n : this->lengths())
    for (int const kind : {0, 1, 2})
      for (std::size_t const bins : {1U, 7U, 64U, 100U, 5000U}) {
        auto const values = this->make_values(n, kind);
        auto const from   = to_view<typename TestFixture::Values>(values);
        auto const counts = this->template some_counts<int>(bins);
        KokkosScan::histogram(this->where, from, counts, 3, 97);
        expect_same(this->template count<int>(values, bins, [&](Value x) { return even_bin(x, bins, 3, 97); }),
                    to_vector(counts, 0), std::to_string(n) + " values, " + std::to_string(bins) + " bins");
        if (this->HasFailure()) return;
      }
}

TYPED_TEST(Histograms, between_edges) {
  using Value  = typename TestFixture::Value;
  using Values = typename TestFixture::Values;
  std::vector<Value> const edges{Value{1}, Value{2}, Value{2}, Value{30}, Value{41}, Value{90}};  // one bin is empty
  for (std::size_t const n : this->lengths())
    for (int const kind : {0, 1, 2}) {
      auto const values = this->make_values(n, kind);
      auto const counts = this->template some_counts<std::uint64_t>(edges.size() - 1);
      KokkosScan::histogram("label", this->where, to_view<Values>(values), to_view<Values>(edges), counts);
      expect_same(this->template count<std::uint64_t>(values, 5, [&](Value x) { return edge_bin(x, edges); }),
                  to_vector(counts, std::uint64_t{}), std::to_string(n) + " values");
      if (this->HasFailure()) return;
    }
}

/// Narrow ones wrap.
TYPED_TEST(Histograms, into_counts_of_any_size) {
  for (std::size_t const n : {std::size_t{5}, this->most}) {
    this->template expect_counts_of<std::int8_t>(n);
    this->template expect_counts_of<std::uint16_t>(n);
    this->template expect_counts_of<std::int64_t>(n);
    this->template expect_counts_of<unsigned long long>(n);
  }
}

/// In the order of their elements, as a reduction of segments adds them up.
TYPED_TEST(Histograms, of_weights) {
  using Value                = typename TestFixture::Value;
  using Values               = typename TestFixture::Values;
  constexpr std::size_t bins = 40;
  auto const bin             = [](Value x) { return even_bin(x, bins, 3, 97); };
  for (std::size_t const n : this->lengths()) {
    auto const values = this->make_values(n, 2);
    Random random(n);
    std::vector<std::int16_t> whole(n);
    std::vector<double> floats(n);
    for (std::size_t i = 0; i < n; ++i) {
      whole[i]  = static_cast<std::int16_t>(random());
      floats[i] = random.fraction() * std::exp2(random.between(-20, 20));
    }
    std::string const what = std::to_string(n) + " values";
    auto const from        = to_view<Values>(values);
    auto const sums        = this->template some_counts<int>(bins);
    KokkosScan::histogram(this->where, from, sums, 3, 97,
                          Weights{to_view<typename TestFixture::template Array<std::int16_t>>(whole)});
    expect_same(this->template count<int>(values, bins, bin, std::vector<int>(whole.begin(), whole.end())),
                to_vector(sums, 0), what + ", weights that are integers");

    std::vector<int> rows{0};
    std::vector<double> sorted;
    for (std::size_t k = 0; k < bins; ++k) {
      for (std::size_t i = 0; i < n; ++i)
        if (bin(values[i]) == static_cast<std::int64_t>(k)) sorted.push_back(floats[i]);
      rows.push_back(static_cast<int>(sorted.size()));
    }
    using Floats            = typename TestFixture::template Array<double>;
    Floats const expected   = this->template some_counts<double>(bins);
    Floats const float_sums = this->template some_counts<double>(bins);
    KokkosScan::segmented_reduce(this->where, to_view<Floats>(sorted),
                                 to_view<typename TestFixture::template Array<int>>(rows), expected);
    KokkosScan::histogram(this->where, from, Weights{to_view<Floats>(floats)}, float_sums, 3, 97);
    auto const a = to_vector(expected, 0.), b = to_vector(float_sums, 0.);
    EXPECT_EQ(std::memcmp(a.data(), b.data(), bins * sizeof(double)), 0) << what << ", weights that are floats";
    if (this->HasFailure()) return;
  }
}

TYPED_TEST(Histograms, views_that_do_not_lie_side_by_side) {
  using Value   = typename TestFixture::Value;
  using Space   = typename TestFixture::Space;
  using Columns = Kokkos::View<Value* [3], Kokkos::LayoutRight, Space>;
  using Counts  = Kokkos::View<int* [2], Kokkos::LayoutRight, Space>;
  using Doubles = Kokkos::View<double* [2], Kokkos::LayoutRight, Space>;
  for (std::size_t const n : {std::size_t{100}, this->most}) {
    auto const values = this->make_values(n, 0);
    Columns const columns("columns", n);
    Counts const counts("counts", 20), by_edges("counts", 20);
    Doubles const edges("edges", 21);
    auto const from = Kokkos::subview(columns, Kokkos::ALL, 1);
    auto const own  = Kokkos::subview(edges, Kokkos::ALL, 1);
    std::vector<double> numbers(21);
    for (std::size_t k = 0; k < 21; ++k) numbers[k] = 5. * static_cast<double>(k);
    Kokkos::deep_copy(from, to_view<typename TestFixture::Values>(values));
    Kokkos::deep_copy(own, to_view<Kokkos::View<double*, Space>>(numbers));
    Kokkos::deep_copy(counts, 77);
    KokkosScan::histogram(this->where, from, Kokkos::subview(counts, Kokkos::ALL, 1), 0, 100);
    KokkosScan::histogram(this->where, from, own, Kokkos::subview(by_edges, Kokkos::ALL, 1));
    auto const expected = this->template count<int>(values, 20, [&](Value x) { return even_bin(x, 20, 0, 100); });
    auto const found    = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), counts);
    auto const alike    = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), by_edges);
    for (std::size_t k = 0; k < 20; ++k) {
      ASSERT_EQ(found(k, 1), expected[k]) << k;
      ASSERT_EQ(found(k, 0), 77) << k;
      ASSERT_EQ(alike(k, 1), expected[k]) << k << ", between edges";
    }
  }
}

template <class Setup>
class Keys : public Histograms<Setup> {};
using KeySetups = PlainSetups<Spaces, int, std::int8_t, std::uint8_t, std::int16_t, std::uint32_t, std::int64_t,
                              std::uint64_t>::Types;
TYPED_TEST_SUITE(Keys, KeySetups);

TYPED_TEST(Keys, below_the_number_of_counts) {
  using Key  = typename TestFixture::Value;
  using View = typename TestFixture::Values;
  for (std::size_t const n : this->lengths())
    for (int const kind : {0, 1, 2})
      for (std::size_t const bins : {1U, 90U, 300U, 200'000U}) {
        auto const keys = this->make_values(n + 1, kind);
        auto const in   = [&](Key k) {
          return k < Key{0} || static_cast<std::uint64_t>(k) >= bins ? -1 : static_cast<std::int64_t>(k);
        };
        auto const counts = this->template some_counts<unsigned>(bins);
        auto const all    = to_view<View>(keys);
        auto const from   = Kokkos::subview(all, std::pair<std::size_t, std::size_t>(1, n + 1));
        KokkosScan::count_keys(this->where, from, counts);
        expect_same(this->template count<unsigned>({keys.begin() + 1, keys.end()}, bins, in), to_vector(counts, 0U),
                    std::to_string(n) + " keys, " + std::to_string(bins) + " counts");
        if (this->HasFailure()) return;
      }
}

TYPED_TEST(Keys, at_the_ends_of_their_type) {
  using Key      = typename TestFixture::Value;
  using Limits   = std::numeric_limits<Key>;
  auto const all = to_view<typename TestFixture::Values>(
      std::vector<Key>{Limits::min(), Limits::max(), Key{0}, Key{1}, static_cast<Key>(Limits::max() - 1)});
  auto const counts = this->template some_counts<int>(2);
  KokkosScan::count_keys(this->where, all, counts);
  expect_same(std::vector<int>{std::is_signed_v<Key> ? 1 : 2, 1}, to_vector(counts, 0), "ends");
  KokkosScan::histogram(this->where, all, counts, Limits::min(), Limits::max());
  expect_same(std::is_signed_v<Key> ? std::vector<int>{1, 3} : std::vector<int>{3, 1}, to_vector(counts, 0),
              "all but the last one");
}

/// What is no number, infinities, zeros of either sign, bounds and what is next to them.
template <class Setup>
class HistogramsOfFloats : public Histograms<Setup> {};
using FloatSetups = PlainSetups<Spaces, float, double>::Types;
TYPED_TEST_SUITE(HistogramsOfFloats, FloatSetups);

TYPED_TEST(HistogramsOfFloats, special_values) {
  using Value      = typename TestFixture::Value;
  using Values     = typename TestFixture::Values;
  using Limits     = std::numeric_limits<Value>;
  Value const none = Limits::quiet_NaN(), infinity = Limits::infinity();
  auto const from   = to_view<Values>(std::vector<Value>{none, -none, infinity, -infinity, Value{0}, -Value{0},
                                                         Limits::denorm_min(), -Limits::denorm_min(), Value{3},
                                                         std::nextafter(Value{3}, Value{0}), Limits::max(),
                                                         Limits::lowest(), Value{1}, std::nextafter(Value{1}, Value{0})});
  auto const counts = this->template some_counts<int>(3);
  std::vector<int> const expected{4, 1, 1};
  KokkosScan::histogram(this->where, from, counts, 0, 3);
  expect_same(expected, to_vector(counts, 0), "even bins");
  KokkosScan::histogram(this->where, from, to_view<Values>(std::vector<Value>{-Value{0}, 1, 2, 3}), counts);
  expect_same(expected, to_vector(counts, 0), "edges");
  KokkosScan::histogram(this->where, from, to_view<Values>(std::vector<Value>{-infinity, 0, 1, infinity}), counts);
  expect_same({3, 4, 4}, to_vector(counts, 0), "edges that are infinite");
}

}  // namespace
}  // namespace test
