// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <string>
#include <type_traits>

#include "../core/polynomial.hpp"
#include "boundaries.hpp"
#include "function.hpp"
#include "results.hpp"
#include "scan_views.hpp"
#include "teams_of_polynomial.hpp"

// Polynomials at one point and at many. The coefficients are divided into parts, whose number depends on how many
// coefficients and points there are and on nothing else, and so do the bits.
//
//   launches    1, or 2 where there are several parts
//   bytes       the coefficients once: on a host at up to `points_at_once` points, on a device at each of few points,
//               for which they come from its cache
//   operations  a product and a sum for each coefficient and point
//   steps       those of a part, and one for each part
namespace KokkosScan::driver {

/// On hosts: vectors of 2 to 8 doubles, several of them; coefficients of a part, which are 64 KiB of doubles.
inline constexpr std::size_t horner_lanes    = 16;
inline constexpr std::size_t horner_part     = 8192;
inline constexpr std::size_t points_at_once  = 16;
inline constexpr std::size_t points_for_each = 1024;  // so many points need no parts

/// On devices: fewer points are a team's each; of more, so many parts and points are a thread's each.
inline constexpr std::size_t points_of_teams   = 32;
inline constexpr std::size_t threads_of_points = std::size_t{1} << 17;

/// At so few points each part is a team's, or in lanes on a host.
template <class ExecOrHandle>
bool are_few_points(std::size_t count) {
  return count < (exec::is_on_host<InstanceOf<ExecOrHandle>> ? points_at_once / 2 : points_of_teams);
}

/// Divides the coefficients.
template <class ExecOrHandle, class Parts>
void divide(Parts& parts) {
  bool const few_points = are_few_points<ExecOrHandle>(parts.count);
  if (exec::is_on_host<InstanceOf<ExecOrHandle>>)
    parts.length = few_points || parts.count < points_for_each ? horner_part : parts.n;
  else if (few_points)
    parts.length = length_of_team_part(parts.n);
  else
    parts.length = std::max<std::size_t>(
        256, (parts.n * std::min(parts.count, threads_of_points) + threads_of_points - 1) / threads_of_points);
  parts.length = std::max<std::size_t>(1, parts.length);
  parts.parts  = std::max<std::size_t>(1, parts.n / parts.length + (parts.n % parts.length != 0 ? 1 : 0));
}
/// Each part has a value at each point, if there are several.
template <class Parts>
core::Needs needs_of(Parts const& parts) {
  std::size_t const values = parts.parts > 1 ? parts.parts * parts.count : 0;
  return {.scratch = core::bytes_of(values, sizeof(typename Parts::T))};
}

template <class ExecOrHandle, class Parts>
void run_polynomial(std::string const& label, ExecOrHandle const& exec, Parts parts, core::Memory const& memory) {
  using T                       = typename Parts::T;
  constexpr bool on_host        = exec::is_on_host<InstanceOf<ExecOrHandle>>;
  constexpr std::size_t at_once = on_host ? points_at_once : 1;
  bool const few_points = are_few_points<ExecOrHandle>(parts.count), several = parts.parts > 1;
  if (several) parts.values = static_cast<T*>(memory.scratch);
  std::size_t const work = parts.n * parts.count;
  if (few_points) {
    if constexpr (on_host)
      driver::for_each_index(label, exec, parts.parts * parts.count, work,
                             core::PartInLanes<Parts, horner_lanes>{parts});
    else
      return driver::run_teams(label, exec, parts);
  } else {
    core::PartAtPoints<Parts, at_once> const each{parts};
    driver::for_each_index(label, exec, parts.parts * each.groups(), work, each);
  }
  if (several)
    driver::for_each_index(label, exec, parts.count, parts.parts * parts.count, core::PartsTogether<Parts>{parts});
}

/// At one point: a value, or a View of rank 0.
template <class ExecOrHandle, class Coefficients, class X, class TotalArgument>
void polynomial_at_point(std::string const& label, ExecOrHandle const& exec_or_handle, Coefficients const& coefficients,
                         X const& x, TotalArgument const& result) {
  using T          = typename TotalArgument::value_type;
  auto const point = [&] {
    if constexpr (Kokkos::is_view_v<X>)
      return core::StoredPoint<T, typename X::non_const_value_type>{x.data()};
    else
      return core::OnePoint<T>{static_cast<T>(x)};
  }();
  check_total_apart(label, "coefficients", footprint(coefficients, coefficients.extent(0)), result);
  driver::with_elements(coefficients, [&](auto const& elements) {
    core::PolynomialParts<T, std::remove_cvref_t<decltype(elements)>, std::remove_const_t<decltype(point)>,
                          core::Contiguous<T>>
        parts{elements, coefficients.extent(0), point, 1, 1, 1, nullptr, {nullptr}};
    driver::divide<ExecOrHandle>(parts);
    driver::with_result(label, exec_or_handle, driver::needs_of(parts), result,
                        [&](core::Memory const& memory, T* address) {
                          parts.results = {address};
                          driver::run_polynomial(label, exec_or_handle, parts, memory);
                        });
  });
}

/// At many, in a View.
template <class ExecOrHandle, class Coefficients, class Points, class Results>
void polynomial_at_points(std::string const& label, ExecOrHandle const& exec, Coefficients const& coefficients,
                          Points const& points, Results const& results) {
  using T                 = typename Results::non_const_value_type;
  std::size_t const count = points.extent(0);
  Footprint const values  = footprint(results, count);
  check_extents(label, "x", count, "result", results.extent(0));
  check_distinct(label, "result", values);
  check_in_place_or_apart(label, "x", footprint(points, count), "result", values);
  check_apart(label, "coefficients", footprint(coefficients, coefficients.extent(0)), "result", values);
  if (count == 0) return;
  driver::with_elements(coefficients, [&](auto const& elements) {
    driver::with_elements(points, [&](auto const& places) {
      driver::with_elements(results, [&](auto const& outputs) {
        using Places = core::ArrayOfPoints<T, std::remove_cvref_t<decltype(places)>>;
        core::PolynomialParts<T, std::remove_cvref_t<decltype(elements)>, Places,
                              std::remove_cvref_t<decltype(outputs)>>
            parts{elements, coefficients.extent(0), {places}, count, 1, 1, nullptr, outputs};
        driver::divide<ExecOrHandle>(parts);
        auto const leases = driver::lease(exec, driver::needs_of(parts));
        driver::run_polynomial(label, exec, parts, leases.memory());
      });
    });
  });
}

/// What the arguments are, in words.
struct EvaluatePolynomial {
  template <class ExecOrHandle, class Coefficients, class X, class Result>
  static void call(std::string const& label, ExecOrHandle const& exec, Coefficients const& coefficients, X const& x,
                   Result const& result) {
    using Exec = InstanceOf<ExecOrHandle>;
    if constexpr (is_read<Coefficients, Exec>()) {
      constexpr bool into_total = is_total<Result>, into_view = Kokkos::is_view_v<Result>;
      static_assert(into_total || into_view,
                    "KokkosScan: the result of a polynomial at one point is Total{y}, at a View of points a View");
      if constexpr (into_total) {
        using T = typename Result::value_type;
        if constexpr (check_point<T, X, Exec>() && check_number<T, Coefficients>() && check_total<T, Exec, Result>())
          polynomial_at_point(label, exec, coefficients, x, result);
      } else if constexpr (into_view) {
        if constexpr (check_points<X, Result, Exec>() &&
                      check_number<typename Result::non_const_value_type, Coefficients>())
          polynomial_at_points(label, exec, coefficients, x, result);
      }
    }
  }

 private:
  template <class View, class Exec>
  static consteval bool is_read() {
    constexpr bool is_row = [] {
      if constexpr (Kokkos::is_view_v<View>)
        return View::rank() == 1 && Kokkos::SpaceAccessibility<Exec, typename View::memory_space>::accessible;
      else
        return false;
    }();
    static_assert(is_row, "KokkosScan: the coefficients of a polynomial must be a View of rank 1 that exec can access");
    return is_row;
  }

  template <class T, class Coefficients>
  static consteval bool check_number() {
    constexpr bool serves = ValueType<T> && std::is_constructible_v<T, int> && OperatorOn<Sum, T> &&
                            OperatorOn<Product, T> &&
                            std::is_constructible_v<T, typename Coefficients::non_const_value_type const&>;
    static_assert(serves,
                  "KokkosScan: coefficients must convert to the value type of the result, which must have sums and "
                  "products");
    return serves;
  }

  template <class T, class X, class Exec>
  static consteval bool check_point() {
    constexpr bool is_point = [] {
      if constexpr (is_rank_0_view<X>)
        return std::is_constructible_v<T, typename X::non_const_value_type const&> &&
               Kokkos::SpaceAccessibility<Exec, typename X::memory_space>::accessible;
      else
        return !Kokkos::is_view_v<X> && std::is_constructible_v<T, X const&>;
    }();
    static_assert(is_point,
                  "KokkosScan: with Total{y} x is one point, a value or a View of rank 0 that exec can access, which "
                  "converts to the type of y; points in a View need a View of results");
    return is_point;
  }

  template <class Points, class Results, class Exec>
  static consteval bool check_points() {
    constexpr bool are_points = [] {
      if constexpr (Kokkos::is_view_v<Points>)
        return Points::rank() == 1 && Results::rank() == 1 && !std::is_const_v<typename Results::value_type> &&
               Kokkos::SpaceAccessibility<Exec, typename Points::memory_space>::accessible &&
               Kokkos::SpaceAccessibility<Exec, typename Results::memory_space>::accessible &&
               std::is_constructible_v<typename Results::non_const_value_type,
                                       typename Points::non_const_value_type const&>;
      else
        return false;
    }();
    static_assert(are_points,
                  "KokkosScan: with a View of results x is a View of points; both have rank 1, exec can access them, "
                  "and points convert to the value type of the results, which are not const; a result at one point is "
                  "Total{y}");
    return are_points;
  }
};

}  // namespace KokkosScan::driver
