// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>

#include "../core/problem.hpp"

// What the threads of a team scan together within a kernel of the user's, by Kokkos alone. Each thread has a piece,
// whose aggregate the others find in a slot of the team's scratch. Where a thread has several vector lanes, one of them
// writes.
namespace KokkosScan::portable {

using core::Maybe;

/// Stores the results of the elements from begin to end, which are not the same, as a plain loop does.
template <class Problem>
KOKKOS_FUNCTION void scan_in_order(Problem const& problem, std::size_t begin, std::size_t end,
                                   Maybe<typename Problem::Value> const& prefix) {
  using Value       = typename Problem::Value;
  auto const source = problem.source;
  auto const sink   = problem.sink;
  Value const first = source.load(begin);  // read before the store: dest may be from
  Value running     = problem.combine(prefix, first);
  core::store(sink, begin, [&] { return prefix ? *prefix : first; }, [&] { return first; }, [&] { return running; });
  for (std::size_t i = begin + 1; i < end; ++i) {
    Value const own = source.load(i);
    Value const before(running);
    core::put(running, problem.combine(before, own));
    core::store(sink, i, [&] { return before; }, [&] { return own; }, [&] { return running; });
  }
}

template <class Problem>
KOKKOS_FUNCTION typename Problem::Value reduce_in_order(Problem const& problem, std::size_t begin, std::size_t end) {
  using Value = typename Problem::Value;
  Value aggregate(problem.source.load(begin));
  for (std::size_t i = begin + 1; i < end; ++i)
    core::put(aggregate, problem.combine(aggregate, problem.source.load(i)));
  return aggregate;
}

struct TeamScans {
  /// How many slots a team needs.
  template <class Member>
  KOKKOS_FUNCTION static int slots(Member const& team) {
    return team.team_size() > 1 ? team.team_size() : 0;
  }

  template <class Member, class Problem, class Slots>
  KOKKOS_FUNCTION static void scan(Member const& team, Problem const& problem, Slots const& slots_of) {
    auto* const slots   = slots_of();
    std::size_t const n = problem.n;
    if (team.team_size() == 1) {
      if (n > 0) Kokkos::single(Kokkos::PerThread(team), [&] { scan_in_order(problem, 0, n, problem.start()); });
      team.team_barrier();
      return;
    }
    auto const threads       = static_cast<std::size_t>(team.team_size());
    auto const rank          = static_cast<std::size_t>(team.team_rank());
    std::size_t const length = (n + threads - 1) / threads;
    std::size_t const begin = rank * length < n ? rank * length : n, end = begin + length < n ? begin + length : n;
    if (end < n)  // of the last piece nobody asks for the aggregate
      Kokkos::single(Kokkos::PerThread(team), [&] { core::put(slots[rank], reduce_in_order(problem, begin, end)); });
    team.team_barrier();
    if (begin < end) {
      Maybe<typename Problem::Value> prefix = problem.start();
      for (std::size_t r = 0; r < rank; ++r) prefix.put(problem.combine(prefix, slots[r]));
      Kokkos::single(Kokkos::PerThread(team), [&] { scan_in_order(problem, begin, end, prefix); });
    }
    team.team_barrier();  // results are there, and the slots are free again
  }

  /// Calls result(before, through, total) with what stands before the thread's value, through it, and behind those of
  /// all threads.
  template <bool reversed, class Member, class Value, class Combine, class Result>
  KOKKOS_FUNCTION static auto scan_values(Member const& team, Value const& value, Maybe<Value> const& start,
                                          Combine const& combine, Value* slots, Result const& result) {
    int const threads = team.team_size(), rank = team.team_rank(), place = reversed ? threads - 1 - rank : rank;
    if (threads > 1) {
      Kokkos::single(Kokkos::PerThread(team), [&] { core::put(slots[place], value); });
      team.team_barrier();
    }
    auto const with = [&](Maybe<Value> const& left, Value const& right) -> Value {
      return left ? combine(*left, right) : right;
    };
    Maybe<Value> before = start;
    for (int k = 0; k < place; ++k) before.put(with(before, slots[k]));
    Value const through = with(before, value);
    Maybe<Value> total(through);
    for (int k = place + 1; k < threads; ++k) total.put(combine(*total, slots[k]));
    if (threads > 1) team.team_barrier();  // the slots are free again
    return result(before, through, total);
  }
};

}  // namespace KokkosScan::portable
