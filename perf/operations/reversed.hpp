// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <string>
#include <vector>

#include "../family.hpp"

// Each form from the far end, beside the same forward.
namespace perf {

/// `ours(where, p, reversed...)` is the call, to which Reversed{} may be added.
template <class P, class Ours>
std::vector<Family> forward_and_reversed(std::string const& operation, Ours const& ours, Placement placement = {}) {
  using Far = FromFarEnd<P>;
  return families_of<Far>(
      operation, type_name<typename P::To>(), {.n = 0, .placement = placement}, [ours](Contest<Far>& contest) {
        contest.add_ours("KokkosScan",
                         [ours](auto const& where, P const& p) { ours(where, p, KokkosScan::Reversed{}); });
        contest.add_ours("KokkosScan forward", ours);
        contest.last_goes_forward();
      });
}

inline constexpr auto run_inclusive_sum_towards = [](auto const& where, auto const& p, auto const&... reversed) {
  KokkosScan::inclusive_scan(where, p.from, p.to, reversed...);
};
template <class T>
std::vector<Family> reversed_inclusive() {
  return forward_and_reversed<Problem<T, T, Plus<T>>>("reversed_inclusive", run_inclusive_sum_towards);
}
/// Exact for integers too.
template <class T>
struct Twice {
  KOKKOS_FUNCTION constexpr T operator()(T const& x) const { return static_cast<T>(x + x); }
};
template <class T>
std::vector<Family> reversed_other_forms() {
  using Exclusive = Problem<T, T, Plus<T>, around_zero, Kind::exclusive>;
  using Transform = Problem<T, T, Plus<T>, around_zero, Kind::inclusive, Twice<T>>;
  return all_of(
      {forward_and_reversed<Problem<T, T, Plus<T>>>("reversed_in_place", run_inclusive_sum_towards, {.in_place = true}),
       forward_and_reversed<Exclusive>("reversed_exclusive",
                                       [](auto const& where, auto const& p, auto const&... reversed) {
                                         KokkosScan::exclusive_scan(where, p.from, p.to, T{}, reversed...);
                                       }),
       forward_and_reversed<Transform>(
           "reversed_transform", [](auto const& where, auto const& p, auto const&... reversed) {
             KokkosScan::transform_inclusive_scan(where, p.from, p.to, KokkosScan::Sum{}, Twice<T>{}, reversed...);
           })});
}

}  // namespace perf
