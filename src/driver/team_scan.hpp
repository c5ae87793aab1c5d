// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "../core/problem.hpp"
#include "arguments.hpp"
#include "team_backend.hpp"
#include "views.hpp"

// Scans by the threads of a team: from the arguments of a call in a kernel to a problem. All of it is for devices, too,
// and needs nothing of what a host does before a scan.
namespace KokkosScan::driver {

/// The argument of that index, or the fallback where there is none.
template <std::size_t, class Fallback>
KOKKOS_FUNCTION Fallback kernel_argument_or() {
  return {};
}
template <std::size_t index, class Fallback, class First, class... Rest>
KOKKOS_FUNCTION decltype(auto) kernel_argument_or(First const& first, Rest const&... rest) {
  if constexpr (index == absent)
    return Fallback{};
  else if constexpr (index == 0)
    return (first);
  else
    return kernel_argument_or<index - 1, Fallback>(rest...);
}

/// What is said before anything of Views: of those of a higher rank that would be to name an Axis.
template <class... Rest>
consteval bool check_no_axis_or_length() {
  using Order                = Sorted<Rest...>;
  constexpr bool has_no_axis = Order::count(Order::axes) == 0;
  static_assert(has_no_axis, "KokkosScan: scans of a team have no Axis: let each team scan subviews of rank 1");
  constexpr bool has_no_length = Order::count(Order::lengths) == 0;
  static_assert(has_no_length, "KokkosScan: scans of a team take no Length: write subviews that have so many elements");
  return has_no_axis && has_no_length;
}

/// What arguments are in a call of a team.
template <Roles roles, class Value, class... Rest>
struct TeamCall {
  using Order = Sorted<Rest...>;

  // Constants: nvcc takes no functions of the host's for template arguments in a kernel.
  static constexpr std::size_t op_at    = Order::index(roles.op);
  static constexpr std::size_t init_at  = Order::index(roles.init);
  static constexpr std::size_t total_at = Order::first(Order::totals);

  using Op    = ArgumentOr<op_at, Sum, Rest...>;
  using Init  = ArgumentOr<init_at, Nothing, Rest...>;
  using Total = ArgumentOr<total_at, Nothing, Rest...>;
  using Start = core::Maybe<Value>;

  template <class Given>
  static consteval bool check() {
    constexpr bool is_value = !is_rank_0_view<Init>;
    static_assert(is_value, "KokkosScan: init is a value in a kernel: write view()");
    constexpr bool has_no_as = Order::count(Order::named) == 0;
    static_assert(has_no_as, "KokkosScan: scans of a team take no As<T>{}");
    return is_value && has_no_as && check_functions<Value, Given, Op, Unchanged, Init>();
  }

  KOKKOS_FUNCTION static Op op(Rest const&... rest) { return kernel_argument_or<op_at, Sum>(rest...); }
  KOKKOS_FUNCTION static Start start(Rest const&... rest) {
    if constexpr (std::is_same_v<Init, Nothing>)
      return {};
    else
      return static_cast<Value>(kernel_argument_or<init_at, Nothing>(rest...));
  }
};

/// Slots for as many values in the scratch of the team. They are taken from a copy, so that they are free again when
/// the scan is done.
template <class Value, class Member>
KOKKOS_FUNCTION Value* team_slots(Member const& team, int count) {
  if (count == 0) return nullptr;
  constexpr std::uintptr_t alignment = alignof(Value);
  auto const scratch                 = team.team_scratch(0);
  void* const memory = scratch.get_shmem(static_cast<std::size_t>(count) * sizeof(Value) + alignment - 1);
  if (!memory)
    Kokkos::abort(
        "KokkosScan: the team has too little scratch for its scan: let set_scratch_size(0, Kokkos::PerTeam(bytes)) "
        "have "
        "team_scan_scratch<T>(team_size) bytes more");
  return reinterpret_cast<Value*>((reinterpret_cast<std::uintptr_t>(memory) + alignment - 1) / alignment * alignment);
}

/// The elements of a View in the direction of a scan.
template <bool reversed, class View>
KOKKOS_FUNCTION auto team_array(View const& view, [[maybe_unused]] std::size_t n) {
  using Element    = typename View::value_type;
  auto const array = [&] {
    if constexpr (is_contiguous<View>)
      return core::Contiguous<Element>{view.data()};
    else
      return core::Strided<Element>{view.data(), static_cast<std::ptrdiff_t>(view.stride(0))};
  }();
  if constexpr (reversed)
    return core::backwards(array, n);
  else
    return array;
}

template <core::Kind kind, class C, class Value, class Member, class From, class Dest, class... Rest>
KOKKOS_FUNCTION void scan_views_of_team(Member const& team, From const& from, Dest const& dest, Rest const&... rest) {
  using Scans         = typename TeamScansOf<typename Member::execution_space>::type;
  std::size_t const n = from.extent(0);
  if (dest.extent(0) < n) Kokkos::abort("KokkosScan: dest of a team's scan is shorter than from");
  auto const inputs  = team_array<C::Order::reversed>(from, n);
  auto const results = team_array<C::Order::reversed>(dest, n);
  using Problem = core::ArrayScan<kind, Value, std::remove_cv_t<decltype(inputs)>, std::remove_cv_t<decltype(results)>,
                                  typename C::Op>;
  Problem const problem{{inputs, {}}, {results}, n, C::op(rest...), C::start(rest...), nullptr};
  Scans::scan(team, problem, [&] { return team_slots<Value>(team, Scans::slots(team)); });
}

template <core::Kind kind, Roles roles, class Member, class From, class Dest, class... Rest>
KOKKOS_FUNCTION void team_scan_arguments(Member const& team, From const& from, Dest const& dest, Rest const&... rest) {
  using Exec = typename Member::execution_space;
  if constexpr (check_no_axis_or_length<Rest...>())
    if constexpr (check_view<From, Exec>() && check_view<Dest, Exec>())
      if constexpr (check_dest<Dest>() && check_arguments<roles, Rest...>()) {
        using Value             = typename Dest::value_type;
        using C                 = TeamCall<roles, Value, Rest...>;
        constexpr bool no_total = std::is_same_v<typename C::Total, Nothing>;
        static_assert(no_total, "KokkosScan: a team's scan into a View takes no Total: read the last result");
        if constexpr (no_total)
          if constexpr (C::template check<typename From::non_const_value_type>())
            scan_views_of_team<kind, C, Value>(team, from, dest, rest...);
      }
}

template <core::Kind kind, class C, class Member, class Value, class... Rest>
KOKKOS_FUNCTION Value scan_values_of_team(Member const& team, Value const& value, Rest const&... rest) {
  using Scans        = typename TeamScansOf<typename Member::execution_space>::type;
  using Order        = typename C::Order;
  auto const op      = C::op(rest...);
  auto const combine = [&](Value const& left, Value const& right) { return static_cast<Value>(op(left, right)); };
  auto const result  = [&](auto const& before, Value const& through, [[maybe_unused]] auto const& total) -> Value {
    if constexpr (is_total<typename C::Total>)
      core::put(kernel_argument_or<C::total_at, Nothing>(rest...).value, *total);
    if constexpr (kind == core::Kind::exclusive)
      return *before;
    else
      return through;
  };
  return Scans::template scan_values<Order::reversed>(team, value, C::start(rest...), combine,
                                                      team_slots<Value>(team, Scans::slots(team)), result);
}

template <core::Kind kind, Roles roles, class Member, class Value, class... Rest>
KOKKOS_FUNCTION Value team_value_arguments(Member const& team, Value const& value, Rest const&... rest) {
  constexpr bool serves = ValueType<Value>;
  static_assert(serves, "KokkosScan: what a thread brings must be trivially copyable and of 1 to 64 bytes");
  if constexpr (serves && check_no_axis_or_length<Rest...>() && check_arguments<roles, Rest...>()) {
    using C                    = TeamCall<roles, Value, Rest...>;
    constexpr bool to_variable = !requires { typename C::Total::memory_space; };
    static_assert(to_variable, "KokkosScan: the total of a team is a variable, which each thread gets");
    constexpr bool has_its_type = [] {
      if constexpr (is_total<typename C::Total>)
        return std::is_same_v<typename C::Total::value_type, Value>;
      else
        return true;
    }();
    static_assert(has_its_type, "KokkosScan: a total must have the type of what a thread brings");
    if constexpr (to_variable && has_its_type)
      if constexpr (C::template check<Value>()) return scan_values_of_team<kind, C>(team, value, rest...);
  }
  return value;  // of a call that does not compile
}

}  // namespace KokkosScan::driver
