// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

namespace KokkosScan::portable {

/// A Kokkos team as the workers of a network (src/block).
template <class Member>
struct TeamWorkers {
  Member const& team;

  template <class F>
  KOKKOS_FUNCTION void for_each(int count, F const& f) const {
    Kokkos::parallel_for(Kokkos::TeamThreadRange(team, count), f);
    team.team_barrier();
  }
  template <class F>
  KOKKOS_FUNCTION void once(F const& f) const {
    Kokkos::single(Kokkos::PerTeam(team), f);
    team.team_barrier();
  }
};

}  // namespace KokkosScan::portable
