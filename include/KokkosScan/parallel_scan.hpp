// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/scan.hpp>
#include <Kokkos_Core.hpp>
#include <string>
#include <type_traits>

#include "../../src/driver/scan_functor.hpp"

namespace KokkosScan {
namespace driver {

/// The ranges within a kernel that Kokkos::parallel_scan takes: whatever it is that is neither a policy nor a length,
/// nor a label, behind which Kokkos would take all that is taken here.
template <class Range, class... Rest>
concept NestedScan =
    std::is_class_v<Range> && NoLabel<Range> && !is_count<Range> && !Kokkos::is_execution_policy<Range>::value &&
    !is_exec_or_handle<Range> &&
    requires(Range const& range, Rest&&... rest) { Kokkos::parallel_scan(range, static_cast<Rest&&>(rest)...); };

struct ParallelScan {
  template <class First, class Second, class... Rest>
  void operator()(std::string const& label, First const& first, Second&& second, Rest&&... rest) const {
    driver::functor_arguments(label, first, static_cast<Second&&>(second), static_cast<Rest&&>(rest)...);
  }
  template <NoLabel First, class Second, class... Rest>
    requires(!NestedScan<First, Second, Rest...>)
  void operator()(First const& first, Second&& second, Rest&&... rest) const {
    static std::string const label = "KokkosScan::parallel_scan";
    driver::functor_arguments(label, first, static_cast<Second&&>(second), static_cast<Rest&&>(rest)...);
  }
  template <class Range, class... Rest>
    requires NestedScan<Range, Rest...>
  KOKKOS_FUNCTION void operator()(Range const& range, Rest&&... rest) const {
    Kokkos::parallel_scan(range, static_cast<Rest&&>(rest)...);
  }
};

}  // namespace driver

/// The contract of Kokkos::parallel_scan: functor(i, update, final) adds to `update` what index i brings. It is called
/// exactly once for each i with `final`, `update` then being what stands before i, and before that any number of times
/// without, `update` being what init makes; it then must write nothing else. It may have init(update), join(dest, src)
/// and value_type, and a work tag in front of all arguments.
///
///   parallel_scan([label,] policy, functor [, total])        a Kokkos::RangePolicy
///   parallel_scan([label,] n, functor [, total])             the functor's execution space, or the default one
///   parallel_scan([label,] handle, policy or n, functor [, total])
///                                                            with scratch and choices of a Handle, on its instance; or
///                                                            on an instance in its place
///   parallel_scan(range of a team or thread, functor [, total])
///                                                            within a kernel: Kokkos::parallel_scan itself
///
/// The total is what the last final call leaves in `update`; of an empty range, what init makes. It is a variable,
/// which this one call waits for, a View of rank 0, which nobody waits for unless exec cannot write it, or Total{x}.
/// The chunk size and the schedule of a policy are without effect: tiles are the library's. join need not commute: src
/// is always behind dest.
KOKKOSSCAN_OBJECT driver::ParallelScan parallel_scan{};

}  // namespace KokkosScan
