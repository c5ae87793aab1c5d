// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>

#include "arguments.hpp"
#include "run_scan.hpp"
#include "scan.hpp"
#include "views.hpp"

// From the arguments of the API to a Scan: everything that can be wrong with a call is found here, before anything is
// written.
namespace KokkosScan::driver {

inline constexpr std::size_t absent = static_cast<std::size_t>(-1);

/// At which place behind dest a function takes what.
struct Roles {
  std::size_t op;
  std::size_t unary;
  std::size_t init;
};

/// Where the backend writes the total of a call that gave a View or nothing.
template <class Value, class Exec, class Total>
Value* total_place(Total const& total) {
  if constexpr (std::is_same_v<Total, Nothing>) {
    return nullptr;
  } else {
    static_assert(std::is_same_v<typename Total::value_type, Value>,
                  "KokkosScan: a total must have the value type of dest, and not be const");
    static_assert(Kokkos::SpaceAccessibility<Exec, typename Total::memory_space>::accessible,
                  "KokkosScan: exec cannot access the memory space of the total");
    return total.data();
  }
}

template <class Value, class Input, class Op, class Unary, class Init>
consteval void check_functions() {
  static_assert(OperatorOn<Op, Value>,
                "KokkosScan: op must be callable as T op(T, T) with the value type of dest, and a const op must be");
  static_assert(std::is_invocable_v<Unary const&, Input const&>,
                "KokkosScan: unary must be callable with the value type of from, and a const unary must be");
  if constexpr (std::is_invocable_v<Unary const&, Input const&>)
    static_assert(std::is_constructible_v<Value, std::invoke_result_t<Unary const&, Input const&>>,
                  "KokkosScan: the values of from, transformed if so asked, must convert to the value type of dest");
  static_assert(std::is_same_v<Init, Nothing> || std::is_constructible_v<Value, Init const&>,
                "KokkosScan: init must convert to the value type of dest");
}

template <Kind kind, class Value, class From, class Dest, class Op, class Unary>
auto make_scan(From const& from, Dest const& dest, std::size_t n, Op const& op, Unary const& unary,
               Maybe<Value> const& init, Value* total) {
  return Scan<kind, Value, From, Dest, std::decay_t<Op>, std::decay_t<Unary>>{from, dest, n, op, unary, init, total};
}

template <Kind kind, Form form, Roles roles, class Where, class From, class Dest, class... Rest>
void scan_views(std::string const& label, Where const& where, From const& from, Dest const& dest,
                std::tuple<Rest...> const& rest) {
  static_assert(Place<Where>, "KokkosScan: exec must be a Kokkos execution space instance or a KokkosScan::Handle");
  static_assert(sizeof...(Rest) >= form.required, "KokkosScan: too few arguments");
  if constexpr (Place<Where> && sizeof...(Rest) >= form.required) {
    using Exec = std::remove_cvref_t<decltype(instance(where))>;
    check_view<From, Exec>();
    check_view<Dest, Exec>();
    check_dest<Dest>();

    using Value                 = typename Dest::non_const_value_type;
    constexpr std::size_t count = sizeof...(Rest) - has_total<form, Value, Rest...>();
    static_assert(count <= form.most,
                  "KokkosScan: the last argument is no total: a total is a variable of dest's value type or a View of "
                  "rank 0");
    auto const& op    = argument_or<roles.op, count, Sum>(rest);
    auto const& unary = argument_or<roles.unary, count, Unchanged>(rest);
    auto const& init  = argument_or<roles.init, count, Nothing>(rest);
    auto&& total      = total_of<form, Value>(rest);
    check_functions<Value, typename From::non_const_value_type, std::remove_cvref_t<decltype(op)>,
                    std::remove_cvref_t<decltype(unary)>, std::remove_cvref_t<decltype(init)>>();

    Maybe<Value> const first = [&]() -> Maybe<Value> {
      if constexpr (std::is_same_v<std::remove_cvref_t<decltype(init)>, Nothing>)
        return {};
      else
        return static_cast<Value>(init);
    }();

    check_extents(label, "from", from.extent(0), "dest", dest.extent(0));
    check_distinct(label, "dest", Footprint::of(dest));
    check_in_place_or_apart(label, "from", Footprint::of(from), "dest", Footprint::of(dest));

    using TotalArgument  = std::remove_cvref_t<decltype(total)>;
    constexpr bool asked = !std::is_same_v<TotalArgument, Nothing>;
    if constexpr (asked) {
      check_apart(label, "from", Footprint::of(from), "the total", Footprint::of(total));
      check_apart(label, "dest", Footprint::of(dest), "the total", Footprint::of(total));
    }
    if constexpr (asked && !HasIdentity<std::remove_cvref_t<decltype(op)>, Value>)
      if (from.extent(0) == 0 && !first)
        throw std::invalid_argument(label +
                                    ": from is empty, and the total of no values under an operator without "
                                    "identity<T>() is not defined; pass init");

    with_elements(from, [&](auto const& inputs) {
      with_elements(dest, [&](auto const& outputs) {
        if constexpr (asked && !Kokkos::is_view_v<TotalArgument>) {
          static_assert(std::is_same_v<TotalArgument, Value>, "KokkosScan: a total must have the value type of dest");
          driver::run_scan(label, where,
                           make_scan<kind, Value>(inputs, outputs, from.extent(0), op, unary, first, nullptr), total);
        } else {
          driver::run_scan(label, where,
                           make_scan<kind, Value>(inputs, outputs, from.extent(0), op, unary, first,
                                                  total_place<Value, Exec>(total)));
        }
      });
    });
  }
}

}  // namespace KokkosScan::driver
