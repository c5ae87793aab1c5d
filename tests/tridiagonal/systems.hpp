// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/tridiagonal_solve.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>
#include <type_traits>
#include <vector>

#include "support/random.hpp"

namespace test::tridiagonal {

/// A system on the host.
template <class T>
struct System {
  std::vector<T> lower, diagonal, upper, right;
  std::size_t size() const { return diagonal.size(); }
};

enum class Kind { dominant, barely, graded, by_columns, falls_apart };
inline constexpr Kind all_kinds[] = {Kind::dominant, Kind::barely, Kind::graded, Kind::by_columns, Kind::falls_apart};
inline std::string name_of(Kind kind) {
  char const* const names[] = {"dominant", "barely dominant", "graded", "dominant by columns", "falls apart"};
  return names[static_cast<int>(kind)];
}

/// Random numbers in [-1, 1].
class Numbers {
 public:
  explicit Numbers(std::uint64_t seed) : random_(seed) {}
  double operator()() { return static_cast<double>(random_() >> 11) / 4503599627370496.0 - 1; }

 private:
  Random random_;
};

/// The real type of a number.
template <class T>
struct RealOf {
  using type = T;
};
template <class T>
struct RealOf<Kokkos::complex<T>> {
  using type = T;
};
template <class T>
using Real = typename RealOf<T>::type;

template <class T>
System<T> make(Kind kind, std::size_t n, std::uint64_t seed) {
  Numbers number(seed);
  auto const next = [&] {
    if constexpr (std::is_floating_point_v<T>)
      return static_cast<T>(number());
    else
      return T(static_cast<Real<T>>(number()), static_cast<Real<T>>(number()));
  };
  System<T> s{std::vector<T>(n), std::vector<T>(n), std::vector<T>(n), std::vector<T>(n)};
  for (std::size_t i = 0; i < n; ++i) {
    s.lower[i] = next(), s.upper[i] = next(), s.right[i] = next();
    if (kind == Kind::falls_apart && number() < 0) s.lower[i] = T(0);
    if (kind == Kind::falls_apart && number() < 0) s.upper[i] = T(0);
    if (kind == Kind::barely) s.lower[i] = s.upper[i] = T(-1);
  }
  for (std::size_t i = 0; i < n; ++i) {
    auto sum = Kokkos::abs(s.lower[i]) + Kokkos::abs(s.upper[i]);
    if (kind == Kind::by_columns)
      sum = (i > 0 ? Kokkos::abs(s.upper[i - 1]) : 0) + (i + 1 < n ? Kokkos::abs(s.lower[i + 1]) : 0);
    T const sign  = number() < 0 && kind != Kind::barely ? T(-1) : T(1);
    s.diagonal[i] = sign * static_cast<T>(kind == Kind::barely ? 2 : sum + static_cast<Real<T>>(0.01));
    if (kind == Kind::graded) {
      int const most      = std::is_same_v<Real<T>, double> ? 660 : 60;  // 2^660 is 5e198
      Real<T> const scale = std::ldexp(Real<T>(1), static_cast<int>(number() * most));
      s.lower[i] *= scale, s.diagonal[i] *= scale, s.upper[i] *= scale, s.right[i] *= scale;
    }
  }
  if (n > 0) s.lower[0] = s.upper[n - 1] = T(std::numeric_limits<Real<T>>::quiet_NaN());  // which nobody may read
  return s;
}

template <class T>
struct WideOf {
  using type = long double;
  static long double of(T x) { return x; }
};
template <class T>
struct WideOf<Kokkos::complex<T>> {
  using type = Kokkos::complex<long double>;
  static type of(Kokkos::complex<T> const& x) { return {x.real(), x.imag()}; }
};

/// The largest residual of a row in units of the last place of T: beside the terms of the row, and beside the largest
/// unknown times its coefficients.
struct Residual {
  double by_terms = 0, by_norm = 0;
};
template <class T>
Residual residual(System<T> const& s, std::vector<T> const& x) {
  using Wide          = WideOf<T>;
  std::size_t const n = s.size();
  long double largest = 0;
  for (T const& value : x) largest = std::max(largest, static_cast<long double>(Kokkos::abs(value)));
  Residual worst;
  auto const grow = [](double& most, long double sum, long double terms) {
    long double const units = terms == 0 ? 0 : sum / terms / std::numeric_limits<Real<T>>::epsilon();
    double const here       = units >= 0 ? static_cast<double>(units) : std::numeric_limits<double>::infinity();
    most                    = std::max(most, here);
  };
  for (std::size_t i = 0; i < n; ++i) {
    typename Wide::type sum = Wide::of(s.right[i]);
    long double terms = Kokkos::abs(sum), coefficients = 0;
    auto const subtract = [&](T const& a, T const& value) {
      typename Wide::type const term = Wide::of(a) * Wide::of(value);
      sum -= term;
      terms += Kokkos::abs(term);
      coefficients += Kokkos::abs(Wide::of(a));
    };
    long double const right = terms;
    if (i > 0) subtract(s.lower[i], x[i - 1]);
    subtract(s.diagonal[i], x[i]);
    if (i + 1 < n) subtract(s.upper[i], x[i + 1]);
    grow(worst.by_terms, Kokkos::abs(sum), terms);
    grow(worst.by_norm, Kokkos::abs(sum), right + coefficients * largest);
  }
  return worst;
}

/// Elimination from the first row to the last.
template <class T, class W = typename WideOf<T>::type>
std::vector<T> thomas(System<T> const& s) {
  std::size_t const n = s.size();
  std::vector<W> upper(n), right(n);
  std::vector<T> x(n);
  auto const wide = [](T const& value) { return W(value); };
  for (std::size_t i = 0; i < n; ++i) {
    W const lower = i > 0 ? wide(s.lower[i]) : W(0);
    W const pivot = wide(s.diagonal[i]) - (i > 0 ? lower * upper[i - 1] : W(0));
    upper[i]      = i + 1 < n ? wide(s.upper[i]) / pivot : W(0);
    right[i]      = (wide(s.right[i]) - (i > 0 ? lower * right[i - 1] : W(0))) / pivot;
  }
  for (std::size_t i = n; i-- > 0;) {
    if (i + 1 < n) right[i] = right[i] - upper[i] * right[i + 1];
    x[i] = static_cast<T>(right[i]);
  }
  return x;
}

/// Who solves: the call, or what it does on devices.
enum class Way { call, tiles };

template <class Exec, class... Views>
void solve(Way way, Exec const& exec, Views const&... views) {
  if (way == Way::call) return KokkosScan::tridiagonal_solve(exec, views...);
  std::string const label = "by tiles";
  auto const systems      = KokkosScan::driver::tridiagonal::systems_of(label, views..., 0);
  using T                 = typename std::remove_const_t<decltype(systems)>::T;
  if (systems.rows() > 0) KokkosScan::driver::tridiagonal::ByTiles<T, Exec>(label, exec).solve(systems);
}
template <class Exec, class... Views>
void solve_along(int axis, Way way, Exec const& exec, Views const&... views) {
  if (way == Way::call) return KokkosScan::tridiagonal_solve(exec, views..., KokkosScan::Axis{axis});
  std::string const label = "by tiles";
  auto const systems = KokkosScan::driver::tridiagonal::systems_of(label, views..., static_cast<std::size_t>(axis));
  using T            = typename std::remove_const_t<decltype(systems)>::T;
  if (systems.rows() > 0) KokkosScan::driver::tridiagonal::ByTiles<T, Exec>(label, exec).solve(systems);
}

}  // namespace test::tridiagonal
