// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <mpi.h>

#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>

#include "../core/run_state.hpp"
#include "../driver/last_run.hpp"
#include "../driver/scan_keys.hpp"
#include "calls.hpp"
#include "crossing.hpp"

// Scans by key across ranks. What crosses is what the last run of each rank combines to; the first run of a rank that
// goes on with one of the ranks before begins with that, and all is written by one scan.
namespace KokkosScan::ranks {

template <core::Kind kind, driver::Roles roles, class ExecOrHandle, class Keys, class From, class Dest, class... Rest>
void scan_keys(std::string const& label, MPI_Comm comm, ExecOrHandle const& exec_or_handle, Keys const& keys,
               From const& from, Dest const& dest, std::tuple<Rest...> const& rest) {
  using C           = driver::KeyedCall<roles, Keys, From, Dest, Rest...>;
  using Order       = typename C::Order;
  using Value       = typename C::Value;
  using Key         = typename C::Key;
  using State       = core::RunState<Key, Value>;
  using Join        = core::JoinRunStates<Key, Value, typename C::Op, typename C::Equal>;
  auto const& op    = driver::argument_or<Order::index(roles.op), Sum>(rest);
  auto const& equal = driver::argument_or<Order::index(roles.equal), core::EqualTo>(rest);
  auto const& init  = driver::argument_or<Order::index(roles.init), driver::Nothing>(rest);

  Channel& channel        = Channel::of(comm, label);
  std::size_t const n     = from.extent(0);
  bool const is_before_it = channel.rank() != (Order::reversed ? channel.size() - 1 : 0),
             is_behind_it = channel.rank() != (Order::reversed ? 0 : channel.size() - 1);

  ranks::check_calls_agree(channel, label, exec_or_handle, [] {
    return std::string(kind == core::Kind::inclusive ? "inclusive" : "exclusive") + " by key" +
           (Order::reversed ? ", reversed" : "") + ", of " + std::string(type_name<Value>()) + " with keys " +
           std::string(type_name<Key>()) + ", by " + std::string(type_name<typename C::Op>());
  });
  core::Maybe<Key> first;
  auto const own = [&] {
    ranks::refuse_in_capture(label, exec_or_handle);
    driver::check_keyed_views(label, keys, from, dest, init, n, driver::Nothing{});
    core::Maybe<State> state;
    if (n == 0) return state;
    auto const key_array = driver::array_of<Order::reversed>(keys, n);
    if (is_behind_it)
      state.put(driver::find_last_run<Value>(label, exec_or_handle, key_array,
                                             driver::array_of<Order::reversed>(from, n), n, op, equal));
    if (is_before_it) first.put(state ? (*state).first : driver::read_element(label, exec_or_handle, key_array, 0));
    return state;
  };
  Crossing<State, Join> crossing(channel, label, Order::reversed, Join{op, equal}, own);
  core::Maybe<State> const& before = crossing.wait();

  crossing.finish([&] {
    if (n == 0) return;
    auto const before_runs = [&] {
      if constexpr (kind == core::Kind::exclusive) return driver::read_init<Value>(label, exec_or_handle, init);
    };
    auto const carry = core::carry_into_run<kind>(before, first, op, equal, before_runs);
    driver::scan_keys_behind<kind, Order::reversed>(carry, label, exec_or_handle, keys, from, dest, op, equal, init);
  });
}

/// A call of the API: as that of one rank, but for what is known on exec alone.
template <core::Kind kind, driver::Roles roles, class ExecOrHandle, class Keys, class From, class Dest, class... Rest>
void key_arguments(std::string const& label, MPI_Comm comm, ExecOrHandle const& exec_or_handle, Keys const& keys,
                   From const& from, Dest const& dest, std::tuple<Rest...> const& rest) {
  using Exec = driver::InstanceOf<ExecOrHandle>;
  if constexpr (driver::check_keyed_call<roles, Exec, Keys, From, Dest, Rest...>()) {
    using Order             = driver::Sorted<Rest...>;
    constexpr bool is_known = Order::first(Order::lengths) == driver::absent;
    static_assert(is_known,
                  "KokkosScan: across ranks there is no Length: how many elements a rank has is the extent of from");
    if constexpr (is_known) ranks::scan_keys<kind, roles>(label, comm, exec_or_handle, keys, from, dest, rest);
  }
}

}  // namespace KokkosScan::ranks
