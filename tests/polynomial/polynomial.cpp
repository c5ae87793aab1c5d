// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <KokkosScan/polynomial.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <complex>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "support/random.hpp"
#include "support/spaces.hpp"
#include "support/time.hpp"

// Polynomials against Horner's rule: of integers, which wrap, exactly; of floats within its own bound.
namespace test {
namespace {

using namespace KokkosScan;
using Complex = Kokkos::complex<double>;

std::vector<std::size_t> sizes(std::initializer_list<std::size_t> all) { return all; }

template <class T>
T make_value(Random& random, double scale = 1) {
  if constexpr (std::is_integral_v<T>)
    return static_cast<T>(random.below(1'000'000'007));
  else if constexpr (std::is_floating_point_v<T>)
    return static_cast<T>(scale * (2 * random.fraction() - 1));
  else
    return T(scale * (2 * random.fraction() - 1), scale * (2 * random.fraction() - 1)) / std::sqrt(2.0);
}
template <class T>
std::vector<T> make_values(std::size_t n, std::uint64_t seed, double scale = 1) {
  Random random(seed);
  std::vector<T> values;
  for (std::size_t i = 0; i < n; ++i) values.push_back(make_value<T>(random, scale));
  return values;
}

std::uint32_t magnitude(std::uint32_t x) { return x; }
long double magnitude(std::complex<long double> x) { return std::abs(x); }
long double magnitude(long double x) { return std::abs(x); }
std::uint32_t wide(std::uint32_t x) { return x; }
long double wide(double x) { return x; }
std::complex<long double> wide(Complex x) { return {x.real(), x.imag()}; }

/// By Horner's rule in a wider type, and how far from it a result may be.
template <class T>
void expect_value(std::vector<T> const& coefficients, T x, T found, std::string const& what) {
  decltype(wide(x)) y{};
  long double most = 0;
  for (std::size_t i = coefficients.size(); i-- > 0;) {
    y    = y * wide(x) + wide(coefficients[i]);
    most = most * static_cast<long double>(magnitude(wide(x))) +
           static_cast<long double>(magnitude(wide(coefficients[i]))) *
               (1 + 2 * static_cast<long double>(i) * std::numeric_limits<double>::epsilon());
  }
  if constexpr (std::is_integral_v<T>) {
    EXPECT_EQ(y, found) << what;
  } else {
    // Terms that count have so many products; each is a product and a sum, of complex numbers a few of them.
    long double const gap   = 1 - std::min<long double>(1, magnitude(wide(x)));
    long double const terms = std::min<long double>(static_cast<long double>(coefficients.size()), 1 / (gap + 1e-18L));
    long double const epsilon = std::numeric_limits<double>::epsilon();
    EXPECT_LE(magnitude(wide(found) - y), 8 * (terms + 40) * epsilon * most) << what << ", found " << found;
  }
}

template <class T, class Exec>
Kokkos::View<T*, Exec> to_view(std::vector<T> const& values) {
  Kokkos::View<T*, Exec> const view("values", values.size());
  Kokkos::deep_copy(view,
                    Kokkos::View<T const*, Kokkos::HostSpace, Kokkos::MemoryUnmanaged>(values.data(), values.size()));
  return view;
}

template <class T>
class Polynomials : public testing::Test {};
using Numbers = testing::Types<std::uint32_t, double, Complex>;
TYPED_TEST_SUITE(Polynomials, Numbers);

template <class T>
std::vector<T> some_points() {
  if constexpr (std::is_integral_v<T>)
    return {0u, 1u, 3u, 123'456'789u};
  else if constexpr (std::is_floating_point_v<T>)
    return {0.0, 1.0, -1.0, 0.5, -0.999, 0.99999, 1.0001, 1e-200};
  else
    return {T(0, 0), T(0, 1), T(0.6, 0.8), T(-0.5, 0.3), T(1e-200, 0)};
}

TYPED_TEST(Polynomials, at_one_point) {
  using T    = TypeParam;
  using Exec = Kokkos::DefaultExecutionSpace;
  for (std::size_t const n : sizes({0, 1, 2, 15, 16, 17, 33, 1000, 8191, 8192, 8193, 100'003})) {
    auto const values       = make_values<T>(n, n);
    auto const coefficients = to_view<T, Exec>(values);
    Kokkos::View<T, Exec> const at("at"), result("result");
    for (T const x : some_points<T>()) {
      T y = T(77);
      evaluate_polynomial(Exec(), coefficients, x, Total{y});
      expect_value(values, x, y, "n " + std::to_string(n));
      Kokkos::deep_copy(at, x);
      evaluate_polynomial("label", Handle<Exec>(), coefficients, at, Total{result});
      T again{};
      Kokkos::deep_copy(again, result);
      EXPECT_EQ(y, again);
    }
  }
}

TYPED_TEST(Polynomials, at_many_points) {
  using T    = TypeParam;
  using Exec = Kokkos::DefaultExecutionSpace;
  for (std::size_t const n : sizes({0, 1, 17, 20'000}))
    for (std::size_t const count : sizes({0, 1, 3, 8, 9, 40, is_sanitized ? 77 : 1024, 1500})) {
      if (is_sanitized && n > 1000 && count > 1000) continue;
      auto const values       = make_values<T>(n, n);
      auto const coefficients = to_view<T, Exec>(values);
      auto const points       = make_values<T>(count, count + 1);
      auto const at           = to_view<T, Exec>(points);
      Kokkos::View<T*, Exec> const results("results", count + 1);
      Kokkos::deep_copy(results, T(7));
      auto const expect = [&](Kokkos::View<T*, Exec> const& of) {
        auto const found       = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), of);
        std::size_t const step = n > 1000 && count > 100 ? 37 : 1;
        for (std::size_t p = 0; p < count; p += step)
          expect_value(values, points[p], found(p), std::to_string(n) + " at point " + std::to_string(p));
        if (of.extent(0) > count) {
          EXPECT_EQ(T(7), found(count)) << "behind the last point";
        }
      };
      evaluate_polynomial(Exec(), coefficients, at, results);
      expect(results);
      evaluate_polynomial(Exec(), coefficients, at, at);
      expect(at);
    }
}

/// The kernel that devices have, here with a thread to a team.
TYPED_TEST(Polynomials, by_teams) {
  using T    = TypeParam;
  using Exec = Kokkos::DefaultHostExecutionSpace;
  for (std::size_t const n : sizes({1, 2, 255, 256, 257, 4096, 4097, 100'003}))
    for (std::size_t const length : {std::size_t{256}, driver::length_of_team_part(n)}) {
      auto const values       = make_values<T>(n, n);
      auto const points       = some_points<T>();
      auto const coefficients = to_view<T, Exec>(values), at = to_view<T, Exec>(points);
      std::size_t const parts = (n + length - 1) / length;
      Kokkos::View<T*, Exec> const of_parts("of_parts", parts * points.size()), results("results", points.size());
      using Points = core::ArrayOfPoints<T, core::Contiguous<T>>;
      driver::run_teams<1>(
          "label", Exec(),
          core::PolynomialParts<T, core::Contiguous<T>, Points, core::Contiguous<T>>{{coefficients.data()},
                                                                                     n,
                                                                                     {{at.data()}},
                                                                                     points.size(),
                                                                                     length,
                                                                                     parts,
                                                                                     of_parts.data(),
                                                                                     {results.data()}});
      for (std::size_t p = 0; p < points.size(); ++p) expect_value(values, points[p], results(p), std::to_string(n));
    }
}

/// What is 0 does not become NaN, however large the powers are that it would be multiplied with.
TEST(PolynomialsOf, zeros_behind_overflowing_powers) {
  using Exec = Kokkos::DefaultExecutionSpace;
  for (std::size_t const n : sizes({10, 1000, 50'000})) {
    std::vector<double> values(n, 0.0);
    values[0] = 1, values[1] = 2;
    double y = 0;
    evaluate_polynomial(Exec(), to_view<double, Exec>(values), 1e50, Total{y});
    EXPECT_EQ(1 + 2e50, y) << n;
    auto const points = to_view<double, Exec>(std::vector<double>(20, 1e50));
    Kokkos::View<double*, Exec> const results("results", 20);
    evaluate_polynomial(Exec(), to_view<double, Exec>(values), points, results);
    double last = 0;
    Kokkos::deep_copy(last, Kokkos::subview(results, 19));
    EXPECT_EQ(1 + 2e50, last) << n;
  }
}

/// Infinite as by Horner's rule, not NaN, and the same however many points there are: terms have one sign.
TEST(PolynomialsOf, what_overflows_is_infinite) {
  using Exec = Kokkos::DefaultExecutionSpace;
  std::vector<double> const ones(8000, 1.0);
  auto const coefficients = to_view<double, Exec>(ones);
  double const infinity   = std::numeric_limits<double>::infinity();
  for (double const x : {1.1, 1.3, 1.7, 3.3, infinity}) {
    double horner = 0, y = 0;
    for (std::size_t i = ones.size(); i-- > 0;) horner = i + 1 == ones.size() ? ones[i] : horner * x + ones[i];
    evaluate_polynomial(Exec(), coefficients, x, Total{y});
    EXPECT_EQ(horner, y) << x;
    for (std::size_t const count : sizes({3, 50, 2000})) {
      auto const points = to_view<double, Exec>(std::vector<double>(count, x));
      evaluate_polynomial(Exec(), coefficients, points, points);
      double last = 0;
      Kokkos::deep_copy(last, Kokkos::subview(points, count - 1));
      EXPECT_EQ(horner, last) << x << " at " << count << " points";
    }
  }
}

/// A few roundings of the sum of all terms, though the powers that matter have 100'000 factors: one rounding of the
/// power that lanes go by would cost thousands.
TEST(PolynomialsOf, many_factors_cost_few_roundings) {
  using Exec        = Kokkos::DefaultExecutionSpace;
  auto const values = make_values<double>(400'000, 8, 0.5);
  double const x    = 1 - 1e-5;
  double y          = 0;
  evaluate_polynomial(Exec(), to_view<double, Exec>(values), x, Total{y});
  long double exact = 0, most = 0;
  for (std::size_t i = values.size(); i-- > 0;) {
    exact = exact * x + values[i];
    most  = most * x + std::abs(values[i]);
  }
  EXPECT_LE(std::abs(y - exact), 4 * std::numeric_limits<double>::epsilon() * most);

  // All of one sign, so that errors do not cancel.
  evaluate_polynomial(Exec(), to_view<double, Exec>(std::vector<double>(400'000, 0.3)), x, Total{y});
  exact = 0;
  for (std::size_t i = 0; i < 400'000; ++i) exact = exact * x + 0.3;
  EXPECT_LE(std::abs(y - exact), 64 * std::numeric_limits<double>::epsilon() * exact);
}

TEST(PolynomialsOf, narrow_coefficients_and_strided_ones) {
  using Exec          = Kokkos::DefaultExecutionSpace;
  std::size_t const n = 30'001;
  auto const values   = make_values<float>(n, 3);
  Kokkos::View<float**, Kokkos::LayoutRight, Exec> const table("table", n, 2);
  auto const on_host = Kokkos::create_mirror_view(table);
  for (std::size_t i = 0; i < n; ++i) on_host(i, 0) = 100, on_host(i, 1) = values[i];
  Kokkos::deep_copy(table, on_host);
  double y = 0;
  evaluate_polynomial(Exec(), Kokkos::subview(table, Kokkos::ALL, 1), 0.9F, Total{y});
  expect_value(std::vector<double>(values.begin(), values.end()), static_cast<double>(0.9F), y, "strided");
}

#ifdef KOKKOS_ENABLE_OPENMP
TEST(PolynomialsOf, the_same_bits_by_any_number_of_threads) {
  auto const coefficients = to_view<double, Kokkos::OpenMP>(make_values<double>(100'003, 5));
  auto const points       = to_view<double, Kokkos::OpenMP>(make_values<double>(300, 6));
  Kokkos::View<double*, Kokkos::OpenMP> const by_all("by_all", 300), by_one("by_one", 300);
  double first = 0, second = 0;
  evaluate_polynomial(Kokkos::OpenMP(), coefficients, 0.9999, Total{first});
  evaluate_polynomial(Kokkos::OpenMP(1), coefficients, 0.9999, Total{second});
  EXPECT_EQ(first, second);
  evaluate_polynomial(Kokkos::OpenMP(), coefficients, points, by_all);
  evaluate_polynomial(Kokkos::OpenMP(1), coefficients, points, by_one);
  for (std::size_t p = 0; p < 300; ++p) EXPECT_EQ(by_all(p), by_one(p)) << p;
}
#endif

TEST(PolynomialsOf, wrong_calls_name_what_is_wrong) {
  using Exec = Kokkos::DefaultExecutionSpace;
  Kokkos::View<double*, Exec> const coefficients("coefficients", 5), points("points", 6), results("results", 4);
  auto const message = [](auto const& call) -> std::string {
    try {
      call();
    } catch (std::invalid_argument const& error) {
      return error.what();
    }
    return "nothing thrown";
  };
  std::string const few = message([&] { evaluate_polynomial(Exec(), coefficients, points, results); });
  EXPECT_NE(few.find("result"), std::string::npos) << few;
  EXPECT_NE(few.find('6'), std::string::npos) << few;
  EXPECT_NE(few.find('4'), std::string::npos) << few;
  std::string const same = message([&] { evaluate_polynomial(Exec(), coefficients, results, coefficients); });
  EXPECT_NE(same.find("coefficients"), std::string::npos) << same;
}

}  // namespace
}  // namespace test
