// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>

#include "../core/recurrence.hpp"
#include "scan_views.hpp"

// What a call for a linear recurrence may have as its coefficients, its start and its other arguments.
namespace KokkosScan {

/// Of a recurrence: maps are combined within so many elements, and from each such block the next goes on with values.
///
///   RestartEvery{count}
struct RestartEvery {
  std::size_t elements;

  explicit constexpr RestartEvery(std::size_t count) : elements(count) {}
};

namespace driver {

template <class X>
inline constexpr std::size_t length_of_array = 0;
template <class T, std::size_t n>
inline constexpr std::size_t length_of_array<Kokkos::Array<T, n>> = n;

/// 1 - alpha, in the type that it is wanted in.
template <class Alpha>
struct Remainder {
  Alpha alpha;
  template <class T>
    requires std::is_constructible_v<T, Alpha const&>
  explicit operator T() const {
    return static_cast<T>(T(1) - static_cast<T>(alpha));
  }
};

/// Whether a coefficient may lose its fraction where integers are computed.
template <class A>
inline constexpr bool has_fractions = std::is_floating_point_v<A>;
template <class Alpha>
inline constexpr bool has_fractions<Remainder<Alpha>> = std::is_floating_point_v<Alpha>;
template <class T, std::size_t n>
inline constexpr bool has_fractions<Kokkos::Array<T, n>> = std::is_floating_point_v<T>;

/// Of what order a recurrence with such coefficients is; 0 if they do not say so.
template <class A>
inline constexpr std::size_t order_of = [] {
  if constexpr (length_of_array<A> > 0)
    return std::size_t{length_of_array<A>};
  else if constexpr (!Kokkos::is_view_v<A>)
    return std::size_t{1};
  else if constexpr (A::rank() == 2)
    return std::size_t{A::static_extent(1)};
  else
    return std::size_t{A::rank() == 1 ? 1u : 0u};
}();
template <class A>
inline constexpr bool has_rows = [] {
  if constexpr (Kokkos::is_view_v<A>)
    return A::rank() == 2;
  else
    return false;
}();

/// Maps are kept in registers and shared memory.
inline constexpr std::size_t map_bytes_most = 160;

template <class T>
concept RecurrenceNumber = std::is_constructible_v<T, int> && OperatorOn<Sum, T> && OperatorOn<Product, T> &&
                           requires(T const& x) { static_cast<bool>(x == x); };

/// The types of a call's arguments.
template <class A, class B, class Dest, class Start, class... Rest>
struct RecurrenceCall {
  using Order = Sorted<Rest...>;
  using Named = ArgumentOr<Order::first(Order::named), Nothing, Rest...>;
  using T     = typename AccumulatorOf<Named, typename Dest::non_const_value_type>::type;
  using Block = ArgumentOr<Order::index(0), Nothing, Rest...>;

  static constexpr std::size_t order = order_of<A>;
  static constexpr bool along_axis   = Order::first(Order::axes) != absent;
  static constexpr bool in_blocks    = !std::is_same_v<Block, Nothing>;

  template <class Exec>
  static consteval bool check() {
    constexpr bool once = Order::once_each;
    static_assert(once, "KokkosScan: there is more than one As, Reversed or Axis");
    constexpr bool known = Order::first(Order::totals) == absent && Order::first(Order::of_segments) == absent &&
                           Order::first(Order::lengths) == absent && Order::in_order <= 1 &&
                           (!in_blocks || std::is_same_v<Block, RestartEvery>);
    static_assert(known,
                  "KokkosScan: behind the start of a recurrence may stand As<T>{}, Reversed{} or Axis{d}, and "
                  "RestartEvery{count}; there is no total, which is the last result");
    static_assert(!(along_axis && Order::reversed),
                  "KokkosScan: Reversed{} is for Views of rank 1; write Axis{d}.reversed()");
    static_assert(!(along_axis && in_blocks), "KokkosScan: along an Axis there is no RestartEvery");
    constexpr bool number = RecurrenceNumber<T>;
    static_assert(
        number,
        "KokkosScan: a recurrence is of numbers that have sums and products: the value type of dest, or the T "
        "of As<T>{}");
    if constexpr (once && known && number && !(along_axis && (Order::reversed || in_blocks)))
      return check_coefficients<Exec>() && check_values();
    else
      return false;
  }

 private:
  template <class Exec>
  static consteval bool check_coefficients() {
    static_assert(order > 0,
                  "KokkosScan: the coefficients a are a value, a View of rank 1, or, of order k, a Kokkos::Array<T, k> "
                  "or a View of rank 2 with k columns, k being known at compile time, as of View<double*[2]>");
    constexpr bool fits = order > 0 && sizeof(T) * (order * order + order) <= map_bytes_most;
    static_assert(order == 0 || fits,
                  "KokkosScan: a recurrence of order k has maps of k (k + 1) numbers, which must "
                  "not take more than 160 bytes");
    constexpr bool keeps = !has_fractions<A> || !std::is_integral_v<T>;
    static_assert(
        keeps,
        "KokkosScan: a coefficient with a fraction would lose it: the recurrence is computed in integers, the "
        "value type of dest; As<double>{} names another accumulator");
    if constexpr (!keeps) {
      return false;
    } else if constexpr (Kokkos::is_view_v<A>) {
      static_assert(!along_axis, "KokkosScan: along an Axis the coefficients are constant");
      constexpr bool reaches = Kokkos::SpaceAccessibility<Exec, typename A::memory_space>::accessible;
      static_assert(reaches, "KokkosScan: exec cannot access the memory space of a");
      constexpr bool converts = std::is_constructible_v<T, typename A::non_const_value_type const&>;
      static_assert(converts, "KokkosScan: the coefficients a must convert to the accumulator's type");
      return fits && !along_axis && reaches && converts && check_start<Exec>();
    } else if constexpr (length_of_array<A> > 0) {
      return fits && check_start<Exec>();
    } else {
      constexpr bool converts = std::is_constructible_v<T, A const&>;
      static_assert(converts, "KokkosScan: a coefficient must convert to the accumulator's type");
      return fits && converts && check_start<Exec>();
    }
  }

  template <class Exec>
  static consteval bool check_start() {
    if constexpr (Kokkos::is_view_v<Start>) {
      constexpr bool reaches = Kokkos::SpaceAccessibility<Exec, typename Start::memory_space>::accessible;
      static_assert(reaches, "KokkosScan: exec cannot access the memory space of start");
      constexpr bool converts = std::is_constructible_v<T, typename Start::non_const_value_type const&>;
      static_assert(converts, "KokkosScan: start must convert to the accumulator's type");
      constexpr bool fits = along_axis ? order == 1 && (Start::rank() == 0 || Start::rank() + 1 == Dest::rank())
                                       : Start::rank() == (order == 1 ? 0 : 1);
      static_assert(fits,
                    "KokkosScan: start is a value or a View of rank 0, along an Axis also a View of one rank less than "
                    "dest; of order k it is a Kokkos::Array<T, k> or, but along an Axis, a View of rank 1: x(-1), "
                    "x(-2), ...");
      return reaches && converts && fits;
    } else if constexpr (order == 1) {
      constexpr bool converts = std::is_constructible_v<T, Start const&>;
      static_assert(converts, "KokkosScan: start, the value before the first, must convert to the accumulator's type");
      return converts;
    } else {
      constexpr bool fits = length_of_array<Start> == order;
      static_assert(fits,
                    "KokkosScan: the start of a recurrence of order k is k values: Kokkos::Array{x(-1), x(-2), "
                    "...} or a View of rank 1");
      return fits;
    }
  }

  static consteval bool check_values() {
    constexpr bool converts = std::is_constructible_v<T, typename B::non_const_value_type const&>;
    static_assert(converts, "KokkosScan: the values of b must convert to the accumulator's type");
    return converts && check_stored<T, Dest>();
  }
};

/// What stands before the first element, as init does before that of a scan.
template <class Backend, class T, std::size_t order, class Start>
auto state_of(Start const& start) {
  using Map = core::AffineMap<T, order>;
  if constexpr (order == 1) {
    return driver::start_of<Backend, Map>(start);
  } else if constexpr (Kokkos::is_view_v<Start>) {
    core::StoredState<typename Start::non_const_value_type, order> const stored{
        start.data(), static_cast<std::ptrdiff_t>(start.stride(0))};
    if constexpr (runs_at_once<Backend>)
      return core::value_of_start<Map>(stored);
    else
      return stored;
  } else {
    core::State<T, order> state;
    for (std::size_t k = 0; k < order; ++k) state.x[k] = static_cast<T>(start[k]);
    return core::Maybe<Map>(Map(state));
  }
}

/// Constant coefficients, and what b is multiplied with.
template <class T, std::size_t order, class A>
core::WithCoefficients<T, order> constants(A const& a, T const& gain) {
  core::WithCoefficients<T, order> all;
  all.gain = gain;
  if constexpr (length_of_array<A> > 0)
    for (std::size_t k = 0; k < order; ++k) all.a[k] = static_cast<T>(a[k]);
  else
    all.a[0] = static_cast<T>(a);
  return all;
}

}  // namespace driver
}  // namespace KokkosScan
