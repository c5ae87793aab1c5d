// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <tuple>
#include <type_traits>

#include "../core/problem.hpp"
#include "arguments.hpp"
#include "host_function.hpp"
#include "lengths.hpp"
#include "run_scan.hpp"
#include "views.hpp"

// From the arguments of the API to a Scan: everything that can be wrong with a call is found here, before anything is
// written.
namespace KokkosScan::driver {

/// What stands before the first element: nothing, a value, what may be either, or an address that is read when the scan
/// is made. A backend that is done when it returns reads it now.
template <class Backend, class Value, class Init>
auto start_of(Init const& init) {
  if constexpr (std::is_same_v<Init, Nothing>)
    return core::Maybe<Value>{};
  else if constexpr (std::is_same_v<Init, core::Maybe<Value>>)
    return init;
  else if constexpr (!Kokkos::is_view_v<Init>)
    return core::Maybe<Value>(static_cast<Value>(init));
  else if constexpr (runs_at_once<Backend>)
    return core::Maybe<Value>(static_cast<Value>(*init.data()));
  else
    return core::StoredStart<typename Init::non_const_value_type>{init.data()};
}

/// The start is made where it stands in the scan: a copy of what was just written in parts would wait for the writes,
/// which is half the time of a call for one element.
template <core::Kind kind, class Value, class ExecOrHandle, class From, class Dest, class Op, class Unary, class Init>
auto make_scan(From const& from, Dest const& dest, std::size_t n, Op const& op, Unary const& unary, Init const& init) {
  using Backend = typename BackendFor<ExecOrHandle>::type;
  using Start   = decltype(start_of<Backend, Value>(init));
  using Called  = std::decay_t<decltype(for_exec<ExecOrHandle>(op))>;
  using Applied = std::decay_t<decltype(for_exec<ExecOrHandle>(unary))>;
  return core::ArrayScan<kind, Value, From, Dest, Called, Applied, Start>{
      {from, for_exec<ExecOrHandle>(unary)}, {dest}, n, for_exec<ExecOrHandle>(op),
      start_of<Backend, Value>(init),        nullptr};
}

/// The same of which nothing is stored.
template <class Value, class ExecOrHandle, class From, class Op, class Unary, class Init>
auto make_reduction(From const& from, std::size_t n, Op const& op, Unary const& unary, Init const& init, Value* total) {
  using Start   = decltype(start_of<typename BackendFor<ExecOrHandle>::type, Value>(init));
  using Called  = std::decay_t<decltype(for_exec<ExecOrHandle>(op))>;
  using Applied = std::decay_t<decltype(for_exec<ExecOrHandle>(unary))>;
  return core::Problem<Value, core::FromArray<Value, From, Applied>, Called, core::Discard<Value>, Start>{
      {from, for_exec<ExecOrHandle>(unary)},
      {},
      n,
      for_exec<ExecOrHandle>(op),
      start_of<typename BackendFor<ExecOrHandle>::type, Value>(init),
      total};
}

/// An array as a scan goes through it.
template <bool reversed, class Array>
auto in_direction(Array const& array, std::size_t n) {
  if constexpr (reversed)
    return core::backwards(array, n);
  else
    return array;
}

/// Runs a scan, its total going where it was asked for.
template <class ExecOrHandle, class Problem, class TotalArgument>
void run_with_total(std::string const& label, ExecOrHandle const& exec_or_handle, Problem&& problem,
                    TotalArgument const& total) {
  if constexpr (std::is_same_v<TotalArgument, Nothing>) {
    driver::run_scan(label, exec_or_handle, problem);
  } else if constexpr (requires { total.address; }) {
    driver::send_total(problem, total.address);
    driver::run_scan(label, exec_or_handle, problem);
  } else {
    driver::run_scan(label, exec_or_handle, problem, total.value);
  }
}

/// The same of a scan whose length may be one that kernels read.
template <bool reversed, class ExecOrHandle, class Problem, class LengthArgument, class TotalArgument>
void run_of_length(std::string const& label, ExecOrHandle const& exec_or_handle, Problem&& problem,
                   LengthArgument const& length, TotalArgument const& total) {
  if constexpr (is_read_by_kernels<typename BackendFor<ExecOrHandle>::type, LengthArgument>)
    driver::run_with_total(label, exec_or_handle, of_stored_length<reversed>(problem, length), total);
  else
    driver::run_with_total(label, exec_or_handle, static_cast<Problem&&>(problem), total);
}

template <class TotalArgument>
void check_total_apart(std::string const& label, char const* name, Footprint const& view, TotalArgument const& total) {
  constexpr std::size_t size = sizeof(typename TotalArgument::value_type);
  void const* address        = nullptr;
  if constexpr (requires { total.address; })
    address = total.address;
  else
    address = &total.value;
  check_apart(label, name, view, "the total", Footprint{reinterpret_cast<std::uintptr_t>(address), 1, size, size});
}

template <class Op, class Init, class Value, class TotalArgument>
void check_total_of_nothing(std::string const& label, char const* why, std::size_t n, TotalArgument const&) {
  if constexpr (is_total<TotalArgument> && !HasIdentity<Op, Value> && std::is_same_v<Init, Nothing>)
    if (n == 0)
      throw std::invalid_argument(label + ": " + why +
                                  ", and the total of no values under an operator without identity<T>() is not "
                                  "defined; pass init");
}

/// The types of a call's arguments.
template <Roles roles, class From, class Dest, class... Rest>
struct Call {
  using Order          = Sorted<Rest...>;
  using Op             = ArgumentOr<Order::index(roles.op), Sum, Rest...>;
  using Unary          = ArgumentOr<Order::index(roles.unary), Unchanged, Rest...>;
  using Init           = ArgumentOr<Order::index(roles.init), Nothing, Rest...>;
  using TotalArgument  = ArgumentOr<Order::first(Order::totals), Nothing, Rest...>;
  using Named          = ArgumentOr<Order::first(Order::named), Nothing, Rest...>;
  using LengthArgument = ArgumentOr<Order::first(Order::lengths), Nothing, Rest...>;
  using Value          = typename AccumulatorOf<Named, typename Dest::non_const_value_type>::type;

  template <class Exec>
  static consteval bool check() {
    return check_functions<Value, typename From::non_const_value_type, Op, Unary, Init>() && check_init<Exec, Init>() &&
           check_total<Value, Exec, TotalArgument>() && check_stored<Value, Dest>() &&
           check_length<Exec, LengthArgument>() &&
           check_total_of_length<LengthArgument, TotalArgument, Op, Value, Init>();
  }
};

/// Where the Views of a scan lie, n being how many elements are scanned at most.
template <class From, class Dest, class Init, class TotalArgument>
void check_scan(std::string const& label, From const& from, Dest const& dest, std::size_t n, Init const& init,
                TotalArgument const& total) {
  check_extents(label, "from", n, "dest", dest.extent(0));
  Footprint const inputs = footprint(from, n), results = footprint(dest, n);
  check_distinct(label, "dest", results);
  check_in_place_or_apart(label, "from", inputs, "dest", results);
  if constexpr (Kokkos::is_view_v<Init>) check_apart(label, "dest", results, "init", footprint(init));
  if constexpr (is_total<TotalArgument>) {
    check_total_apart(label, "from", inputs, total);
    check_total_apart(label, "dest", results, total);
  }
}

template <core::Kind kind, Roles roles, class ExecOrHandle, class From, class Dest, class... Rest>
void scan_views(std::string const& label, ExecOrHandle const& exec_or_handle, From const& from, Dest const& dest,
                std::tuple<Rest...> const& rest) {
  using C     = Call<roles, From, Dest, Rest...>;
  using Order = typename C::Order;
  using Value = typename C::Value;

  auto const& op     = argument_or<Order::index(roles.op), Sum>(rest);
  auto const& unary  = argument_or<Order::index(roles.unary), Unchanged>(rest);
  auto const& init   = argument_or<Order::index(roles.init), Nothing>(rest);
  auto const& total  = argument_or<Order::first(Order::totals), Nothing>(rest);
  auto const& length = argument_or<Order::first(Order::lengths), Nothing>(rest);

  std::size_t const most = most_of(label, from.extent(0), length);
  std::size_t const n    = known_length<typename BackendFor<ExecOrHandle>::type>(most, length);

  check_scan(label, from, dest, most, init, total);
  check_length_apart(label, footprint(dest, most), length);
  if constexpr (is_total<typename C::TotalArgument>)
    check_total_of_nothing<typename C::Op, typename C::Init, Value>(label, "from is empty", n, total);

  driver::with_elements(from, [&](auto const& elements) {
    driver::with_elements(dest, [&](auto const& outputs) {
      driver::run_of_length<Order::reversed>(
          label, exec_or_handle,
          driver::make_scan<kind, Value, ExecOrHandle>(in_direction<Order::reversed>(elements, n),
                                                       in_direction<Order::reversed>(outputs, n), n, op, unary, init),
          length, total);
    });
  });
}

/// What the arguments of a call are, in words. Whether they are as they must be.
template <Roles roles, class ExecOrHandle, class From, class Dest, class... Rest>
consteval bool check_call() {
  static_assert(is_exec_or_handle<ExecOrHandle>,
                "KokkosScan: exec must be a Kokkos execution space instance or a KokkosScan::Handle");
  constexpr bool by_index = !Kokkos::is_view_v<Dest> && (is_rank_0_view<From> || std::is_arithmetic_v<From>);
  static_assert(!by_index,
                "KokkosScan: n must be an integer; one that a View of rank 0 holds is written Length{view, most}, most "
                "being an upper bound");
  if constexpr (is_exec_or_handle<ExecOrHandle> && !by_index) {
    using Exec = InstanceOf<ExecOrHandle>;
    if constexpr (check_view<From, Exec>() && check_view<Dest, Exec>())
      if constexpr (check_dest<Dest>() && check_arguments<roles, Rest...>())
        return Call<roles, From, Dest, Rest...>::template check<Exec>();
  }
  return false;
}

/// A call of the API: first what its arguments are, and only if they are as they must be the rest.
template <core::Kind kind, Roles roles, class ExecOrHandle, class From, class Dest, class... Rest>
void scan_arguments(std::string const& label, ExecOrHandle const& exec_or_handle, From const& from, Dest const& dest,
                    std::tuple<Rest...> const& rest) {
  if constexpr (check_call<roles, ExecOrHandle, From, Dest, Rest...>())
    scan_views<kind, roles>(label, exec_or_handle, from, dest, rest);
}

}  // namespace KokkosScan::driver
