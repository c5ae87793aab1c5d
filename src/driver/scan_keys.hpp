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

template <core::Kind kind, Roles roles, class ExecOrHandle, class Keys, class From, class Dest, class... Rest>
void scan_keys(std::string const& label, ExecOrHandle const& exec_or_handle, Keys const& keys, From const& from,
               Dest const& dest, std::tuple<Rest...> const& rest) {
  using C            = KeyedCall<roles, Keys, From, Dest, Rest...>;
  using Order        = typename C::Order;
  using Value        = typename C::Value;
  auto const& given  = argument_or<Order::index(roles.op), Sum>(rest);
  auto const& same   = argument_or<Order::index(roles.equal), core::EqualTo>(rest);
  auto const& op     = for_exec<ExecOrHandle>(given);
  auto const& equal  = for_exec<ExecOrHandle>(same);
  using Op           = std::decay_t<decltype(op)>;
  using Equal        = std::decay_t<decltype(equal)>;
  auto const& init   = argument_or<Order::index(roles.init), Nothing>(rest);
  auto const& length = argument_or<Order::first(Order::lengths), Nothing>(rest);

  std::size_t const most = most_of(label, from.extent(0), length);
  std::size_t const n    = known_length<typename BackendFor<ExecOrHandle>::type>(most, length);

  check_extents(label, "from", most, "keys", keys.extent(0));
  check_extents(label, "from", most, "dest", dest.extent(0));
  Footprint const inputs = footprint(from, most), results = footprint(dest, most);
  check_distinct(label, "dest", results);
  check_in_place_or_apart(label, "from", inputs, "dest", results);
  check_apart(label, "keys", footprint(keys, most), "dest", results);
  check_length_apart(label, results, length);
  if constexpr (Kokkos::is_view_v<typename C::Init>) check_apart(label, "dest", results, "init", footprint(init));

  auto const start = [&] {
    if constexpr (kind == core::Kind::inclusive)
      return core::NoInit{};
    else
      return start_of<typename BackendFor<ExecOrHandle>::type, Value>(init);
  }();
  using Start = std::remove_const_t<decltype(start)>;
  driver::with_elements(keys, [&](auto const& key_elements) {
    driver::with_elements(from, [&](auto const& elements) {
      driver::with_elements(dest, [&](auto const& outputs) {
        auto const key_array  = in_direction<Order::reversed>(key_elements, n);
        auto const from_array = in_direction<Order::reversed>(elements, n);
        auto const dest_array = in_direction<Order::reversed>(outputs, n);
        using Array           = std::remove_const_t<decltype(dest_array)>;
        using Source          = core::FromKeyedArray<Value, std::remove_const_t<decltype(key_array)>,
                                                     std::remove_const_t<decltype(from_array)>, Op, Equal, Start>;
        auto const run_into   = [&](auto const& sink) {
          using Sink = std::remove_cvref_t<decltype(sink)>;
          driver::run_of_length<Order::reversed>(
              label, exec_or_handle,
              core::Problem<core::Keyed<Value>, Source, core::WithinRuns<Value, Op>, Sink>{
                  {key_array, from_array, op, equal, start}, sink, n, {op}, {}, nullptr},
              length, Nothing{});
        };
        if constexpr (kind == core::Kind::inclusive)
          run_into(core::ToArrayByKey<Value, Array>{dest_array});
        else
          run_into(core::ToArrayByKeyBehindInit<Value, Array, Start>{dest_array, start});
      });
    });
  });
}

/// A call of the API: first what its arguments are, in words, and only if they are as they must be the rest.
template <core::Kind kind, Roles roles, class ExecOrHandle, class Keys, class From, class Dest, class... Rest>
void key_arguments(std::string const& label, ExecOrHandle const& exec_or_handle, Keys const& keys, From const& from,
                   Dest const& dest, std::tuple<Rest...> const& rest) {
  static_assert(is_exec_or_handle<ExecOrHandle>,
                "KokkosScan: exec must be a Kokkos execution space instance or a KokkosScan::Handle");
  if constexpr (is_exec_or_handle<ExecOrHandle>) {
    using Exec = std::remove_cvref_t<decltype(instance(exec_or_handle))>;
    if constexpr (check_keys<Keys, Exec>() && check_view<From, Exec>() && check_view<Dest, Exec>())
      if constexpr (check_dest<Dest>() && check_arguments<roles, Rest...>())
        if constexpr (KeyedCall<roles, Keys, From, Dest, Rest...>::template check<Exec>())
          scan_keys<kind, roles>(label, exec_or_handle, keys, from, dest, rest);
  }
}

}  // namespace KokkosScan::driver
