// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>

#include "../core/comparisons.hpp"
#include "../core/differences.hpp"
#include "../host/difference.hpp"
#include "../portable/difference.hpp"
#include "counted.hpp"
#include "function.hpp"
#include "host_function.hpp"
#include "results.hpp"
#include "scan_segments.hpp"

// The calls that compare two arrays.
namespace KokkosScan::driver {

/// The arguments behind the arrays: a result, and a function of two elements.
template <class... Rest>
struct ComparedCall {
  using Order          = Sorted<Rest...>;
  using ResultArgument = ArgumentOr<Order::first(Order::totals), Nothing, Rest...>;

  template <class Exec>
  static consteval bool check() {
    constexpr bool has_result = Order::count(Order::totals) == 1;
    static_assert(has_result,
                  "KokkosScan: the result is missing, or there are two; it is written Total{x}, x being a variable or "
                  "a View of rank 0");
    constexpr bool few = Order::in_order <= 1 && sizeof...(Rest) - Order::in_order == 1;
    static_assert(!has_result || few,
                  "KokkosScan: too many arguments; behind a and b there are only Total{x} and one function of two "
                  "elements, and other parts are compared by subviews");
    if constexpr (has_result && few) {
      constexpr bool is_integer = CountType<typename ResultArgument::value_type>;
      static_assert(is_integer, "KokkosScan: the result of a comparison must be an integer");
      return is_integer && check_total<typename ResultArgument::value_type, Exec, ResultArgument>();
    } else {
      return false;
    }
  }
};

template <class A, class B>
consteval bool check_alike() {
  constexpr bool alike = std::is_same_v<ValueIn<A>, ValueIn<B>>;
  static_assert(alike, "KokkosScan: what is compared must be of one type");
  return alike;
}

/// Calls f with the elements of both: as pointers where they lie side by side, in both.
template <class A, class B, class F>
void with_both(A const& a, B const& b, F const& f) {
  constexpr bool can_be_strided = !is_contiguous<A> || !is_contiguous<B>;
  using ElementA                = typename A::value_type const;
  using ElementB                = typename B::value_type const;
  if constexpr (can_be_strided)
    if ((a.stride(0) != 1 && a.extent(0) > 1) || (b.stride(0) != 1 && b.extent(0) > 1))
      return f(strided<ElementA>(a), strided<ElementB>(b));
  f(core::Contiguous<ElementA>{a.data()}, core::Contiguous<ElementB>{b.data()});
}

/// Finds the first difference of a and b, and hands it to what make_put(address, a, b) makes.
template <class ExecOrHandle, class A, class B, class Equal, class ResultArgument, class MakePut>
void find_difference(std::string const& label, ExecOrHandle const& exec, A const& a, B const& b, Equal const& equal,
                     ResultArgument const& result, MakePut const& make_put) {
  using Backend       = typename BackendFor<ExecOrHandle>::type;
  std::size_t const n = std::min<std::size_t>(a.extent(0), b.extent(0));
  Regions(label).reads("a", a, a.extent(0)).reads("b", b, b.extent(0)).and_count(result, Nothing{});
  constexpr bool at_once = runs_at_once<Backend>;
  // Found, and nothing else, so that a call on a host takes no scratch.
  core::Needs const needs{.scratch = at_once ? 0 : sizeof(portable::difference::Found)};
  driver::with_both(a, b, [&](auto const& from_a, auto const& from_b) {
    using Compared = core::Compared<std::remove_cvref_t<decltype(from_a)>, std::remove_cvref_t<decltype(from_b)>,
                                    std::decay_t<decltype(for_exec<ExecOrHandle>(equal))>>;
    Compared const compared{from_a, from_b, for_exec<ExecOrHandle>(equal), n};
    driver::with_result(label, exec, needs, result, [&](core::Memory const& memory, auto* address) {
      auto const put = make_put(address, from_a, from_b);
      driver::with_shown_label(label, exec, [&](std::string const& shown) {
        if constexpr (at_once)
          host::difference::find(driver::instance(exec), shown, compared, put);
        else
          portable::difference::find(driver::instance(exec), shown, compared, put,
                                     static_cast<portable::difference::Found*>(memory.scratch));
      });
    });
  });
}

struct Compare {
  template <class ExecOrHandle, class A, class B, class... Rest>
  static void call(std::string const& label, ExecOrHandle const& exec, A const& a, B const& b, Rest const&... rest) {
    using Call = ComparedCall<Rest...>;
    using Exec = InstanceOf<ExecOrHandle>;
    if constexpr (check_arrays<Exec, A, B>() && Call::template check<Exec>())
      if constexpr (check_alike<A, B>()) {
        using Element = ValueIn<A>;
        using Order   = typename Call::Order;
        using Less    = ArgumentOr<Order::index(0), core::CharacterLess, Rest...>;
        using Result  = typename Call::ResultArgument::value_type;
        std::tuple<Rest const&...> const all(rest...);
        auto const& less         = argument_or<Order::index(0), core::CharacterLess>(all);
        constexpr bool has_order = Order::in_order > 0 || HasLess<Element>;
        static_assert(has_order, "KokkosScan: elements without < need less behind a and b");
        constexpr bool has_sign = std::is_signed_v<Result>;
        static_assert(has_sign, "KokkosScan: an order is negative, 0 or positive: a signed integer");
        if constexpr (has_order && has_sign)
          if constexpr (check_less<Element, Less>())
            between(label, exec, a, b, less, argument_or<Order::first(Order::totals), Nothing>(all));
      }
  }

 private:
  template <class ExecOrHandle, class A, class B, class Less, class ResultArgument>
  static void between(std::string const& label, ExecOrHandle const& exec, A const& a, B const& b, Less const& less,
                      ResultArgument const& result) {
    using Called                 = std::decay_t<decltype(for_exec<ExecOrHandle>(less))>;
    Called const& called         = for_exec<ExecOrHandle>(less);
    constexpr bool is_of_integer = std::is_same_v<Less, core::CharacterLess> && core::is_equal_by_bytes<ValueIn<A>>;
    auto const find              = [&](auto const& equal) {
      driver::find_difference(
          label, exec, a, b, equal, result, [&](auto* order, auto const& from_a, auto const& from_b) {
            return core::PutOrder<std::remove_pointer_t<decltype(order)>, std::remove_cvref_t<decltype(from_a)>,
                                               std::remove_cvref_t<decltype(from_b)>, Called>{order,  from_a,      from_b,
                                                                                 called, a.extent(0), b.extent(0)};
          });
    };
    if constexpr (is_of_integer)
      find(core::EqualTo{});
    else
      find(core::Equivalent<Called>{called});
  }
};

struct FirstDifference {
  template <class ExecOrHandle, class A, class B, class... Rest>
  static void call(std::string const& label, ExecOrHandle const& exec, A const& a, B const& b, Rest const&... rest) {
    using Call = ComparedCall<Rest...>;
    using Exec = InstanceOf<ExecOrHandle>;
    if constexpr (check_arrays<Exec, A, B>() && Call::template check<Exec>())
      if constexpr (check_alike<A, B>()) {
        using Order  = typename Call::Order;
        using Equal  = ArgumentOr<Order::index(0), core::EqualTo, Rest...>;
        using Result = typename Call::ResultArgument::value_type;
        if constexpr (check_equal<Equal, ValueIn<A>>()) {
          std::tuple<Rest const&...> const all(rest...);
          check_holds<Result>(label, "the place, Total{x},", std::min<std::size_t>(a.extent(0), b.extent(0)));
          driver::find_difference(label, exec, a, b, argument_or<Order::index(0), core::EqualTo>(all),
                                  argument_or<Order::first(Order::totals), Nothing>(all),
                                  [](auto* place, auto const&, auto const&) {
                                    return core::PutPlace<std::remove_pointer_t<decltype(place)>>{place};
                                  });
        }
      }
  }
};

}  // namespace KokkosScan::driver
