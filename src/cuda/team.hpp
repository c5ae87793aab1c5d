// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include "../../cuda_native/team.hpp"
#include "../core/problem.hpp"

namespace KokkosScan::cuda {

/// A team of Kokkos on CUDA: a block, whose threads are the vector lanes of the first thread of the team, and then
/// those of the next ones. All lanes scan arrays; of values the lanes of a thread have one.
struct TeamScans {
  template <class Member>
  KOKKOS_FUNCTION static int slots([[maybe_unused]] Member const& team) {
    int count = 0;
    KOKKOS_IF_ON_DEVICE((TeamThread const thread = thread_of(team); count = thread.warps() > 1 ? thread.warps() : 0;))
    return count;
  }

  template <class Member, class Problem, class Slots>
  KOKKOS_FUNCTION static void scan([[maybe_unused]] Member const& team, [[maybe_unused]] Problem const& problem,
                                   [[maybe_unused]] Slots const& slots) {
    KOKKOS_IF_ON_DEVICE((TeamThread thread = thread_of(team); thread.lanes = 1;
                         scan_by_team(thread, problem, [&] { return Shared<typename Problem::Value>(slots()); });))
  }

  template <bool reversed, class Member, class Value, class Combine, class Result>
  KOKKOS_FUNCTION static auto scan_values([[maybe_unused]] Member const& team, Value const& value,
                                          core::Maybe<Value> const& start, [[maybe_unused]] Combine const& combine,
                                          [[maybe_unused]] Value* slots, Result const& result) {
    KOKKOS_IF_ON_DEVICE((
        auto const prefix = scan_values_of_team<reversed>(thread_of(team), value, start, combine, Shared<Value>(slots));
        return result(prefix.before, prefix.through.value, prefix.total);))
    KOKKOS_IF_ON_HOST((return result(start, value, core::Maybe<Value>(value));))  // where nobody calls it
  }

 private:
#if defined(__CUDACC__)
  template <class Member>
  __device__ static TeamThread thread_of(Member const& team) {
    int const lanes = static_cast<int>(blockDim.x);
    return {team.team_rank() * lanes + static_cast<int>(threadIdx.x), team.team_size() * lanes, lanes};
  }
#endif
};

}  // namespace KokkosScan::cuda
