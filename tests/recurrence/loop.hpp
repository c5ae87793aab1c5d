// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/recurrence.hpp>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "scan/problems.hpp"

// Recurrences by the plain loop that defines them, and how far from it floats may be.
namespace test {

/// Coefficients by rows of k, the latest first; starts x(-1), x(-2), ...
template <class T>
struct Recurrence {
  std::vector<T> a, b, start;

  std::size_t order() const { return start.size(); }
  std::size_t size() const { return b.size(); }
};

template <class T, class Wide>
std::vector<Wide> by_loop(Recurrence<T> const& of, bool reversed, bool absolute = false) {
  auto const wide = [&](T x) { return static_cast<Wide>(absolute && x < T(0) ? static_cast<T>(-x) : x); };
  std::vector<Wide> x, results(of.size());
  for (T const& start : of.start) x.push_back(wide(start));
  for (std::size_t k = 0; k < of.size(); ++k) {
    std::size_t const i = reversed ? of.size() - 1 - k : k;
    Wide next           = wide(of.b[i]);
    for (std::size_t j = 0; j < x.size(); ++j)
      if (of.a[i * x.size() + j] != T(0)) next = static_cast<Wide>(next + wide(of.a[i * x.size() + j]) * x[j]);
    x.insert(x.begin(), next);
    x.pop_back();
    results[i] = next;
  }
  return results;
}

/// Integers must be those of the loop. Floats may differ by some roundings of what the loop would find of absolute
/// values, and of each such error what the recurrence makes of it.
template <class T>
void expect_as_loop(Recurrence<T> const& of, std::vector<T> const& found, bool reversed, std::string const& what) {
  ASSERT_EQ(of.size(), found.size()) << what;
  if constexpr (std::is_integral_v<T>) {
    expect_same(by_loop<T, T>(of, reversed), found, what);
  } else {
    auto const expected = by_loop<T, long double>(of, reversed);
    Recurrence<T> errors(of);
    auto const most = by_loop<T, long double>(of, reversed, true);
    std::vector<long double> x(of.order(), 0);
    for (std::size_t k = 0; k < of.size(); ++k) {
      std::size_t const i = reversed ? of.size() - 1 - k : k;
      long double own     = 0;
      for (std::size_t j = 0; j < x.size(); ++j)
        own += std::abs(static_cast<long double>(of.a[i * x.size() + j])) * x[j];
      constexpr auto epsilon = static_cast<long double>(std::numeric_limits<T>::epsilon());
      x.insert(x.begin(), own + 4 * epsilon * most[i]);
      x.pop_back();
      long double const bound = x[0] + 32 * epsilon * most[i];
      ASSERT_LE(std::abs(static_cast<long double>(found[i]) - expected[i]), bound)
          << what << ": element " << i << " of " << of.size() << " is " << found[i] << " and not "
          << static_cast<double>(expected[i]);
    }
  }
}

/// Some coefficients are 0; of order 1 and 2 floats neither vanish nor grow much.
template <class T>
Recurrence<T> make_recurrence(std::size_t n, std::size_t order, std::uint64_t seed) {
  Random random(seed + 1);
  Recurrence<T> of;
  auto const value = [&](double scale) {
    if constexpr (std::is_integral_v<T>)
      return static_cast<T>(random.below(1'000'000'007));
    else
      return static_cast<T>(scale * (2 * random.fraction() - 1));
  };
  for (std::size_t k = 0; k < n * order; ++k)
    of.a.push_back(random.below(50) == 0 ? T(0) : value(order == 1 ? 1.3 : 1.2 / static_cast<double>(order)));
  for (std::size_t k = 0; k < n; ++k) of.b.push_back(value(1));
  for (std::size_t k = 0; k < order; ++k) of.start.push_back(value(1));
  return of;
}
/// The same with the coefficients of the first element everywhere.
template <class T>
Recurrence<T> with_constants(Recurrence<T> of, std::vector<T> const& a) {
  for (std::size_t k = 0; k < of.a.size(); ++k) of.a[k] = a[k % of.order()];
  return of;
}

}  // namespace test
