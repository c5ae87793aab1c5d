// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/arguments.hpp>
#include <KokkosScan/operators.hpp>
#include <Kokkos_Core.hpp>
#include <cstddef>

#include "../../src/driver/team_scan.hpp"

// Scans by the threads of a team, within a kernel of a Kokkos::TeamPolicy. All threads of the team call, with the same
// arguments; where they have vector lanes all of these do, as in any code of a team outside nested loops.
namespace KokkosScan {
namespace driver {

template <core::Kind kind, Roles roles>
struct TeamScan {
  template <class Member, class From, class Dest, class... Rest>
  KOKKOS_FUNCTION void operator()(Member const& team, From const& from, Dest const& dest, Rest const&... rest) const {
    team_scan_arguments<kind, roles>(team, from, dest, rest...);
  }
};

template <core::Kind kind, Roles roles>
struct TeamScanOfValues {
  template <class Member, class Value, class... Rest>
  KOKKOS_FUNCTION Value operator()(Member const& team, Value const& value, Rest const&... rest) const {
    return team_value_arguments<kind, roles>(team, value, rest...);
  }
};

inline constexpr Roles inclusive_roles{.op = 0, .unary = absent, .init = 1, .required = 0, .most = 2};
inline constexpr Roles exclusive_roles{.op = 1, .unary = absent, .init = 0, .required = 1, .most = 2};

}  // namespace driver

/// dest(i) = from(0) op ... op from(i), behind init if there is one.
///
///   team_inclusive_scan(team, from, dest [, op [, init]])
///
/// Views of rank 1 that the team can reach, of its scratch, too; dest may be from. Behind dest may stand Reversed{}.
/// When it returns, the whole team sees the results. The team needs team_scan_scratch<T>(team_size) bytes of scratch, T
/// being the value type of dest. Not the same bits for every team size where op rounds.
KOKKOSSCAN_OBJECT driver::TeamScan<core::Kind::inclusive, driver::inclusive_roles> team_inclusive_scan{};

/// dest(0) = init, dest(i) = init op from(0) op ... op from(i - 1).
///
///   team_exclusive_scan(team, from, dest, init [, op])
KOKKOSSCAN_OBJECT driver::TeamScan<core::Kind::exclusive, driver::exclusive_roles> team_exclusive_scan{};

/// Each thread brings a value, and gets those of all threads of lower rank and its own combined, as team.team_scan does
/// for sums: prefix = team_inclusive_scan_value(team, value).
///
///   team_inclusive_scan_value(team, value [, op [, init]])
///
/// Behind value may stand Reversed{}, by which threads of higher rank come first, and Total{x}, which gives each thread
/// the total in its variable x. The vector lanes of a thread bring the same value and get the same result.
KOKKOSSCAN_OBJECT driver::TeamScanOfValues<core::Kind::inclusive, driver::inclusive_roles> team_inclusive_scan_value{};

/// Without the thread's own value, and behind init.
///
///   team_exclusive_scan_value(team, value, init [, op])
KOKKOSSCAN_OBJECT driver::TeamScanOfValues<core::Kind::exclusive, driver::exclusive_roles> team_exclusive_scan_value{};

/// The bytes of team scratch (level 0) that scans of values of type T need in teams of that size, however many there
/// are of them in a kernel.
///
///   team_scan_scratch<T>(team_size)
template <class T>
KOKKOS_FUNCTION constexpr std::size_t team_scan_scratch(int team_size) {
  return team_size > 1 ? static_cast<std::size_t>(team_size) * sizeof(T) + alignof(T) - 1 : 0;
}

}  // namespace KokkosScan
