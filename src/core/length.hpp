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

/// A number of elements that an integer in memory says. Arrays that go `from_end` do so from the last of all elements
/// that there may be, and those that there are come behind as many others.
template <class Integer, bool from_end>
struct StoredLength {
  static constexpr bool moves = from_end;  // whether what there is begins elsewhere in its arrays

  Integer const* address;

  KOKKOSSCAN_FUNCTION std::size_t length() const { return clamped(*address, static_cast<std::size_t>(-1)); }
  KOKKOSSCAN_FUNCTION std::size_t others(std::size_t most, std::size_t length) const { return most - length; }
};
/// A length, of what lies elsewhere: of the aggregates of tiles.
template <class Stored>
struct Unmoved : Stored {
  static constexpr bool moves = false;
};

/// A problem of which only so many elements are scanned as stands in memory when the scan is made. Its n is the most
/// that there may be: all that is decided before (a plan, the shape of a launch, scratch) goes by that. A kernel begins
/// with what resolved() makes of it, and hands nothing else on. So the problems of all other scans are as if there were
/// no such lengths, and so are their kernels.
template <class Problem, class Stored>
struct OfStoredLength : Problem {
  Stored stored;
  std::size_t elements = 1;  // of the stored length that make one of this problem's
};

template <class Problem>
struct ResolvedProblem {
  using type = Problem;
};
template <class Problem, class Stored>
struct ResolvedProblem<OfStoredLength<Problem, Stored>> {
  using type = Problem;
};
template <class Problem>
using Resolved = typename ResolvedProblem<Problem>::type;

template <class Problem>
inline constexpr bool has_stored_length = !std::is_same_v<Resolved<Problem>, Problem>;
/// Whether what is resolved begins elsewhere in its arrays.
template <class Problem>
inline constexpr bool resolves_addresses = false;
template <class Problem, class Stored>
inline constexpr bool resolves_addresses<OfStoredLength<Problem, Stored>> = Stored::moves;

/// The problem as it is to be solved.
template <class Problem>
KOKKOSSCAN_FUNCTION Problem const& resolved(Problem const& problem) {
  return problem;
}
template <class Problem, class Stored>
KOKKOSSCAN_FUNCTION Problem resolved(OfStoredLength<Problem, Stored> const& given) {
  Problem problem    = given;
  std::size_t length = given.stored.length();
  if (given.elements > 1)  // nearly all have one, and a small kernel would wait for the division
    length = length / given.elements + (length % given.elements != 0);
  problem.n = clamped(length, given.n);
  if constexpr (Stored::moves)
    if (problem.n > 0) {  // an array is not pointed outside
      std::size_t const others = given.stored.others(given.n, problem.n);
      problem.source.skip(others);
      problem.sink.skip(others);
    }
  if constexpr (requires { problem.sink.end; }) problem.sink.end = problem.n;
  return problem;
}

/// The scan of the aggregates of the tiles that there are.
template <class Problem, class Stored>
auto scan_of_aggregates(OfStoredLength<Problem, Stored> const& given, typename Problem::Value* aggregates,
                        Tiles tiles) {
  using Here      = std::conditional_t<Stored::moves, Unmoved<Stored>, Stored>;
  auto const scan = core::scan_of_aggregates(static_cast<Problem const&>(given), aggregates, tiles);
  return OfStoredLength<std::remove_const_t<decltype(scan)>, Here>{scan, Here{given.stored},
                                                                   given.elements * tiles.length};
}

/// Leaves the total of an empty scan. One worker calls it.
template <class Problem>
KOKKOSSCAN_FUNCTION void put_empty_total(Problem const& problem) {
  if constexpr (requires { problem.sink.store_nothing(); }) problem.sink.store_nothing();
  if (!problem.total) return;
  if constexpr (std::is_same_v<typename Problem::Total, typename Problem::Value>)
    core::put(*problem.total, core::empty_total(problem));
  else
    core::put(*problem.total, Problem::Sink::total_of_nothing());
}

}  // namespace KokkosScan::core
