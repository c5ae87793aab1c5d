// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <complex>
#include <cstddef>
#include <limits>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>

#include "../core/problem.hpp"
#include "arguments.hpp"
#include "lengths.hpp"
#include "scan_views.hpp"

// Scans by index: what is scanned a function gives, and what becomes of it another one takes; no View in between.
namespace KokkosScan::driver {

/// What a type of numbers can hold: so many bytes, those of one part for a complex one, and whether fractions. Without
/// bytes it is none that is known.
struct Number {
  std::size_t bytes = 0;
  bool fractions    = false;

  constexpr bool is_wider_than(Number const& other) const {
    return bytes > 0 && other.bytes > 0 && (bytes > other.bytes || fractions > other.fractions);
  }
};
template <class T>
inline constexpr bool is_half =
    std::is_same_v<T, Kokkos::Experimental::half_t> || std::is_same_v<T, Kokkos::Experimental::bhalf_t>;
template <class T>
inline constexpr Number number_of{std::is_arithmetic_v<T> || is_half<T> ? sizeof(T) : 0,
                                  std::is_floating_point_v<T> || is_half<T>};
template <class T>
inline constexpr Number number_of<Kokkos::complex<T>> = number_of<T>;
template <class T>
inline constexpr Number number_of<std::complex<T>> = number_of<T>;

/// The types of a call's arguments; those in order are out, and behind it what a scan of Views has behind dest.
template <Roles roles, class In, class Out, class... Rest>
struct IndexCall {
  using Order         = Sorted<Rest...>;
  using Op            = ArgumentOr<Order::index(roles.op), Sum, Rest...>;
  using Init          = ArgumentOr<Order::index(roles.init), Nothing, Rest...>;
  using TotalArgument = ArgumentOr<Order::first(Order::totals), Nothing, Rest...>;
  using Named         = ArgumentOr<Order::first(Order::named), Nothing, Rest...>;
  using Given         = std::remove_cvref_t<std::invoke_result_t<In const&, std::size_t>>;
  using Value         = typename AccumulatorOf<Named, Given>::type;

  /// Whether an init would lose something in the accumulator that nobody chose.
  static constexpr bool narrows =
      std::is_same_v<Named, Nothing> && number_of<typename ValueOf<Init>::type>.is_wider_than(number_of<Value>);

  template <class Exec>
  static consteval bool check() {
    constexpr bool serves = ValueType<Value>;
    static_assert(serves,
                  "KokkosScan: what in(i) returns, or T of As<T>{}, must be trivially copyable and of 1 to 64 "
                  "bytes");
    constexpr bool takes = std::is_invocable_v<Out const&, std::size_t, Value const&>;
    static_assert(takes, "KokkosScan: out must be callable as out(i, prefix), and a const out must be");
    static_assert(!narrows,
                  "KokkosScan: init is wider than what in(i) returns; name the accumulator with As<T>{}, or convert "
                  "init");
    constexpr bool along_axis = Order::first(Order::axes) != absent;
    static_assert(!along_axis, "KokkosScan: a scan by index has no Axis: indices have one dimension");
    if constexpr (serves && takes && !narrows && !along_axis)
      return check_functions<Value, Given, Op, Unchanged, Init, true>() && check_init<Exec, Init>() &&
             check_total<Value, Exec, TotalArgument, true>();
    else
      return false;
  }
};

/// How many elements there are at most, n being a number or a Length.
template <class N>
std::size_t most_of_indices(std::string const& label, N const& n) {
  if constexpr (is_length<N>)
    return driver::most_of(label, static_cast<std::size_t>(-1), n);
  else
    return driver::length_of(label, n);
}

/// n must say how many there may be.
template <class N>
consteval bool check_count_of_indices() {
  constexpr bool counts = [] {
    if constexpr (is_length<N>)
      return N::is_bounded;
    else
      return true;
  }();
  static_assert(
      counts,
      "KokkosScan: by index no View says how many elements there may be: write Length{view, most}, most being "
      "an upper bound");
  return counts;
}

/// n must be a number.
template <class N>
consteval bool check_indices() {
  constexpr bool is_number = std::is_integral_v<N> || is_length<N>;
  static_assert(is_number, "KokkosScan: n must be an integer, or Length{view, most}");
  if constexpr (is_number)
    return check_count_of_indices<N>();
  else
    return false;
}

/// A function of indices as a scan goes through them.
template <bool reversed, class Function>
decltype(auto) in_direction_of_indices(Function const& function, std::size_t n) {
  if constexpr (reversed)
    return core::Backwards<Function>{function, n - 1};
  else
    return (function);  // not copied: threads count the copies of Views
}

template <core::Kind kind, Roles roles, class ExecOrHandle, class N, class In, class Out, class... Rest>
void scan_indices(std::string const& label, ExecOrHandle const& exec_or_handle, N const& length, In const& in,
                  Out const& out, std::tuple<Rest...> const& rest) {
  using Backend       = typename BackendFor<ExecOrHandle>::type;
  using C             = IndexCall<roles, In, Out, Rest...>;
  using Order         = typename C::Order;
  using Value         = typename C::Value;
  auto const& op      = argument_or<Order::index(roles.op), Sum>(rest);
  auto const& init    = argument_or<Order::index(roles.init), Nothing>(rest);
  auto const& total   = argument_or<Order::first(Order::totals), Nothing>(rest);
  std::size_t const n = known_length<Backend>(most_of_indices(label, length), length);
  auto const& given   = for_exec<ExecOrHandle>(in);
  auto const& taker   = for_exec<ExecOrHandle>(out);
  auto const& from    = in_direction_of_indices<Order::reversed>(given, n);
  auto const& dest    = in_direction_of_indices<Order::reversed>(taker, n);
  using Source        = core::FromIndex<Value, std::remove_cvref_t<decltype(from)>>;
  using Sink          = core::ToFunction<kind, Value, std::remove_cvref_t<decltype(dest)>>;
  using Start         = decltype(start_of<Backend, Value>(init));
  using Op            = std::decay_t<decltype(for_exec<ExecOrHandle>(op))>;
  using Problem       = core::Problem<Value, Source, Op, Sink, Start>;
  check_total_of_nothing<typename C::Op, typename C::Init, Value>(label, "n is 0", n, total);
  driver::run_of_length<Order::reversed>(
      label, exec_or_handle,
      Problem{{from}, {dest}, n, for_exec<ExecOrHandle>(op), start_of<Backend, Value>(init), nullptr}, length, total);
}

/// A call with functions that are as they must be.
template <core::Kind kind, Roles roles, class ExecOrHandle, class N, class In, class Out, class... Rest>
void scan_functions(std::string const& label, ExecOrHandle const& exec_or_handle, N const& n, In const& in,
                    Out const& out, Rest&&... rest) {
  using Exec = std::remove_cvref_t<decltype(instance(exec_or_handle))>;
  using C    = IndexCall<roles, In, Out, Rest...>;
  if constexpr (check_arguments<roles, Rest...>() && check_length<Exec, N>())
    if constexpr (C::template check<Exec>() && check_total_of_length<N, typename C::TotalArgument, typename C::Op,
                                                                     typename C::Value, typename C::Init>())
      scan_indices<kind, roles>(label, exec_or_handle, n, in, out, std::forward_as_tuple(static_cast<Rest&&>(rest)...));
}

/// A call of the API with a length: first what its arguments are, in words, and only if they are as they must be the
/// rest.
template <core::Kind kind, Roles roles, class ExecOrHandle, class N, class In, class... Rest>
void index_arguments(std::string const& label, ExecOrHandle const& exec_or_handle, N const& n, In const& in,
                     std::tuple<Rest...> const& rest) {
  static_assert(is_exec_or_handle<ExecOrHandle>,
                "KokkosScan: exec must be a Kokkos execution space instance or a KokkosScan::Handle");
  static_assert(roles.unary == absent, "KokkosScan: a scan by index has no transform: let in(i) do it");
  static_assert(sizeof...(Rest) > 0, "KokkosScan: a scan by index needs in and out: out(i, prefix) takes the results");
  constexpr bool gives = std::is_invocable_v<In const&, std::size_t>;
  static_assert(gives, "KokkosScan: in must be callable as in(i), and a const in must be");
  constexpr bool counts = check_count_of_indices<N>();
  constexpr bool only_n = (!is_length<std::remove_cvref_t<Rest>> && ...);
  static_assert(only_n, "KokkosScan: by index a Length stands in the place of n");
  if constexpr (is_exec_or_handle<ExecOrHandle> && roles.unary == absent && sizeof...(Rest) > 0 && gives && counts &&
                only_n) {
    constexpr bool has_values = !std::is_void_v<std::invoke_result_t<In const&, std::size_t>>;
    static_assert(has_values, "KokkosScan: in(i) must return the value of element i");
    if constexpr (has_values)
      std::apply(
          [&](auto&&... arguments) {
            scan_functions<kind, roles>(label, exec_or_handle, n, in, static_cast<decltype(arguments)&&>(arguments)...);
          },
          rest);
  }
}

}  // namespace KokkosScan::driver
