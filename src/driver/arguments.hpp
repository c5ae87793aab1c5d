// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <concepts>
#include <cstddef>
#include <functional>
#include <tuple>
#include <type_traits>
#include <utility>

// Sorts the arguments behind `dest`: which of them is the operator, the transform, init and the total.
namespace KokkosScan {

/// Names the total where it could be taken for init: inclusive_scan(exec, from, dest, Max{}, Total{largest}).
template <class T>
struct Total {
  static_assert(!std::is_const_v<T>, "KokkosScan: a total must not be const");
  T& value;
  explicit Total(T& place) : value(place) {}
};

namespace driver {

struct Nothing {};

template <class Op, class T>
concept OperatorOn = std::is_invocable_r_v<T, Op const&, T const&, T const&>;

template <class X>
inline constexpr bool is_total_wrapper = false;
template <class T>
inline constexpr bool is_total_wrapper<Total<T>> = true;

template <class X>
inline constexpr bool is_rank_0_view = [] {
  if constexpr (Kokkos::is_view_v<X>)
    return X::rank() == 0;
  else
    return false;
}();

/// A variable that a total could be written to.
template <class Argument>
inline constexpr bool is_variable =
    std::is_lvalue_reference_v<Argument> && !std::is_const_v<std::remove_reference_t<Argument>>;

/// How many arguments a function requires behind dest, how many it takes, and at which place its optional init stands.
struct Form {
  std::size_t required;
  std::size_t most;
  std::size_t optional_init;
};

/// Whether the last argument is the total.
template <Form form, class T, class... Arguments>
consteval bool has_total() {
  constexpr std::size_t count = sizeof...(Arguments);
  if constexpr (count <= form.required) {
    return false;
  } else {
    using Last  = std::tuple_element_t<count - 1, std::tuple<Arguments...>>;
    using Plain = std::remove_cvref_t<Last>;
    if constexpr (is_rank_0_view<Plain> || is_total_wrapper<Plain>) return true;
    constexpr bool could_be_init = count - 1 == form.optional_init;
    static_assert(!(could_be_init && is_variable<Last> && std::is_convertible_v<Last, T>),
                  "KokkosScan: a variable at this place could be init or the total. Write std::as_const(x) for init, "
                  "KokkosScan::Total{x} for the total");
    static_assert(count <= form.most + 1, "KokkosScan: too many arguments");
    if constexpr (could_be_init)
      return false;
    else
      return is_variable<Last> && std::is_same_v<Plain, T>;
  }
}

/// The argument at that place, or the fallback where the call ends before it.
template <std::size_t place, std::size_t count, class Fallback, class Arguments>
decltype(auto) argument_or(Arguments const& arguments) {
  if constexpr (place < count)
    return std::get<place>(arguments);
  else
    return Fallback{};
}

/// The last argument if it is the total, else Nothing.
template <Form form, class T, class... Arguments>
decltype(auto) total_of(std::tuple<Arguments...> const& arguments) {
  if constexpr (has_total<form, T, Arguments...>()) {
    using Last = std::remove_cvref_t<std::tuple_element_t<sizeof...(Arguments) - 1, std::tuple<Arguments...>>>;
    if constexpr (is_total_wrapper<Last>)
      return (std::get<sizeof...(Arguments) - 1>(arguments).value);
    else
      return (std::get<sizeof...(Arguments) - 1>(arguments));
  } else {
    return Nothing{};
  }
}

}  // namespace driver
}  // namespace KokkosScan
