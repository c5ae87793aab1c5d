// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <initializer_list>
#include <limits>

#include "loop.hpp"

// Zeros, infinities, growth, other Views and types, every choice of a host, and wrong calls.
namespace test {
namespace {

using namespace KokkosScan;
using Exec    = Kokkos::DefaultHostExecutionSpace;
using Doubles = Kokkos::View<double*, Exec>;

using OnHost = Setup<Exec, driver::Backend<Exec>, double>;

constexpr double infinity = std::numeric_limits<double>::infinity();

std::vector<double> results_of(std::vector<double> const& a, std::vector<double> const& b, double start,
                               auto const&... rest) {
  Doubles const dest("dest", a.size());
  linear_recurrence(Exec(), to_view<Doubles>(a), to_view<Doubles>(b), dest, start, rest...);
  return to_vector(dest, 0.0);
}

/// Sizes of a few chains, of a block, of a tile and of several.
std::vector<std::size_t> sizes() { return {1, 2, 5, 100, 500, 5000, 100'003}; }

TEST(RecurrencesOf, a_zero_cuts_whatever_came_before) {
  for (std::size_t const n : sizes())
    for (double const past : {infinity, -infinity, std::numeric_limits<double>::quiet_NaN()})
      for (std::size_t const zero : {std::size_t{0}, n / 3, n / 2, n - 1}) {
        std::vector<double> a(n, 0.5), b(n, 1.0);
        a[zero] = 0;
        if (zero > 0) b[zero / 2] = past;
        auto const found = results_of(a, b, zero > 0 ? 1.0 : past);
        EXPECT_EQ(1.0, found[zero]) << n << ", zero at " << zero;
        double x = 0;
        for (std::size_t i = zero; i < n; ++i) {
          x = a[i] == 0 ? b[i] : a[i] * x + b[i];
          ASSERT_NEAR(x, found[i], 1e-14) << n << ", zero at " << zero << ", element " << i;
        }
      }
}

/// In each of the places of a tile, and in place, where what is done again must find what it reads.
TEST(RecurrencesOf, infinities_do_not_become_NaN) {
  for (std::size_t const n : sizes()) {
    std::vector<double> a(n, 1.0), b(n, 1.0);
    b[n / 2]               = infinity;
    auto const found       = results_of(a, b, 3);
    Doubles const in_place = to_view<Doubles>(b);
    linear_recurrence(Exec(), to_view<Doubles>(a), in_place, in_place, 3);
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(i < n / 2 ? static_cast<double>(4 + i) : infinity, found[i]) << n << ", element " << i;
      ASSERT_EQ(found[i], in_place(i)) << n << ", element " << i;
    }
  }
}

/// Products of coefficients overflow where the loop stays at 0.
TEST(RecurrencesOf, products_that_overflow_do_no_harm_to_zeros) {
  for (std::size_t const n : sizes())
    for (double const x : results_of(std::vector<double>(n, 2.0), std::vector<double>(n, 0.0), 0)) ASSERT_EQ(0.0, x);
}

/// Of 2 x - 1 and a start of 1 the loop has 1: blocks of one element are the loop, and a few more lose a few digits.
TEST(RecurrencesOf, growth_is_held_by_blocks_that_restart) {
  for (std::size_t const n : sizes()) {
    std::vector<double> const a(n, 2.0), b(n, -1.0);
    for (double const x : results_of(a, b, 1, RestartEvery{1})) ASSERT_EQ(1.0, x);
    for (double const x : results_of(a, b, 1, RestartEvery{20})) ASSERT_EQ(1.0, x);
  }
  // What alternates between growing and shrinking is good in blocks where products are finite.
  std::size_t const n = 30'000;
  Recurrence<double> of{{}, std::vector<double>(n, 1.0), {1.0}};
  for (std::size_t i = 0; i < n; ++i) of.a.push_back(i % 3000 < 900 ? 1.9 : 0.5);
  expect_as_loop(of, results_of(of.a, of.b, 1, RestartEvery{100}), false, "in blocks");
}

/// Products that vanish, and numbers that would be denormal.
TEST(RecurrencesOf, products_that_underflow) {
  for (double const factor : {0.9, 1e-3, 1e-300}) {
    std::size_t const n = 20'000;
    Recurrence<double> const of{std::vector<double>(n, factor), std::vector<double>(n, 1.0), {1e300}};
    expect_as_loop(of, results_of(of.a, of.b, 1e300), false, std::to_string(factor));
  }
}

TEST(RecurrencesOf, floats_in_doubles_and_complex_numbers) {
  std::size_t const n = 50'001;
  auto const exact    = make_recurrence<double>(n, 1, 1);
  Kokkos::View<float*, Exec> const a("a", n), b("b", n), dest("dest", n);
  double x = 0.25;
  std::vector<float> expected;
  for (std::size_t i = 0; i < n; ++i) {
    a(i) = static_cast<float>(exact.a[i]), b(i) = static_cast<float>(exact.b[i]);
    expected.push_back(static_cast<float>(x = static_cast<double>(a(i)) * x + static_cast<double>(b(i))));
  }
  linear_recurrence(Exec(), a, b, dest, 0.25, As<double>{});
  for (std::size_t i = 0; i < n; ++i) ASSERT_NEAR(expected[i], dest(i), 2e-7 * (1 + std::abs(expected[i]))) << i;

  using Complex = Kokkos::complex<double>;
  Kokkos::View<Complex*, Exec> const terms("terms", n), turned("turned", n);
  for (std::size_t i = 0; i < n; ++i) terms(i) = Complex(exact.b[i], 1 - exact.b[i]);
  Complex const turn(0.6, 0.79);
  linear_recurrence(Exec(), turn, terms, turned, Complex(1, 1));
  Complex y(1, 1);
  for (std::size_t i = 0; i < n; ++i) {
    y = turn * y + terms(i);
    ASSERT_LT(Kokkos::abs(y - turned(i)), 1e-11) << i;
  }
}

TEST(RecurrencesOf, strided_and_unaligned_Views) {
  std::size_t const n = 20'011;
  auto const of       = make_recurrence<double>(n, 1, 9);
  Kokkos::View<double**, Kokkos::LayoutRight, Exec> const table("table", n, 3);
  for (std::size_t i = 0; i < n; ++i) table(i, 0) = 9, table(i, 1) = of.b[i];
  Doubles const a("a", n + 1);
  auto const from_1 = Kokkos::subview(a, std::pair<std::size_t, std::size_t>(1, n + 1));
  for (std::size_t i = 0; i < n; ++i) from_1(i) = of.a[i];
  for (bool const in_place : {false, true}) {
    auto const b = Kokkos::subview(table, Kokkos::ALL, 1), dest = Kokkos::subview(table, Kokkos::ALL, in_place ? 1 : 2);
    linear_recurrence(Exec(), from_1, b, dest, of.start[0], Reversed{});
    std::vector<double> found;
    for (std::size_t i = 0; i < n; ++i) found.push_back(dest(i));
    expect_as_loop(of, found, true, in_place ? "in place" : "strided");
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(9, table(i, 0));
  }
}

/// All grid algorithms and networks of a host make the same of a recurrence but for roundings; and one is the same by
/// any number of threads.
TEST(RecurrencesOf, every_choice) {
  auto const of = make_recurrence<double>(30'000, 1, 4);
  auto const a = to_view<Doubles>(of.a), b = to_view<Doubles>(of.b);
  Doubles const dest("dest", of.size());
  try_choices<OnHost>([&](auto const& handle, std::size_t, std::string const& what) {
    Kokkos::deep_copy(dest, 0.0);
    linear_recurrence(handle, a, b, dest, of.start[0]);
    expect_as_loop(of, to_vector(dest, 0.0), false, what);
  });
}
#ifdef KOKKOS_ENABLE_OPENMP
TEST(RecurrencesOf, the_same_bits_by_any_number_of_threads) {
  for (std::size_t const n : {std::size_t{20'000}, std::size_t{1'500'000}}) {
    auto const of = make_recurrence<double>(n, 1, n);
    Kokkos::View<double*, Kokkos::OpenMP> const by_all("by_all", n), by_one("by_one", n);
    auto const a = to_view<Kokkos::View<double*, Kokkos::OpenMP>>(of.a),
               b = to_view<Kokkos::View<double*, Kokkos::OpenMP>>(of.b);
    linear_recurrence(Kokkos::OpenMP(), a, b, by_all, of.start[0]);
    linear_recurrence(Kokkos::OpenMP(1), a, b, by_one, of.start[0]);
    for (std::size_t i = 0; i < n; ++i) ASSERT_EQ(by_all(i), by_one(i)) << i << " of " << n;
  }
}
#endif

template <class Layout>
void expect_smoothed() {
  Kokkos::View<float***, Layout, Exec> const from("from", 5, 300, 7), dest("dest", 5, 300, 7);
  Random random(5);
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t j = 0; j < 300; ++j)
      for (std::size_t k = 0; k < 7; ++k) from(i, j, k) = static_cast<float>(random.fraction());
  exponential_smoothing(Exec(), 0.25F, from, dest, 0.5F, Axis{1}, As<double>{});
  for (std::size_t i = 0; i < 5; ++i)
    for (std::size_t k = 0; k < 7; ++k) {
      double y = 0.5;
      for (std::size_t j = 0; j < 300; ++j) {
        y = 0.25 * static_cast<double>(from(i, j, k)) + 0.75 * y;
        ASSERT_NEAR(y, dest(i, j, k), 1e-6);
      }
    }
  exponential_smoothing("label", Exec(), 0.25F, dest, dest, 0.5F, Axis{1}.reversed());
  for (std::size_t j = 0; j < 300; ++j) ASSERT_TRUE(dest(2, j, 3) > 0 && dest(2, j, 3) < 1);
}
TEST(RecurrencesOf, exponential_smoothing_along_an_axis) {
  expect_smoothed<Kokkos::LayoutRight>();
  expect_smoothed<Kokkos::LayoutLeft>();
}

/// Long lines are scanned one after the other, and filters of order 2 have their two values each.
TEST(RecurrencesOf, order_2_along_an_axis) {
  std::size_t const n = 40'000;
  Kokkos::View<std::uint64_t**, Kokkos::LayoutRight, Exec> const ones("ones", 2, n), dest("dest", 2, n);
  Kokkos::deep_copy(ones, 1);
  using Pair = Kokkos::Array<std::uint64_t, 2>;
  linear_recurrence(Exec(), Pair{1, 1}, ones, dest, Pair{1, 0}, Axis{1});
  for (std::size_t line = 0; line < 2; ++line) {
    std::uint64_t x = 1, earlier = 0;
    for (std::size_t i = 0; i < n; ++i) {
      std::uint64_t const next = x + earlier + 1;
      earlier = x, x = next;
      ASSERT_EQ(x, dest(line, i)) << line << ", " << i;
    }
  }
}

TEST(RecurrencesOf, wrong_calls_name_what_is_wrong) {
  Doubles const a("a", 5), b("b", 6), dest("dest", 6), few("few", 3);
  Kokkos::View<double* [2], Exec> const rows("rows", 6);
  auto const expect = [](std::string const& message, std::initializer_list<char const*> words) {
    for (char const* word : words) EXPECT_NE(message.find(word), std::string::npos) << message;
  };
  expect(message_of([&] { linear_recurrence(Exec(), a, b, dest, 0.0); }), {"a", "5", "6"});
  expect(message_of([&] { linear_recurrence(Exec(), 0.5, b, few, 0.0); }), {"dest", "3", "6"});
  expect(message_of([&] { linear_recurrence(Exec(), 0.5, b, dest, 0.0, RestartEvery{0}); }), {"RestartEvery{0}"});
  expect(message_of([&] { linear_recurrence(Exec(), rows, b, dest, Kokkos::subview(few, std::pair(0, 1))); }),
         {"start", "1", "2"});
  expect(message_of([&] {
           linear_recurrence(Exec(), 0.5, Kokkos::subview(b, std::pair(0, 5)), Kokkos::subview(b, std::pair(1, 6)),
                             0.0);
         }),
         {"b", "dest", "overlap"});
  expect(message_of([&] {
           linear_recurrence(Exec(), rows, b, Kokkos::subview(rows, Kokkos::ALL, 1), Kokkos::Array<double, 2>{});
         }),
         {"a", "dest", "overlap"});
  Kokkos::View<double**, Exec> const table("table", 3, 4);
  expect(message_of([&] { linear_recurrence(Exec(), 0.5, table, table, 0.0, Axis{2}); }), {"2"});
}

}  // namespace
}  // namespace test
