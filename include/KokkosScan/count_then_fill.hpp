// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/scan.hpp>
#include <string>
#include <tuple>
#include <type_traits>

namespace KokkosScan {
namespace driver {

struct CountThenFill {
  template <class ExecOrHandle, class N, class Count, class Fill, class... Rest>
    requires(std::integral<N> || is_length<N>)
  static void call(std::string const& label, ExecOrHandle const& exec, N const& n, Count const& count, Fill const& fill,
                   Rest&&... rest) {
    constexpr bool counts = [] {
      if constexpr (std::is_invocable_v<Count const&, std::size_t>)
        return std::integral<std::remove_cvref_t<std::invoke_result_t<Count const&, std::size_t>>>;
      else
        return false;
    }();
    static_assert(counts,
                  "KokkosScan: count must be callable as count(i) and return an integer, and a const count must");
    if constexpr (counts) {
      using Order = Sorted<Rest...>;
      using Given = std::remove_cvref_t<std::invoke_result_t<Count const&, std::size_t>>;
      using Sum_  = ArgumentOr<Order::first(Order::totals), Nothing, Rest...>;
      using Wide  = typename decltype([] {
        if constexpr (is_total<Sum_>)
          return std::type_identity<typename Sum_::value_type>();
        else
          return std::type_identity<Given>();
      }())::type;
      using Value = typename AccumulatorOf<ArgumentOr<Order::first(Order::named), Nothing, Rest...>, Wide>::type;
      constexpr Roles roles = {.op = 1, .unary = absent, .init = 0, .required = 1, .most = 1};
      if constexpr (Order::first(Order::named) == absent)
        index_arguments<core::Kind::exclusive, roles>(
            label, exec, n, count, std::forward_as_tuple(fill, Value{}, static_cast<Rest&&>(rest)..., As<Value>{}));
      else
        index_arguments<core::Kind::exclusive, roles>(
            label, exec, n, count, std::forward_as_tuple(fill, Value{}, static_cast<Rest&&>(rest)...));
    }
  }
};

}  // namespace driver

/// count(i) slots for each i < n, one behind the other, and then fill(i, begin) exactly once, begin being the first of
/// them. There are no atomics, so the order is always the same. n is an integer, or Length{view, most}.
///
///   count_then_fill(exec, n, count, fill)
///   count_then_fill(exec, n, count, fill, Total{x})     x is how many slots there are
///
/// Slots are counted in the type of the total if there is one, else in what count(i) returns, or in T with As<T>{}.
/// count(i) may be called more than once, always before fill(i, begin).
inline constexpr driver::Function<driver::CountThenFill, "KokkosScan::count_then_fill"> count_then_fill{};

}  // namespace KokkosScan
