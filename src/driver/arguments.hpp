// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <array>
#include <concepts>
#include <cstddef>
#include <tuple>
#include <type_traits>
#include "named_arguments.hpp"

// Sorts the arguments behind `dest`. Some are recognised by their type, wherever they stand; the others keep an order:
// op, unary and init, or init, op and unary.
namespace KokkosScan::driver {

/// Stands for an argument that a call has not.
struct Nothing {};

inline constexpr std::size_t absent = static_cast<std::size_t>(-1);

template <class X>
inline constexpr bool is_total = false;
template <class T>
inline constexpr bool is_total<Total<T>> = true;

template <class X>
inline constexpr bool is_totals = false;
template <class View>
inline constexpr bool is_totals<Totals<View>> = true;

template <class X>
inline constexpr bool is_as = false;
template <class T>
inline constexpr bool is_as<As<T>> = true;

template <class X>
inline constexpr bool is_length = false;
template <class View, class Most>
inline constexpr bool is_length<Length<View, Most>> = Kokkos::is_view_v<View>;

template <class X>
inline constexpr bool is_reversed = std::is_same_v<X, Reversed>;

template <class X>
inline constexpr bool is_axis = std::is_base_of_v<Axis, X>;

template <class X>
inline constexpr bool is_window = std::is_same_v<X, Window>;

template <class X>
inline constexpr bool is_rank_0_view = [] {
  if constexpr (Kokkos::is_view_v<X>)
    return X::rank() == 0;
  else
    return false;
}();

/// Whether an argument is recognised by its type; the others are by their order.
template <class X>
inline constexpr bool is_by_type =
    is_total<X> || is_totals<X> || is_as<X> || is_length<X> || is_reversed<X> || is_axis<X> || is_window<X>;

/// Which of the arguments is which.
template <class... Rest>
struct Sorted {
  static constexpr std::size_t size = sizeof...(Rest);

  static constexpr std::array<bool, size + 1> totals{is_total<std::remove_cvref_t<Rest>>...};
  static constexpr std::array<bool, size + 1> of_segments{is_totals<std::remove_cvref_t<Rest>>...};
  static constexpr std::array<bool, size + 1> named{is_as<std::remove_cvref_t<Rest>>...};
  static constexpr std::array<bool, size + 1> lengths{is_length<std::remove_cvref_t<Rest>>...};
  static constexpr std::array<bool, size + 1> reversals{is_reversed<std::remove_cvref_t<Rest>>...};
  static constexpr std::array<bool, size + 1> axes{is_axis<std::remove_cvref_t<Rest>>...};
  static constexpr std::array<bool, size + 1> windows{is_window<std::remove_cvref_t<Rest>>...};

  static constexpr std::size_t count(std::array<bool, size + 1> const& which) {
    std::size_t found = 0;
    for (bool const is : which) found += is;
    return found;
  }
  static constexpr std::size_t first(std::array<bool, size + 1> const& which) {
    for (std::size_t i = 0; i + 1 < which.size(); ++i)
      if (which[i]) return i;
    return absent;
  }
  /// How many arguments are recognised by their order, and the index of the k-th of them.
  static constexpr std::array<bool, size + 1> by_type{is_by_type<std::remove_cvref_t<Rest>>...};
  static constexpr std::size_t in_order = size - count(by_type);
  static constexpr std::size_t index(std::size_t k) {
    for (std::size_t i = 0; i + 1 < by_type.size(); ++i)  // of a size of 0 nvcc would warn
      if (!by_type[i] && k-- == 0) return i;
    return absent;
  }
  static constexpr bool once_each = count(totals) <= 1 && count(of_segments) <= 1 && count(named) <= 1 &&
                                    count(lengths) <= 1 && count(reversals) <= 1 && count(axes) <= 1;
  static constexpr bool reversed = count(reversals) > 0;
};

/// The argument of that index, or the fallback where there is none.
template <std::size_t index, class Fallback, class... Rest>
decltype(auto) argument_or(std::tuple<Rest...> const& rest) {
  if constexpr (index != absent)
    return std::get<index>(rest);
  else
    return Fallback{};
}
template <std::size_t index, class Fallback, class... Rest>
using ArgumentOr = std::remove_cvref_t<decltype(argument_or<index, Fallback>(std::declval<std::tuple<Rest...>>()))>;

/// Which of the arguments that are recognised by their order a function takes as what, and how many it needs.
struct Roles {
  std::size_t op;
  std::size_t unary;
  std::size_t init;
  std::size_t required;
  std::size_t most;
  std::size_t equal = absent;
  bool segments     = false;
  bool own_offsets  = false;  // of segments: made by the library, so that nobody need check them
};

/// The type of an init: that of a value, or of what a View holds.
template <class Init>
struct ValueOf {
  using type = Init;
};
template <class Init>
  requires is_rank_0_view<Init>
struct ValueOf<Init> {
  using type = typename Init::non_const_value_type;
};

/// The T of As<T>, or the fallback.
template <class Named, class Fallback>
struct AccumulatorOf {
  using type = Fallback;
};
template <class T, class Fallback>
struct AccumulatorOf<As<T>, Fallback> {
  using type = T;
};

template <class Op, class T>
concept OperatorOn = std::is_invocable_r_v<T, Op const&, T const&, T const&>;

/// What the arguments of a call must be, in words. Whether they are: what comes behind has nothing to add then.
template <Roles roles, class... Rest>
consteval bool check_arguments() {
  using S = Sorted<Rest...>;
  static_assert(S::once_each, "KokkosScan: there is more than one Total, Totals, As, Length, Reversed or Axis");
  constexpr bool no_window = S::first(S::windows) == absent;
  static_assert(no_window, "KokkosScan: a Window is that of window_scan; other scans have none");
  constexpr bool has_segments = roles.segments || S::first(S::of_segments) == absent;
  static_assert(has_segments, "KokkosScan: Totals{view} are those of segments; the total of a scan is Total{x}");
  static_assert(S::in_order >= roles.required, "KokkosScan: too few arguments");
  constexpr bool few = S::in_order <= roles.most, transforms = roles.unary != absent, by_key = roles.equal != absent;
  static_assert(few || !transforms,
                "KokkosScan: too many arguments; a total is written Total{x}, all else is op, unary and init");
  static_assert(few || !by_key,
                "KokkosScan: too many arguments: a scan by key takes op and key_equal behind dest, and an exclusive "
                "one init before them");
  static_assert(
      few || !roles.segments,
      "KokkosScan: too many arguments: of segments an inclusive scan takes op behind dest, an exclusive one init "
      "and op, a reduction op and init; their totals are written Totals{view}");
  static_assert(few || transforms || by_key || roles.segments,
                "KokkosScan: too many arguments; a total is written Total{x}, all else is op and init");
  return S::once_each && no_window && has_segments && S::in_order >= roles.required && few;
}

/// By index there is no View that the words could name.
template <class Value, class Input, class Op, class Unary, class Init, bool by_index = false>
consteval bool check_functions() {
  // Of rank 2 a View can be called with two numbers, and is no operator for that.
  constexpr bool op_is_view = Kokkos::is_view_v<Op>, has_op = OperatorOn<Op, Value> && !op_is_view;
  constexpr bool init_is_op = OperatorOn<Init, Value> && !Kokkos::is_view_v<Init>, swapped = !has_op && init_is_op;
  static_assert(!swapped,
                "KokkosScan: op and init are swapped: inclusive scans take op before init, exclusive scans init before "
                "op");
  static_assert(swapped || !op_is_view,
                "KokkosScan: a View stands where op belongs; a total is written Total{view}, and init stands behind op "
                "in inclusive scans, before it in exclusive ones");
  static_assert(swapped || op_is_view || has_op || by_index,
                "KokkosScan: op must be callable as T op(T, T) with the accumulator's type (that of dest, or T with "
                "As<T>{}), and a const op must be; a total is written Total{x}");
  static_assert(swapped || op_is_view || has_op || !by_index,
                "KokkosScan: op must be callable as T op(T, T) with the accumulator's type (what in(i) returns, or T "
                "with As<T>{}), and a const op must be; a total is written Total{x}");
  constexpr bool has_unary = std::is_invocable_v<Unary const&, Input const&>;
  static_assert(has_unary, "KokkosScan: unary must be callable with the value type of from, and a const unary must be");
  constexpr bool converts = [] {
    if constexpr (has_unary)
      return std::is_constructible_v<Value, std::invoke_result_t<Unary const&, Input const&>>;
    else
      return false;
  }();
  static_assert(!has_unary || converts || by_index,
                "KokkosScan: the values of from, transformed if so asked, must convert to the accumulator's type: that "
                "of dest, or T with As<T>{}");
  static_assert(converts || !by_index, "KokkosScan: what in(i) returns must convert to the T of As<T>{}");
  constexpr bool has_init = [] {
    if constexpr (is_rank_0_view<Init>)
      return std::is_constructible_v<Value, typename Init::value_type const&>;
    else
      return std::is_same_v<Init, Nothing> || std::is_constructible_v<Value, Init const&>;
  }();
  constexpr bool is_operator = !swapped && !std::is_same_v<Init, Value> && init_is_op;
  static_assert(!is_operator, "KokkosScan: an operator stands where init belongs; is init missing?");
  static_assert(
      swapped || is_operator || has_init || by_index,
      "KokkosScan: init, a value or a View of rank 0, must convert to the accumulator's type: that of dest, or "
      "T with As<T>{}; a total is written Total{x}");
  static_assert(swapped || is_operator || has_init || !by_index,
                "KokkosScan: init, a value or a View of rank 0, must convert to the accumulator's type: what in(i) "
                "returns, or T with As<T>{}; a total is written Total{x}");
  return has_op && has_unary && converts && has_init && !is_operator;
}

template <class Exec, class Init>
consteval bool check_init() {
  bool good = true;
  if constexpr (Kokkos::is_view_v<Init>) {
    constexpr bool reaches = Kokkos::SpaceAccessibility<Exec, typename Init::memory_space>::accessible;
    static_assert(reaches, "KokkosScan: exec cannot access the memory space of init");
    good = reaches;
  }
  return good;
}

template <class Value, class Exec, class TotalArgument, bool by_index = false>
consteval bool check_total() {
  bool good = true;
  if constexpr (is_total<TotalArgument>) {
    constexpr bool same = std::is_same_v<typename TotalArgument::value_type, Value>;
    static_assert(same || by_index,
                  "KokkosScan: a total must have the accumulator's type: that of dest, or T with As<T>{}");
    static_assert(same || !by_index,
                  "KokkosScan: a total must have the accumulator's type: what in(i) returns, or T with As<T>{}");
    good = same;
    if constexpr (requires { typename TotalArgument::memory_space; }) {
      constexpr bool reaches = Kokkos::SpaceAccessibility<Exec, typename TotalArgument::memory_space>::accessible;
      static_assert(reaches, "KokkosScan: exec cannot access the memory space of the total");
      good = good && reaches;
    }
  }
  return good;
}

template <class Key, class Less>
consteval bool check_less() {
  constexpr bool compares = std::is_invocable_r_v<bool, Less const&, Key const&, Key const&>;
  static_assert(
      compares,
      "KokkosScan: less must be callable as bool less(a, b) with two elements, and a const less must be; elements "
      "with < need none, and Greater{} turns it around");
  return compares;
}

}  // namespace KokkosScan::driver
