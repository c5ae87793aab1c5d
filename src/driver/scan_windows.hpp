// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>

#include "../core/windows.hpp"
#include "../portable/backend.hpp"
#include "boundaries.hpp"
#include "scan_axis.hpp"
#include "sort_arrays.hpp"

// From the arguments of window_scan to the windows of lines, of which a View of rank 1 is one.
namespace KokkosScan::driver {

[[noreturn, gnu::cold]] inline void throw_negative_window(std::string const& label, Window const& window) {
  throw std::invalid_argument(label + ": Window{before, after} is Window{" + std::to_string(window.before) + ", " +
                              std::to_string(window.after) + "}; both must be 0 or more");
}

/// Copies lines, in the order of memory.
template <class From>
struct CopyLines {
  core::Lines<From const> from;
  core::Lines<From> to;
  core::LineShape shape;
  bool by_rows;  // neighbours in memory are neighbouring lines

  KOKKOSSCAN_FUNCTION void operator()(std::size_t i) const {
    std::size_t const beside = by_rows ? shape.extents[2] : 1;
    std::size_t const along  = i / beside % shape.length;
    std::size_t const line   = i / beside / shape.length * beside + i % beside;
    auto const at            = static_cast<std::ptrdiff_t>(along);
    core::put(to.line(shape, line)[at * to.step], from.line(shape, line)[at * from.step]);
  }
};

/// The types of a call's arguments.
template <class From, class Dest, class... Rest>
struct WindowCall {
  using Order = Sorted<Rest...>;
  using Op    = ArgumentOr<Order::index(0), Nothing, Rest...>;
  using Named = ArgumentOr<Order::first(Order::named), Nothing, Rest...>;
  using Value = typename AccumulatorOf<Named, typename Dest::non_const_value_type>::type;

  static constexpr bool has_axis = Order::count(Order::axes) > 0;
  static constexpr bool by_axis =
      !std::is_same_v<ArgumentOr<Order::first(Order::axes), Nothing, Rest...>, ReversedAxis>;

  static consteval bool check() {
    constexpr bool once = Order::once_each && Order::count(Order::windows) <= 1;
    static_assert(once, "KokkosScan: there is more than one Window, As or Axis");
    constexpr bool has_window = Order::count(Order::windows) > 0;
    static_assert(has_window, "KokkosScan: window_scan needs a Window{before, after} behind dest");
    constexpr bool others = !Order::reversed && by_axis && Order::count(Order::totals) == 0 &&
                            Order::count(Order::lengths) == 0 && Order::count(Order::of_segments) == 0;
    static_assert(others,
                  "KokkosScan: window_scan takes Window, Axis and As, and neither Total, Totals, Length nor Reversed");
    constexpr bool one_op = Order::in_order == 1;
    static_assert(one_op, "KokkosScan: window_scan needs an op behind the Window, and takes nothing else in order");
    constexpr bool same_rank = From::rank() == Dest::rank();
    static_assert(same_rank, "KokkosScan: from and dest of window_scan must have the same rank");
    constexpr bool fits = has_axis || From::rank() == 1;
    static_assert(fits, "KokkosScan: of rank 2 and 3 window_scan needs an Axis{d}");
    if constexpr (once && has_window && others && one_op && same_rank && fits)
      return check_functions<Value, typename From::non_const_value_type, Op, Unchanged, Nothing>() &&
             check_stored<Value, Dest>();
    else
      return false;
  }
};

template <class View, class Exec>
consteval bool check_view_of_windows() {
  static_assert(Kokkos::is_view_v<View>, "KokkosScan: from and dest must be Kokkos::Views");
  if constexpr (Kokkos::is_view_v<View>) {
    constexpr bool serves = View::rank() >= 1 && View::rank() <= 3;
    static_assert(serves, "KokkosScan: window_scan takes Views of rank 1, 2 and 3");
    return serves && check_elements<View, Exec>();
  } else {
    return false;
  }
}

/// By the backend's own way, or by Kokkos alone.
template <class ExecOrHandle, class Scan>
struct WindowsOf {
  using Chosen = typename BackendFor<ExecOrHandle>::type;
  using Exec   = InstanceOf<ExecOrHandle>;

  static constexpr bool has_own =
      requires(Exec const& exec, Scan const& scan) { Chosen::needs_of_windows(exec, scan); };
  using Backend = std::conditional_t<has_own, Chosen, portable::Backend>;
};

/// Lines that lie one behind the other in scratch, or row by row.
template <class From>
core::Lines<From> copied_lines(From* data, core::LineShape const& shape, bool by_rows) {
  auto const length         = static_cast<std::ptrdiff_t>(shape.length);
  auto const* const extents = shape.extents;
  auto const beside         = static_cast<std::ptrdiff_t>(extents[2]);
  std::ptrdiff_t const row  = length * beside;
  return {data, by_rows ? beside : 1, {row * static_cast<std::ptrdiff_t>(extents[1]), row, by_rows ? 1 : length}};
}

template <class ExecOrHandle, class Scan>
void scan_windows(std::string const& label, ExecOrHandle const& exec, Scan scan) {
  using From    = typename Scan::From;
  using Backend = typename WindowsOf<ExecOrHandle, Scan>::Backend;
  // Windows reach over what others overwrite: in place they are made of a copy.
  bool const in_place = static_cast<void const*>(scan.from.data) == static_cast<void const*>(scan.dest.data);
  bool const by_rows  = scan.are_rows();
  std::size_t const n = scan.windows.elements * scan.shape.count();
  auto const source   = scan.from;
  if (in_place) scan.from = core::const_lines(driver::copied_lines<From>(nullptr, scan.shape, by_rows));
  Parts parts(Backend::needs_of_windows(driver::instance(exec), scan));
  std::size_t const copied = in_place ? parts.template add<From>(n) : 0;
  auto const run           = [&](core::Memory const& memory) {
    if (in_place) {
      auto const to = driver::copied_lines(Parts::at<From>(memory, copied), scan.shape, by_rows);
      scan.from     = core::const_lines(to);
      driver::for_each_index(label, exec, n, n, CopyLines<From>{source, to, scan.shape, by_rows});
    }
    driver::with_shown_label(label, exec, [&](std::string const& shown) {
      Backend::scan_windows(driver::instance(exec), shown, scan, memory);
    });
  };
  if (parts.needs().scratch == 0) return run({});
  auto const leases = driver::lease(exec, parts.needs());
  run(leases.memory());
}

template <class ExecOrHandle, class From, class Dest, class... Rest>
void window_views(std::string const& label, ExecOrHandle const& exec, From const& from, Dest const& dest,
                  std::tuple<Rest...> const& rest) {
  using C            = WindowCall<From, Dest, Rest...>;
  using Order        = typename C::Order;
  auto const& op     = argument_or<Order::index(0), Nothing>(rest);
  auto const& window = argument_or<Order::first(Order::windows), Nothing>(rest);
  std::size_t along  = 0;
  if constexpr (C::has_axis) {
    auto const& axis = argument_or<Order::first(Order::axes), Nothing>(rest);
    if (axis.dimension < 0 || axis.dimension >= static_cast<int>(From::rank()))
      throw_no_such_axis(label, axis.dimension, "from", From::rank());
    along = static_cast<std::size_t>(axis.dimension);
  }
  if (window.before < 0 || window.after < 0) throw_negative_window(label, window);
  Dimensions const dimensions = check_lines(label, from, dest, Nothing{}, along);
  std::size_t const n         = from.extent(along);
  core::LineShape const shape{n, {dimensions[0].extent, dimensions[1].extent, dimensions[2].extent}};
  if (n == 0 || shape.count() == 0) return;
  std::size_t const before = std::min(static_cast<std::size_t>(window.before), n - 1);
  std::size_t const after  = std::min(static_cast<std::size_t>(window.after), n - 1);
  using Op                 = std::decay_t<decltype(for_exec<ExecOrHandle>(op))>;
  using Element            = typename From::non_const_value_type;
  constexpr bool in_a_row  = From::rank() == 1 && is_contiguous<From> && is_contiguous<Dest>;
  driver::scan_windows(label, exec,
                       core::WindowScan<typename C::Value, Element, typename Dest::value_type, Op, in_a_row>{
                           {n, n, before, before + 1 + after},
                           shape,
                           core::const_lines(lines_of<false>(from, along, n, dimensions, 0)),
                           lines_of<false>(dest, along, n, dimensions, 1),
                           for_exec<ExecOrHandle>(op)});
}

struct WindowScan {
  template <class ExecOrHandle, class From, class Dest, class... Rest>
  static void call(std::string const& label, ExecOrHandle const& exec, From const& from, Dest const& dest,
                   Rest const&... rest) {
    using Exec = InstanceOf<ExecOrHandle>;
    if constexpr (check_view_of_windows<From, Exec>() && check_view_of_windows<Dest, Exec>())
      if constexpr (check_dest<Dest>())
        if constexpr (WindowCall<From, Dest, Rest...>::check())
          driver::window_views(label, exec, from, dest, std::forward_as_tuple(rest...));
  }
};

}  // namespace KokkosScan::driver
