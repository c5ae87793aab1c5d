// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <tuple>
#include <type_traits>

#include "../core/slots.hpp"
#include "counted.hpp"
#include "function.hpp"
#include "scan_views.hpp"

// Slots that many ask for, from one scan.
namespace KokkosScan::driver {

template <class View, class Exec>
consteval bool check_requests() {
  if constexpr (check_array<View, Exec>()) {
    constexpr bool counts = CountType<ValueIn<View>> && sizeof(ValueIn<View>) <= 8;
    static_assert(counts, "KokkosScan: requests must be a View of integers");
    return counts;
  } else {
    return false;
  }
}
template <class View, class Exec>
consteval bool check_begins() {
  if constexpr (check_array<View, Exec>()) {
    constexpr bool counts = CountType<ValueIn<View>> && !std::is_const_v<typename View::value_type>;
    static_assert(counts, "KokkosScan: begins must be a View of non-const integers");
    return counts;
  } else {
    return false;
  }
}
template <class View, class Exec>
consteval bool check_granted() {
  if constexpr (check_array<View, Exec>()) {
    constexpr bool tells = std::is_integral_v<ValueIn<View>> && !std::is_const_v<typename View::value_type>;
    static_assert(tells, "KokkosScan: granted must be a View of non-const bool or integers");
    return tells;
  } else {
    return false;
  }
}

/// What a call reads and writes must be large enough and apart; begins may be requests.
template <class Requests, class Begins, class Granted>
void check_views_of_slots(std::string const& label, Requests const& requests, Begins const& begins,
                          Granted const& granted) {
  std::size_t const n = requests.extent(0);
  check_extents(label, "requests", n, "begins", begins.extent(0));
  check_extents(label, "requests", n, "granted", granted.extent(0));
  Footprint const asked = footprint(requests, n), first = footprint(begins, n), told = footprint(granted, n);
  check_distinct(label, "begins", first);
  check_distinct(label, "granted", told);
  check_in_place_or_apart(label, "requests", asked, "begins", first);
  check_apart(label, "requests", asked, "granted", told);
  check_apart(label, "begins", first, "granted", told);
}

/// Whether so many requests can add up to more than a std::size_t holds, behind what is taken before them.
template <class Request>
bool may_overflow(std::size_t n, std::size_t taken) {
  return n > (static_cast<std::size_t>(-1) - taken) / core::highest_of<Request>;
}

/// The type of the total.
template <class Total>
struct AskedOf {
  using type = std::size_t;
};
template <class Total>
  requires is_total<Total>
struct AskedOf<Total> {
  using type = typename Total::value_type;
};

/// The scan. The start is what is taken before, and no more than `most`.
template <bool keeps_level, class ExecOrHandle, class Requests, class Begins, class Granted, class Capacity,
          class Start, class Total>
void run_slots(std::string const& label, ExecOrHandle const& exec, Requests const& requests, Begins const& begins,
               Granted const& granted, Capacity const& capacity, Start const& start, std::size_t taken_most,
               std::size_t* level, Total const& total) {
  using Asked         = typename AskedOf<Total>::type;
  std::size_t const n = requests.extent(0);
  bool const checks   = may_overflow<ValueIn<Requests>>(n, taken_most);
  driver::with_elements(requests, [&](auto const& asked) {
    driver::with_elements(begins, [&](auto const& firsts) {
      driver::with_elements(granted, [&](auto const& told) {
        using Source = core::FromArray<std::size_t, std::remove_cvref_t<decltype(asked)>, core::RequestedSlots>;
        using Sink   = core::ToSlots<keeps_level, std::remove_cvref_t<decltype(firsts)>,
                                     std::remove_cvref_t<decltype(told)>, Capacity, Asked>;
        driver::run_with_total(label, exec,
                               core::Problem<std::size_t, Source, core::AddSlots, Sink, Start>{
                                   {asked, {}}, {firsts, told, capacity, level, n}, n, {checks}, start, nullptr},
                               total);
      });
    });
  });
}

struct AllocateSlots {
  template <class ExecOrHandle, class Requests, class Capacity, class Begins, class Granted, class... Rest>
  static void call(std::string const& label, ExecOrHandle const& exec, Requests const& requests,
                   Capacity const& capacity, Begins const& begins, Granted const& granted, Rest&&... rest) {
    using Exec = InstanceOf<ExecOrHandle>;
    if constexpr (check_requests<Requests, Exec>() && check_capacity<Capacity, Exec>() &&
                  check_begins<Begins, Exec>() && check_granted<Granted, Exec>() && check_rest<Exec, Rest...>()) {
      using Order       = Sorted<Rest...>;
      auto const others = std::forward_as_tuple(static_cast<Rest&&>(rest)...);
      auto const& total = argument_or<Order::first(Order::totals), Nothing>(others);
      check_views_of_slots(label, requests, begins, granted);
      check_others(label, requests, capacity, begins, granted, total);
      driver::run_slots<false>(
          label, exec, requests, begins, granted,
          capacity_of<typename BackendFor<ExecOrHandle>::type>(label, capacity, core::highest_of<ValueIn<Begins>>),
          core::Maybe<std::size_t>(std::size_t{0}), 0, nullptr, total);
    }
  }

 private:
  template <class Capacity, class Exec>
  static consteval bool check_capacity() {
    constexpr bool counts = [] {
      if constexpr (is_rank_0_view<Capacity>)
        return CountType<typename Capacity::non_const_value_type> && sizeof(typename Capacity::value_type) <= 8;
      else
        return CountType<Capacity> && sizeof(Capacity) <= 8;
    }();
    static_assert(counts, "KokkosScan: capacity must be an integer, or a View of rank 0 of one");
    if constexpr (counts && is_rank_0_view<Capacity>) {
      constexpr bool reaches = Kokkos::SpaceAccessibility<Exec, typename Capacity::memory_space>::accessible;
      static_assert(reaches, "KokkosScan: exec cannot access the memory space of capacity");
      return reaches;
    } else {
      return counts;
    }
  }

  template <class Exec, class... Rest>
  static consteval bool check_rest() {
    using Order            = Sorted<Rest...>;
    using TotalArgument    = ArgumentOr<Order::first(Order::totals), Nothing, Rest...>;
    constexpr bool no_more = sizeof...(Rest) == Order::count(Order::totals) && sizeof...(Rest) <= 1;
    static_assert(no_more, "KokkosScan: behind granted may stand a Total{x} and nothing else");
    if constexpr (no_more && is_total<TotalArgument>) {
      using Asked               = typename TotalArgument::value_type;
      constexpr bool is_integer = CountType<Asked> && sizeof(Asked) <= 8;
      static_assert(is_integer, "KokkosScan: the total of slots must be an integer");
      return is_integer && check_total<Asked, Exec, TotalArgument>();
    } else {
      return no_more;
    }
  }

  template <class Requests, class Capacity, class Begins, class Granted, class Total>
  static void check_others(std::string const& label, Requests const& requests,
                           [[maybe_unused]] Capacity const& capacity, Begins const& begins, Granted const& granted,
                           [[maybe_unused]] Total const& total) {
    std::size_t const n = requests.extent(0);
    if constexpr (is_rank_0_view<Capacity>) {
      check_apart(label, "capacity", footprint(capacity), "begins", footprint(begins, n));
      check_apart(label, "capacity", footprint(capacity), "granted", footprint(granted, n));
      if constexpr (is_total<Total>) check_total_apart(label, "capacity", footprint(capacity), total);
    }
    if constexpr (is_total<Total>) {
      check_total_apart(label, "requests", footprint(requests, n), total);
      check_total_apart(label, "begins", footprint(begins, n), total);
      check_total_apart(label, "granted", footprint(granted, n), total);
    }
  }

  /// A backend that is done when it returns reads it now.
  template <class Backend, class Capacity>
  static auto capacity_of(std::string const& label, Capacity const& capacity, std::size_t limit) {
    if constexpr (!is_rank_0_view<Capacity>)
      return core::GivenCapacity{std::min(driver::length_of(label, capacity, "capacity"), limit)};
    else if constexpr (runs_at_once<Backend>)
      return core::GivenCapacity{core::clamped(*capacity.data(), limit)};
    else
      return core::StoredCapacity<typename Capacity::non_const_value_type>{capacity.data(), limit};
  }
};

/// The same within memory that calls share, each going on where the one before has ended.
struct AllocateInArena {
  /// `before` is room for a copy of the level, which kernels read while one of them writes the next.
  template <class ExecOrHandle, class Level, class Requests, class Begins, class Granted>
  static void call(std::string const& label, ExecOrHandle const& exec, std::size_t capacity, Level const& level,
                   Level const& before, Requests const& requests, Begins const& begins, Granted const& granted) {
    using Exec    = InstanceOf<ExecOrHandle>;
    using Backend = typename BackendFor<ExecOrHandle>::type;
    if constexpr (check_requests<Requests, Exec>() && check_begins<Begins, Exec>() && check_granted<Granted, Exec>() &&
                  check_level<Level, Exec>()) {
      check_views_of_slots(label, requests, begins, granted);
      if (requests.extent(0) == 0) return;
      if constexpr (!runs_at_once<Backend>)
        driver::copy_on(driver::instance(exec), static_cast<std::size_t const*>(level.data()), before.data());
      auto const start = start_of<Backend, std::size_t>(runs_at_once<Backend> ? level : before);
      driver::run_slots<true>(label, exec, requests, begins, granted,
                              core::GivenCapacity{std::min(capacity, core::highest_of<ValueIn<Begins>>)}, start,
                              capacity, level.data(), Nothing{});
    }
  }

  template <class ExecOrHandle, class Level>
  static void reset(ExecOrHandle const& exec, Level const& level) {
    if constexpr (check_level<Level, InstanceOf<ExecOrHandle>>()) {
      if constexpr (runs_at_once<typename BackendFor<ExecOrHandle>::type>)
        *level.data() = 0;
      else
        Kokkos::deep_copy(driver::instance(exec), level, std::size_t{0});
    }
  }

 private:
  template <class Level, class Exec>
  static consteval bool check_level() {
    constexpr bool reaches = Kokkos::SpaceAccessibility<Exec, typename Level::memory_space>::accessible;
    static_assert(reaches, "KokkosScan: exec cannot access the memory space of the arena");
    return reaches;
  }
};

}  // namespace KokkosScan::driver
