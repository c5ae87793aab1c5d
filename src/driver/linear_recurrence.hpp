// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>

#include "function.hpp"
#include "recurrence_arguments.hpp"
#include "recurrence_blocks.hpp"
#include "scan_axis.hpp"

// Linear recurrences: from the arguments to a scan of affine maps (core/recurrence.hpp).
namespace KokkosScan::driver {

[[noreturn, gnu::cold]] inline void throw_no_block(std::string const& label) {
  throw std::invalid_argument(label + ": RestartEvery{0}, and a block must have one element or more");
}
[[noreturn, gnu::cold]] inline void throw_few_starts(std::string const& label, std::size_t order, std::size_t start) {
  throw std::invalid_argument(label + ": start has " + std::to_string(start) +
                              " values, and a recurrence of that order needs " + std::to_string(order));
}

/// The coefficients lie where dest does not, or are dest.
template <class A, class Dest>
void check_coefficients(std::string const& label, A const& a, Dest const& dest, std::size_t n) {
  check_extents(label, "b", n, "a", a.extent(0));
  if constexpr (has_rows<A>) {
    std::array<std::size_t, 4> const rows{n, a.extent(1), 1, 1}, results{n, 1, 1, 1};
    Box const box_of_a = box_of(a, rows);
    Box box            = box_of_a;
    box.first          = reinterpret_cast<std::uintptr_t>(dest.data());
    box.size           = sizeof(typename Dest::value_type);
    box.extents        = results;
    box.strides        = {n > 1 ? static_cast<std::size_t>(dest.stride(0)) * box.size : 0, 0, 0, 0};
    check_apart(label, "a", box_of_a, "dest", box);
  } else {
    check_in_place_or_apart(label, "a", footprint(a, n), "dest", footprint(dest, n));
  }
}

/// f(source) with the source of the recurrence, from arrays in the direction that is asked for.
template <class T, std::size_t order, bool reversed, class A, class Added, class F>
void with_source(A const& a, Added const& added, T const& gain, std::size_t n, F const& f) {
  using Map = core::AffineMap<T, order>;
  if constexpr (has_rows<A>) {
    auto const step     = static_cast<std::ptrdiff_t>(a.stride(0));
    auto const* const p = a.data();
    using Element       = typename A::non_const_value_type;
    f(core::FromRows<T, order, Element, Added>{reversed && n > 0 ? p + static_cast<std::ptrdiff_t>(n - 1) * step : p,
                                               reversed ? -step : step, static_cast<std::ptrdiff_t>(a.stride(1)),
                                               added});
  } else if constexpr (Kokkos::is_view_v<A>) {
    driver::with_elements(a, [&](auto const& elements) {
      auto const coefficients = in_direction<reversed>(elements, n);
      f(core::FromCoefficients<T, std::remove_const_t<decltype(coefficients)>, Added>{coefficients, added});
    });
  } else {
    f(core::FromArray<Map, Added, core::WithCoefficients<T, order>>{added, driver::constants<T, order>(a, gain)});
  }
}

template <class C, class ExecOrHandle, class A, class B, class Dest, class Start, class... Rest>
void recurrence_of_views(std::string const& label, ExecOrHandle const& exec_or_handle, typename C::T const& gain,
                         A const& a, B const& b, Dest const& dest, Start const& start,
                         std::tuple<Rest...> const& rest) {
  using Backend         = typename BackendFor<ExecOrHandle>::type;
  using T               = typename C::T;
  using Map             = core::AffineMap<T, C::order>;
  std::size_t const n   = b.extent(0);
  auto const& block     = argument_or<C::Order::index(0), Nothing>(rest);
  Footprint const added = footprint(b, n), results = footprint(dest, n);
  check_extents(label, "b", n, "dest", dest.extent(0));
  check_distinct(label, "dest", results);
  check_in_place_or_apart(label, "b", added, "dest", results);
  if constexpr (Kokkos::is_view_v<A>) check_coefficients(label, a, dest, n);
  if constexpr (Kokkos::is_view_v<Start>) {
    check_apart(label, "dest", results, "start", footprint(start));
    if constexpr (C::order > 1)
      if (start.extent(0) < C::order) throw_few_starts(label, C::order, start.extent(0));
  }
  if constexpr (C::in_blocks)
    if (block.elements == 0) throw_no_block(label);

  auto const before       = state_of<Backend, T, C::order>(start);
  constexpr bool reversed = C::Order::reversed;
  driver::with_elements(b, [&](auto const& elements) {
    driver::with_elements(dest, [&](auto const& outputs) {
      auto const array = in_direction<reversed>(outputs, n);
      using Sink       = core::ToArray<core::Kind::inclusive, Map, std::remove_const_t<decltype(array)>>;
      driver::with_source<T, C::order, reversed>(
          a, in_direction<reversed>(elements, n), gain, n, [&](auto const& source) {
            using Source = std::remove_cvref_t<decltype(source)>;
            core::Problem<Map, Source, core::ThenMap, Sink, std::remove_const_t<decltype(before)>> const problem{
                source, {array}, n, {}, before, nullptr};
            if constexpr (C::in_blocks)
              driver::run_in_blocks(label, exec_or_handle, problem, block.elements);
            else
              driver::run_scan(label, exec_or_handle, problem);
          });
    });
  });
}

/// Along an axis, with constant coefficients: each line is a recurrence of its own.
template <class C, class ExecOrHandle, class A, class B, class Dest, class Start, class... Rest>
void recurrence_along_axis(std::string const& label, ExecOrHandle const& exec_or_handle, typename C::T const& gain,
                           A const& a, B const& b, Dest const& dest, Start const& start,
                           std::tuple<Rest...> const& rest) {
  using Backend           = typename BackendFor<ExecOrHandle>::type;
  using T                 = typename C::T;
  using Map               = core::AffineMap<T, C::order>;
  using Unary             = core::WithCoefficients<T, C::order>;
  auto const& axis        = argument_or<C::Order::first(C::Order::axes), Nothing>(rest);
  constexpr bool reversed = std::is_same_v<std::remove_cvref_t<decltype(axis)>, ReversedAxis>;
  if (axis.dimension < 0 || axis.dimension >= static_cast<int>(B::rank()))
    throw_no_such_axis(label, axis.dimension, "b", B::rank());
  auto const along            = static_cast<std::size_t>(axis.dimension);
  Dimensions const dimensions = check_lines(label, b, dest, start, along, "b", "start");
  core::LineShape const shape{b.extent(along), {dimensions[0].extent, dimensions[1].extent, dimensions[2].extent}};
  if (shape.length == 0 || shape.count() == 0) return;
  auto const before = [&] {
    if constexpr (is_init_of_lines<Start>)
      return lines_of<false>(start, 0, 1, dimensions, 2);
    else
      return state_of<Backend, T, C::order>(start);
  }();
  driver::run_lines(
      label, exec_or_handle,
      core::LineScan<core::Kind::inclusive, reversed, Map, typename B::value_type, typename Dest::value_type,
                     core::ThenMap, Unary, std::remove_const_t<decltype(before)>>{
          shape,
          lines_of<reversed>(b, along, shape.length, dimensions, 0),
          lines_of<reversed>(dest, along, shape.length, dimensions, 1),
          {},
          driver::constants<T, C::order>(a, gain),
          before});
}

template <class View, class Exec>
consteval bool check_recurrence_view(bool along_axis) {
  static_assert(Kokkos::is_view_v<View>, "KokkosScan: b and dest must be Kokkos::Views");
  if constexpr (Kokkos::is_view_v<View>)
    return check_elements<View, Exec>() && (along_axis ? View::rank() >= 2 && View::rank() <= 4 : View::rank() == 1);
  else
    return false;
}

/// A call of the API: first what its arguments are, in words, and only if they are as they must be the rest.
template <class ExecOrHandle, class Gain, class A, class B, class Dest, class Start, class... Rest>
void recurrence_arguments(std::string const& label, ExecOrHandle const& exec_or_handle, Gain const& gain, A const& a,
                          B const& b, Dest const& dest, Start const& start, std::tuple<Rest...> const& rest) {
  using Exec                = InstanceOf<ExecOrHandle>;
  constexpr bool along_axis = Sorted<Rest...>::first(Sorted<Rest...>::axes) != absent;
  constexpr bool good = check_recurrence_view<B, Exec>(along_axis) && check_recurrence_view<Dest, Exec>(along_axis);
  static_assert(!Kokkos::is_view_v<B> || !Kokkos::is_view_v<Dest> || good,
                "KokkosScan: b and dest of a recurrence must be Views of rank 1, or along an Axis of rank 2, 3 or 4");
  if constexpr (good) {
    constexpr bool same_rank = B::rank() == Dest::rank();
    static_assert(same_rank, "KokkosScan: b and dest must have the same rank");
    using C = RecurrenceCall<A, B, Dest, Start, Rest...>;
    if constexpr (same_rank && check_dest<Dest>())
      if constexpr (C::template check<Exec>()) {
        auto const factor = static_cast<typename C::T>(gain);
        if constexpr (along_axis)
          recurrence_along_axis<C>(label, exec_or_handle, factor, a, b, dest, start, rest);
        else
          recurrence_of_views<C>(label, exec_or_handle, factor, a, b, dest, start, rest);
      }
  }
}

struct LinearRecurrence {
  template <class ExecOrHandle, class A, class B, class Dest, class Start, class... Rest>
  static void call(std::string const& label, ExecOrHandle const& exec, A const& a, B const& b, Dest const& dest,
                   Start const& start, Rest&&... rest) {
    recurrence_arguments(label, exec, 1, a, b, dest, start, std::forward_as_tuple(static_cast<Rest&&>(rest)...));
  }
};

struct ExponentialSmoothing {
  template <class ExecOrHandle, class Alpha, class From, class Dest, class Start, class... Rest>
  static void call(std::string const& label, ExecOrHandle const& exec, Alpha const& alpha, From const& from,
                   Dest const& dest, Start const& start, Rest&&... rest) {
    constexpr bool is_number = std::is_arithmetic_v<Alpha>;
    static_assert(is_number, "KokkosScan: alpha, how much of each element is taken, must be a number");
    if constexpr (is_number)
      recurrence_arguments(label, exec, alpha, Remainder<Alpha>{alpha}, from, dest, start,
                           std::forward_as_tuple(static_cast<Rest&&>(rest)...));
  }
};

}  // namespace KokkosScan::driver
