// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>

#include "counted.hpp"
#include "function.hpp"
#include "scan_indices.hpp"

// Slots for each index, and then what fills them: an exclusive scan by index.
namespace KokkosScan::driver {

struct CountThenFill {
  template <class ExecOrHandle, class N, class Count, class Fill, class... Rest>
  static void call(std::string const& label, ExecOrHandle const& exec, N const& n, Count const& count, Fill const& fill,
                   Rest&&... rest) {
    constexpr bool are_right = check_indices<N>() && check_count<Count>();
    if constexpr (are_right) {
      using Order        = Sorted<Rest...>;
      using Named        = ArgumentOr<Order::first(Order::named), Nothing, Rest...>;
      using Value        = typename AccumulatorOf<Named, SumOf<Count, Rest...>>::type;
      constexpr bool all = check_rest<Order, Value, Fill>();
      constexpr Roles as_exclusive{.op = 1, .unary = absent, .init = 0, .required = 1, .most = 1};
      if constexpr (all && Order::first(Order::named) == absent)
        index_arguments<core::Kind::exclusive, as_exclusive>(
            label, exec, n, count, std::forward_as_tuple(fill, Value{}, static_cast<Rest&&>(rest)..., As<Value>{}));
      else if constexpr (all)
        index_arguments<core::Kind::exclusive, as_exclusive>(
            label, exec, n, count, std::forward_as_tuple(fill, Value{}, static_cast<Rest&&>(rest)...));
    }
  }

 private:
  template <class Count>
  static consteval bool check_count() {
    constexpr bool counts = [] {
      if constexpr (std::is_invocable_v<Count const&, std::size_t>)
        return std::is_integral_v<std::remove_cvref_t<std::invoke_result_t<Count const&, std::size_t>>>;
      else
        return false;
    }();
    static_assert(counts,
                  "KokkosScan: count must be callable as count(i) and return an integer, and a const count must");
    return counts;
  }

  template <class Order, class Value, class Fill>
  static consteval bool check_rest() {
    constexpr bool is_integer = CountType<Value>;
    static_assert(is_integer, "KokkosScan: slots must be counted in integers: the type of the total, or T of As<T>{}");
    constexpr bool few = Order::in_order == 0;
    static_assert(few, "KokkosScan: too many arguments; behind fill may stand Total{x} and As<T>{}");
    constexpr bool upwards = !Order::reversed;
    static_assert(upwards, "KokkosScan: slots are taken upwards: there is no Reversed");
    constexpr bool fills = std::is_invocable_v<Fill const&, std::size_t, Value const&>;
    static_assert(fills, "KokkosScan: fill must be callable as fill(i, begin), and a const fill must be");
    return is_integer && few && upwards && fills;
  }

  /// The type of the total, or else what count(i) returns, but not narrower than int: of flags one would count no two.
  template <class Count, class... Rest>
  static auto sum_of() {
    using Order = Sorted<Rest...>;
    using Given = ArgumentOr<Order::first(Order::totals), Nothing, Rest...>;
    if constexpr (is_total<Given>)
      return std::type_identity<typename Given::value_type>();
    else
      return std::type_identity<decltype(+std::invoke_result_t<Count const&, std::size_t>())>();
  }
  template <class Count, class... Rest>
  using SumOf = typename decltype(sum_of<Count, Rest...>())::type;
};

}  // namespace KokkosScan::driver
