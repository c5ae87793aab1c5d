// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <type_traits>

#include "problem.hpp"
#include "tiles.hpp"

// Lengths that stand in memory, and are read by whoever scans: they may be totals of scans that are still to come.
namespace KokkosScan::core {

/// That many, but not less than none, and no more than there may be.
template <class Integer>
KOKKOSSCAN_FUNCTION std::size_t clamped(Integer count, std::size_t most) {
  if constexpr (std::is_signed_v<Integer>)
    if (count < 0) return 0;
  return static_cast<std::size_t>(count) < most ? static_cast<std::size_t>(count) : most;
}

/// A problem of which only so many elements are scanned as an integer in memory says when the scan is made. Its n is
/// the most that there may be: all that is decided before (a plan, the shape of a launch, scratch) goes by that. A
/// kernel begins with what resolved() makes of it, and hands nothing else on. So the problems of all other scans are as
/// if there were no such lengths, and so are their kernels.
///
/// If it goes `from_end`, its arrays do so from the last of all elements that there may be, and those that there are
/// come behind as many others.
template <class Problem, class Integer, bool from_end = false>
struct OfStoredLength : Problem {
  Integer const* length;
  std::size_t elements = 1;  // of the stored length that make one of this problem's
};

template <class Problem>
struct ResolvedProblem {
  using type = Problem;
};
template <class Problem, class Integer, bool from_end>
struct ResolvedProblem<OfStoredLength<Problem, Integer, from_end>> {
  using type = Problem;
};
template <class Problem>
using Resolved = typename ResolvedProblem<Problem>::type;

template <class Problem>
inline constexpr bool has_stored_length = !std::is_same_v<Resolved<Problem>, Problem>;
/// Whether what is resolved begins elsewhere in its arrays.
template <class Problem>
inline constexpr bool resolves_addresses = false;
template <class Problem, class Integer>
inline constexpr bool resolves_addresses<OfStoredLength<Problem, Integer, true>> = true;

/// The problem as it is to be solved.
template <class Problem>
KOKKOSSCAN_FUNCTION Problem const& resolved(Problem const& problem) {
  return problem;
}
template <class Problem, class Integer, bool from_end>
KOKKOSSCAN_FUNCTION Problem resolved(OfStoredLength<Problem, Integer, from_end> const& stored) {
  Problem problem    = stored;
  std::size_t length = clamped(*stored.length, static_cast<std::size_t>(-1));
  if (stored.elements > 1)  // nearly all have one, and a small kernel would wait for the division
    length = length / stored.elements + (length % stored.elements != 0);
  problem.n = clamped(length, stored.n);
  if constexpr (from_end)
    if (problem.n > 0) {  // an array is not pointed before
      problem.source.skip(stored.n - problem.n);
      problem.sink.skip(stored.n - problem.n);
    }
  return problem;
}

/// The scan of the aggregates of the tiles that there are.
template <class Problem, class Integer, bool from_end>
auto scan_of_aggregates(OfStoredLength<Problem, Integer, from_end> const& stored, typename Problem::Value* aggregates,
                        Tiles tiles) {
  auto const scan = core::scan_of_aggregates(static_cast<Problem const&>(stored), aggregates, tiles);
  return OfStoredLength<std::remove_const_t<decltype(scan)>, Integer>{scan, stored.length,
                                                                      stored.elements * tiles.length};
}

/// Leaves the total of an empty scan. One worker calls it.
template <class Problem>
KOKKOSSCAN_FUNCTION void put_empty_total(Problem const& problem) {
  if (problem.total) core::put(*problem.total, core::empty_total(problem));
}

}  // namespace KokkosScan::core
