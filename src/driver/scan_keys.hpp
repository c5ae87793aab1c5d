// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <concepts>
#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>

#include "../core/by_key.hpp"
#include "arguments.hpp"
#include "scan_views.hpp"

// Scans by key: one for each run of equal neighbouring keys.
namespace KokkosScan::driver {

/// The types of a call's arguments.
template <Roles roles, class Keys, class From, class Dest, class... Rest>
struct KeyedCall {
  using Order          = Sorted<Rest...>;
  using Op             = ArgumentOr<Order::index(roles.op), Sum, Rest...>;
  using Equal          = ArgumentOr<Order::index(roles.equal), core::EqualTo, Rest...>;
  using Init           = ArgumentOr<Order::index(roles.init), Nothing, Rest...>;
  using Named          = ArgumentOr<Order::first(Order::named), Nothing, Rest...>;
  using LengthArgument = ArgumentOr<Order::first(Order::lengths), Nothing, Rest...>;
  using Value          = typename AccumulatorOf<Named, typename Dest::non_const_value_type>::type;
  using Key            = typename Keys::non_const_value_type;

  static constexpr bool compares = [] {
    if constexpr (std::is_same_v<Equal, core::EqualTo>)
      return requires(Key const& key) {
        { key == key } -> std::convertible_to<bool>;
      };
    else
      return std::is_invocable_r_v<bool, Equal const&, Key const&, Key const&>;
  }();
  /// Whether an init stands in the place of a function.
  template <class Function>
  static constexpr bool is_init = is_rank_0_view<Function> || std::is_constructible_v<Value, Function const&>;

  template <class Exec>
  static consteval bool check() {
    constexpr bool has_init =
        roles.init == absent && ((!OperatorOn<Op, Value> && is_init<Op>) || (!compares && is_init<Equal>));
    static_assert(!has_init, "KokkosScan: inclusive_scan_by_key takes no init: behind dest stand op and key_equal");
    static_assert(has_init || compares,
                  "KokkosScan: key_equal must be callable as bool key_equal(Key, Key), and a const key_equal must be; "
                  "it stands behind op, and keys with == need none");
    static_assert(Order::first(Order::totals) == absent,
                  "KokkosScan: a scan by key has no total; that of a run is the last result of an inclusive one");
    constexpr bool along_axis = Order::first(Order::axes) != absent;
    static_assert(!along_axis, "KokkosScan: a scan by key has no Axis: its Views have rank 1");
    if constexpr (!has_init && compares && !along_axis)
      return check_functions<Value, typename From::non_const_value_type, Op, Unchanged, Init>() &&
             check_init<Exec, Init>() && check_stored<Value, Dest>() && check_length<Exec, LengthArgument>();
    else
      return false;
  }
};

/// What can be wrong with the Views of a call, of which so many elements are looked at.
template <class Keys, class From, class Dest, class Init, class LengthArgument>
void check_keyed_views(std::string const& label, Keys const& keys, From const& from, Dest const& dest, Init const& init,
                       std::size_t most, LengthArgument const& length) {
  check_extents(label, "from", most, "keys", keys.extent(0));
  check_extents(label, "from", most, "dest", dest.extent(0));
  Footprint const inputs = footprint(from, most), results = footprint(dest, most);
  check_distinct(label, "dest", results);
  check_in_place_or_apart(label, "from", inputs, "dest", results);
  check_apart(label, "keys", footprint(keys, most), "dest", results);
  check_length_apart(label, results, length);
  if constexpr (Kokkos::is_view_v<Init>) check_apart(label, "dest", results, "init", footprint(init));
}

/// Calls f with each of some Views as an array, in the direction of a scan.
template <bool reversed, class F>
void with_arrays(std::size_t, F const& f) {
  f();
}
template <bool reversed, class F, class View, class... Views>
void with_arrays(std::size_t n, F const& f, View const& view, Views const&... views) {
  driver::with_elements(view, [&](auto const& elements) {
    auto const array = in_direction<reversed>(elements, n);
    driver::with_arrays<reversed>(n, [&](auto const&... arrays) { f(array, arrays...); }, views...);
  });
}

/// The scan of arrays by key, what its first element is and what stands before that being as they are given.
template <core::Kind kind, class Value, class Start, class Keys, class From, class Dest, class Op, class Equal,
          class First>
auto make_keyed_scan(Keys const& keys, From const& from, Dest const& dest, std::size_t n, Op const& op,
                     Equal const& equal, Start const& start, First const& first,
                     core::Maybe<core::Keyed<Value>> const& before) {
  using Source       = core::FromKeyedArray<Value, Keys, From, Op, Equal, Start, First>;
  auto const problem = [&]<class Sink>(Sink const& sink) {
    return core::Problem<core::Keyed<Value>, Source, core::WithinRuns<Value, Op>, Sink>{
        {keys, from, op, equal, first, start}, sink, n, {op}, before, nullptr};
  };
  if constexpr (kind == core::Kind::inclusive)
    return problem(core::ToArrayByKey<Value, Dest>{dest});
  else
    return problem(core::ToArrayByKeyBehindInit<Value, Dest, Start>{dest, start});
}

/// What stands before each run.
template <core::Kind kind, class ExecOrHandle, class Value, class Init>
auto start_of_runs(Init const& init) {
  if constexpr (kind == core::Kind::inclusive)
    return core::NoInit{};
  else
    return start_of<typename BackendFor<ExecOrHandle>::type, Value>(init);
}

template <core::Kind kind, Roles roles, class ExecOrHandle, class Keys, class From, class Dest, class... Rest>
void scan_keys(std::string const& label, ExecOrHandle const& exec_or_handle, Keys const& keys, From const& from,
               Dest const& dest, std::tuple<Rest...> const& rest) {
  using C            = KeyedCall<roles, Keys, From, Dest, Rest...>;
  using Order        = typename C::Order;
  using Value        = typename C::Value;
  auto const& op     = argument_or<Order::index(roles.op), Sum>(rest);
  auto const& equal  = argument_or<Order::index(roles.equal), core::EqualTo>(rest);
  auto const& init   = argument_or<Order::index(roles.init), Nothing>(rest);
  auto const& length = argument_or<Order::first(Order::lengths), Nothing>(rest);

  std::size_t const most = most_of(label, from.extent(0), length);
  std::size_t const n    = known_length<typename BackendFor<ExecOrHandle>::type>(most, length);
  check_keyed_views(label, keys, from, dest, init, most, length);
  driver::with_arrays<Order::reversed>(
      n,
      [&](auto const&... arrays) {
        driver::run_of_length<Order::reversed>(
            label, exec_or_handle,
            driver::make_keyed_scan<kind, Value>(
                arrays..., n, for_exec<ExecOrHandle>(op), for_exec<ExecOrHandle>(equal),
                start_of_runs<kind, ExecOrHandle, Value>(init), core::FirstBeginsRun{}, {}),
            length, Nothing{});
      },
      keys, from, dest);
}

/// Whether the arguments of a call are as they must be, in words.
template <Roles roles, class Exec, class Keys, class From, class Dest, class... Rest>
consteval bool check_keyed_call() {
  if constexpr (check_keys<Keys, Exec>() && check_view<From, Exec>() && check_view<Dest, Exec>())
    if constexpr (check_dest<Dest>() && check_arguments<roles, Rest...>())
      return KeyedCall<roles, Keys, From, Dest, Rest...>::template check<Exec>();
  return false;
}

/// A call of the API: first what its arguments are, and only if they are as they must be the rest.
template <core::Kind kind, Roles roles, class ExecOrHandle, class Keys, class From, class Dest, class... Rest>
void key_arguments(std::string const& label, ExecOrHandle const& exec_or_handle, Keys const& keys, From const& from,
                   Dest const& dest, std::tuple<Rest...> const& rest) {
  static_assert(is_exec_or_handle<ExecOrHandle>,
                "KokkosScan: exec must be a Kokkos execution space instance or a KokkosScan::Handle");
  if constexpr (is_exec_or_handle<ExecOrHandle>)
    if constexpr (check_keyed_call<roles, InstanceOf<ExecOrHandle>, Keys, From, Dest, Rest...>())
      scan_keys<kind, roles>(label, exec_or_handle, keys, from, dest, rest);
}

/// What stands behind dest.
inline constexpr Roles inclusive_by_key{.op = 0, .unary = absent, .init = absent, .required = 0, .most = 2, .equal = 1};
inline constexpr Roles exclusive_by_key{.op = 1, .unary = absent, .init = 0, .required = 1, .most = 3, .equal = 2};

}  // namespace KokkosScan::driver
