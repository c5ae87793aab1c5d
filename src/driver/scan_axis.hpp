// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <tuple>
#include <type_traits>

#include "../core/lines.hpp"
#include "arguments.hpp"
#include "host_function.hpp"
#include "lines.hpp"
#include "run_lines.hpp"
#include "scan_views.hpp"

// Scans of Views of several dimensions along one of them.
namespace KokkosScan::driver {

template <class View, class Exec>
consteval bool check_view_of_lines() {
  static_assert(Kokkos::is_view_v<View>, "KokkosScan: from and dest must be Kokkos::Views");
  if constexpr (Kokkos::is_view_v<View>) {
    constexpr bool has_lines = View::rank() >= 2 && View::rank() <= 4;
    static_assert(has_lines, "KokkosScan: along an Axis from and dest must be Views of rank 2, 3 or 4");
    return has_lines && check_elements<View, Exec>();
  } else {
    return false;
  }
}

/// Whether init is a View that has an element for each line.
template <class Init>
inline constexpr bool is_init_of_lines = [] {
  if constexpr (Kokkos::is_view_v<Init>)
    return Init::rank() > 0;
  else
    return false;
}();

/// The types of a call's arguments.
template <Roles roles, class From, class Dest, class... Rest>
struct AxisCall : Call<roles, From, Dest, Rest...> {
  using Base = Call<roles, From, Dest, Rest...>;
  using Init = typename Base::Init;

  template <class Exec>
  static consteval bool check() {
    constexpr bool no_total = !is_total<typename Base::TotalArgument>;
    static_assert(no_total,
                  "KokkosScan: along an Axis there is no total; that of a line is the last result of an inclusive one");
    static_assert(!Base::Order::reversed, "KokkosScan: Reversed{} is for Views of rank 1; write Axis{d}.reversed()");
    constexpr bool no_length = Base::Order::first(Base::Order::lengths) == absent;
    static_assert(no_length, "KokkosScan: along an Axis there is no Length; subviews have other extents");
    constexpr bool same_rank = From::rank() == Dest::rank();
    static_assert(same_rank, "KokkosScan: along an Axis from and dest must have the same rank");
    if constexpr (is_init_of_lines<Init>) {
      constexpr bool fits = Init::rank() + 1 == From::rank();
      static_assert(fits, "KokkosScan: along an Axis init is a value, or a View of one rank less than from");
      constexpr bool converts = std::is_constructible_v<typename Base::Value, typename Init::value_type const&>;
      static_assert(converts, "KokkosScan: the values of init must convert to the accumulator's type");
      if constexpr (no_total && no_length && !Base::Order::reversed && same_rank && fits && converts)
        return check_functions<typename Base::Value, typename From::non_const_value_type, typename Base::Op,
                               typename Base::Unary, typename Base::Value>() &&
               check_init<Exec, Init>() && check_stored<typename Base::Value, Dest>();
      else
        return false;
    } else {
      return no_total && no_length && !Base::Order::reversed && same_rank && Base::template check<Exec>();
    }
  }
};

template <class View>
Box box_of(View const& view, std::array<std::size_t, 4> const& extents) {
  constexpr std::size_t size = sizeof(typename View::value_type);
  Box box{reinterpret_cast<std::uintptr_t>(view.data()), size, View::rank(), extents, {}};
  for (std::size_t d = 0; d < View::rank(); ++d)
    if (extents[d] > 1) box.strides[d] = static_cast<std::size_t>(view.stride(d)) * size;
  return box;
}

/// Of an init, with the dimensions of dest: one element along the axis, or one for all lines.
template <class Init>
Box box_of_starts(Init const& init, std::size_t axis, Box const& dest) {
  constexpr std::size_t size = sizeof(typename Init::value_type);
  Box box{reinterpret_cast<std::uintptr_t>(init.data()), size, dest.rank, {1, 1, 1, 1}, {}};
  if constexpr (is_init_of_lines<Init>)
    for (std::size_t d = 0, beside = 0; d < dest.rank; ++d) {
      if (d == axis) continue;
      box.extents[d] = dest.extents[d];
      if (box.extents[d] > 1) box.strides[d] = static_cast<std::size_t>(init.stride(beside)) * size;
      ++beside;
    }
  return box;
}

/// The lines of a View along an axis; from its far end if they are reversed.
template <bool reversed, class View>
auto lines_of(View const& view, std::size_t axis, std::size_t length, Dimensions const& dimensions, std::size_t which) {
  auto const step = static_cast<std::ptrdiff_t>(view.stride(axis));
  core::Lines<typename View::value_type> lines{view.data(), reversed ? -step : step, {}};
  if (reversed) lines.data += static_cast<std::ptrdiff_t>(length - 1) * step;
  for (std::size_t d = 0; d < dimensions.size(); ++d) lines.strides[d] = dimensions[d].strides[which];
  return lines;
}

/// The dimensions of the lines, and what is wrong with the Views.
template <class From, class Dest, class Init>
Dimensions check_lines(std::string const& label, From const& from, Dest const& dest, Init const& init, std::size_t axis,
                       char const* from_name = "from", char const* init_name = "init") {
  std::array<std::size_t, 4> extents{};
  Dimensions dimensions;
  std::size_t beside = 0;
  dimensions.fill({1, {0, 0, 0}});
  for (std::size_t d = 0; d < From::rank(); ++d) {
    extents[d] = from.extent(d);
    if (dest.extent(d) < extents[d]) throw_too_short(label, d, from_name, extents[d], "dest", dest.extent(d));
    if (d == axis) continue;
    dimensions[beside] = {
        extents[d], {static_cast<std::ptrdiff_t>(from.stride(d)), static_cast<std::ptrdiff_t>(dest.stride(d)), 0}};
    if constexpr (is_init_of_lines<Init>) {
      if (init.extent(beside) != extents[d])
        throw_wrong_init(label, d, from_name, extents[d], beside, init_name, init.extent(beside));
      dimensions[beside].strides[2] = static_cast<std::ptrdiff_t>(init.stride(beside));
    }
    ++beside;
  }
  Box const results = box_of(dest, extents);
  check_distinct(label, "dest", results);
  check_in_place_or_apart(label, from_name, box_of(from, extents), "dest", results);
  if constexpr (Kokkos::is_view_v<Init>)
    check_apart(label, "dest", results, init_name, box_of_starts(init, axis, results));
  return in_order_of_memory(dimensions);
}

template <core::Kind kind, Roles roles, class ExecOrHandle, class From, class Dest, class... Rest>
void scan_axis(std::string const& label, ExecOrHandle const& exec_or_handle, From const& from, Dest const& dest,
               std::tuple<Rest...> const& rest) {
  using C                 = AxisCall<roles, From, Dest, Rest...>;
  using Order             = typename C::Order;
  using Value             = typename C::Value;
  auto const& axis        = argument_or<Order::first(Order::axes), Nothing>(rest);
  constexpr bool reversed = std::is_same_v<std::remove_cvref_t<decltype(axis)>, ReversedAxis>;
  auto const& op          = argument_or<Order::index(roles.op), Sum>(rest);
  auto const& unary       = argument_or<Order::index(roles.unary), Unchanged>(rest);
  auto const& init        = argument_or<Order::index(roles.init), Nothing>(rest);
  if (axis.dimension < 0 || axis.dimension >= static_cast<int>(From::rank()))
    throw_no_such_axis(label, axis.dimension, "from", From::rank());
  auto const along            = static_cast<std::size_t>(axis.dimension);
  Dimensions const dimensions = check_lines(label, from, dest, init, along);
  core::LineShape const shape{from.extent(along), {dimensions[0].extent, dimensions[1].extent, dimensions[2].extent}};
  if (shape.length == 0 || shape.count() == 0) return;

  auto const start = [&] {
    if constexpr (std::is_same_v<typename C::Init, Nothing>)
      return core::NoInit{};
    else if constexpr (is_init_of_lines<typename C::Init>)
      return lines_of<false>(init, 0, 1, dimensions, 2);
    else
      return start_of<typename BackendFor<ExecOrHandle>::type, Value>(init);
  }();
  using Op    = std::decay_t<decltype(for_exec<ExecOrHandle>(op))>;
  using Unary = std::decay_t<decltype(for_exec<ExecOrHandle>(unary))>;
  driver::run_lines(label, exec_or_handle,
                    core::LineScan<kind, reversed, Value, typename From::value_type, typename Dest::value_type, Op,
                                   Unary, std::remove_const_t<decltype(start)>>{
                        shape, lines_of<reversed>(from, along, shape.length, dimensions, 0),
                        lines_of<reversed>(dest, along, shape.length, dimensions, 1), for_exec<ExecOrHandle>(op),
                        for_exec<ExecOrHandle>(unary), start});
}

/// A call of the API: first what its arguments are, in words, and only if they are as they must be the rest.
template <core::Kind kind, Roles roles, class ExecOrHandle, class From, class Dest, class... Rest>
void axis_arguments(std::string const& label, ExecOrHandle const& exec_or_handle, From const& from, Dest const& dest,
                    std::tuple<Rest...> const& rest) {
  static_assert(is_exec_or_handle<ExecOrHandle>,
                "KokkosScan: exec must be a Kokkos execution space instance or a KokkosScan::Handle");
  if constexpr (is_exec_or_handle<ExecOrHandle>) {
    using Exec = std::remove_cvref_t<decltype(instance(exec_or_handle))>;
    if constexpr (check_view_of_lines<From, Exec>() && check_view_of_lines<Dest, Exec>())
      if constexpr (check_dest<Dest>() && check_arguments<roles, Rest...>())
        if constexpr (AxisCall<roles, From, Dest, Rest...>::template check<Exec>())
          scan_axis<kind, roles>(label, exec_or_handle, from, dest, rest);
  }
}

}  // namespace KokkosScan::driver
