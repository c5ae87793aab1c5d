// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <lapacke.h>
#include <KokkosScan/tridiagonal_solve.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "support/random.hpp"
#include "views.hpp"

// Tridiagonal systems beside LAPACK's dgtsv and sgtsv, which pivot.
namespace test::oracles {
namespace {

template <class T>
struct System {
  std::vector<T> lower, diagonal, upper, right;
  std::size_t size() const { return diagonal.size(); }
};

enum class Kind { dominant, barely, differences, graded };
constexpr Kind kinds[] = {Kind::dominant, Kind::barely, Kind::differences, Kind::graded};
char const* name_of(Kind kind) {
  char const* const names[] = {"dominant", "barely dominant", "second differences", "graded"};
  return names[static_cast<int>(kind)];
}

/// Dominant by a tenth; by nothing but in the first row; -1, 2, -1; or dominant, with rows of very different size.
template <class T>
System<T> make(Kind kind, std::size_t n) {
  Random random(n + 5);
  auto const number = [&] { return static_cast<T>(2 * random.fraction() - 1); };
  System<T> s{std::vector<T>(n), std::vector<T>(n), std::vector<T>(n), std::vector<T>(n)};
  for (std::size_t i = 0; i < n; ++i) {
    s.lower[i]     = i > 0 ? number() : T{0};
    s.upper[i]     = i + 1 < n ? number() : T{0};
    s.right[i]     = number();
    T const others = std::abs(s.lower[i]) + std::abs(s.upper[i]), more = kind == Kind::barely && i > 0 ? T{0} : T(0.1);
    s.diagonal[i] = (others + more) * (random.one_in(2) ? T{1} : T{-1});
    if (kind == Kind::differences) s.lower[i] = s.upper[i] = T{-1}, s.diagonal[i] = T{2};
    if (kind != Kind::graded) continue;
    int const most = std::is_same_v<T, double> ? 300 : 40;
    int const step = static_cast<int>(random.between(-most, most));
    for (T* const value : {&s.lower[i], &s.diagonal[i], &s.upper[i], &s.right[i]}) *value = std::ldexp(*value, step);
  }
  return s;
}

/// The largest residual of a row over what its terms may be, in units of the last place.
template <class T>
double residual(System<T> const& s, std::vector<T> const& x) {
  std::size_t const n = s.size();
  long double most = 0, largest = 0;
  for (T const value : x) largest = std::max<long double>(largest, std::abs(value));
  for (std::size_t i = 0; i < n; ++i) {
    long double left = s.right[i], size = std::abs(left), row = 0;
    auto const subtract = [&](T coefficient, T value) {
      left -= static_cast<long double>(coefficient) * value;
      row += std::abs(static_cast<long double>(coefficient));
    };
    if (i > 0) subtract(s.lower[i], x[i - 1]);
    subtract(s.diagonal[i], x[i]);
    if (i + 1 < n) subtract(s.upper[i], x[i + 1]);
    size += row * largest;
    if (!(std::abs(left) <= std::numeric_limits<long double>::max())) return std::numeric_limits<double>::infinity();
    if (size > 0) most = std::max(most, std::abs(left) / size);
  }
  return static_cast<double>(most / std::numeric_limits<T>::epsilon());
}

/// Returns what LAPACK says: 0, or the row of which the pivot is zero.
template <class T>
int solve_by_lapack(System<T> s, std::vector<T>& x) {
  x             = s.right;
  auto const n  = static_cast<lapack_int>(s.size());
  auto const of = [&](auto solver) {
    // Its lower diagonal begins with that of the second row.
    return solver(LAPACK_COL_MAJOR, n, 1, s.lower.data() + 1, s.diagonal.data(), s.upper.data(), x.data(), n);
  };
  if constexpr (std::is_same_v<T, double>)
    return of(LAPACKE_dgtsv);
  else
    return of(LAPACKE_sgtsv);
}

template <class Backend>
struct Tridiagonal : testing::Test {
  Where<Backend> const where{};

  template <class T>
  std::vector<T> solve(System<T> const& s) const {
    View<T> const x("x", s.size());
    KokkosScan::tridiagonal_solve(where, to_view(s.lower), to_view(s.diagonal), to_view(s.upper), to_view(s.right), x);
    return to_vector(x);
  }

  /// Both are about half a unit; a few times that is let pass.
  template <class T>
  void expect_residuals() const {
    for (Kind const kind : kinds)
      for (std::size_t const n :
           std::vector<std::size_t>{0, 1, 2, 3, 7, 8, 9, 64, 65, 1000, 1025, 4096, 10'007, std::size_t{1} << 17}) {
        auto const s = make<T>(kind, n);
        std::vector<T> theirs;
        if (n > 0) {
          ASSERT_EQ(0, solve_by_lapack(s, theirs));
        }
        double const ours = residual(s, solve(s)), allowed = 4 * std::max(0.5, residual(s, theirs));
        EXPECT_LE(ours, allowed) << name_of(kind) << ", " << n << " rows of " << sizeof(T) << " bytes";
      }
  }
};
TYPED_TEST_SUITE(Tridiagonal, Backends, );

TYPED_TEST(Tridiagonal, residuals_of_doubles) { this->template expect_residuals<double>(); }
TYPED_TEST(Tridiagonal, residuals_of_floats) { this->template expect_residuals<float>(); }

/// The inverses of these have norms of 10 or less, so that unknowns agree, too.
TYPED_TEST(Tridiagonal, unknowns) {
  for (std::size_t const n : std::vector<std::size_t>{1, 2, 100, 1025, 20'000}) {
    auto const s = make<double>(Kind::dominant, n);
    std::vector<double> theirs;
    ASSERT_EQ(0, solve_by_lapack(s, theirs));
    auto const ours = this->solve(s);
    double largest = 0, apart = 0;
    for (std::size_t i = 0; i < n; ++i) {
      largest = std::max(largest, std::abs(theirs[i]));
      apart   = std::max(apart, std::abs(theirs[i] - ours[i]));
    }
    EXPECT_LE(apart, 300 * std::numeric_limits<double>::epsilon() * largest) << n;
  }
}

/// LAPACK names the row; here nothing is said, and other lines are as they would be without it.
TYPED_TEST(Tridiagonal, singular) {
  using Lines = Kokkos::View<double**, Kokkos::LayoutRight, Exec>;
  for (std::size_t const n : std::vector<std::size_t>{1, 2, 65, 1025}) {
    auto const right = make<double>(Kind::dominant, n);
    auto wrong       = right;
    for (auto* const part : {&wrong.lower, &wrong.diagonal, &wrong.upper}) (*part)[n / 2] = 0;
    if (n / 2 > 0) wrong.upper[n / 2 - 1] = 0;      // a column
    if (n / 2 + 1 < n) wrong.lower[n / 2 + 1] = 0;  // of zeros, too
    std::vector<double> any;
    EXPECT_EQ(static_cast<int>(n / 2) + 1, solve_by_lapack(wrong, any)) << n;

    // Three lines, of which the middle one is either.
    auto const solved = [&](System<double> const& middle) {
      auto const lines = [&](auto const part) {
        Lines const view("lines", 3, n);
        for (std::size_t line = 0; line < 3; ++line) {
          auto const& values = (line == 1 ? middle : right).*part;
          Kokkos::deep_copy(Kokkos::subview(view, line, Kokkos::ALL),
                            Kokkos::View<double const*, Kokkos::HostSpace>(values.data(), n));
        }
        return view;
      };
      using Of = System<double>;
      Lines const x("x", 3, n);
      KokkosScan::tridiagonal_solve(this->where, lines(&Of::lower), lines(&Of::diagonal), lines(&Of::upper),
                                    lines(&Of::right), x, KokkosScan::Axis{1});
      return Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), x);
    };
    auto const with = solved(wrong), without = solved(right);
    std::vector<double> of_wrong(n);
    for (std::size_t i = 0; i < n; ++i) {
      EXPECT_EQ(without(0, i), with(0, i)) << n << ", row " << i;
      EXPECT_EQ(without(2, i), with(2, i)) << n << ", row " << i;
      of_wrong[i] = with(1, i);
    }
    EXPECT_GT(residual(wrong, of_wrong), 1e3) << "a residual tells it";
  }
}

}  // namespace
}  // namespace test::oracles
