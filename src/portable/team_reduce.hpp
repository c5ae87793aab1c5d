// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

// Reductions of what each thread of a team brings; all get the result. Named at its place, a reducer of one type would
// be compiled by whoever includes that, whether they call it or not.
namespace KokkosScan::portable {

template <class Team, class T>
KOKKOS_FUNCTION void sum_of_team(Team const& team, T& value) {
  team.team_reduce(Kokkos::Sum<T>(value));
}
template <class Team, class T>
KOKKOS_FUNCTION void least_of_team(Team const& team, T& value) {
  team.team_reduce(Kokkos::Min<T>(value));
}
template <class Team, class T>
KOKKOS_FUNCTION void most_of_team(Team const& team, T& value) {
  team.team_reduce(Kokkos::Max<T>(value));
}

}  // namespace KokkosScan::portable
