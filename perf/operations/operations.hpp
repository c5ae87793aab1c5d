// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>
#include <type_traits>
#include <vector>

#include "../family.hpp"

// What is measured, for any type: a call to KokkosScan, and the Problem that it solves. The sources beside this one say
// for which types, and compile side by side.
namespace perf {

inline constexpr auto run_inclusive_sum = [](auto const& where, auto const& p) {
  KokkosScan::inclusive_scan(where, p.from, p.to);
};
template <class T, Algorithms algorithms = Algorithms::automatic, Input input = around_zero>
std::vector<Family> inclusive_sum(std::string const& type = type_name<T>()) {
  return families<Problem<T, T, Plus<T>, input>, algorithms>("inclusive_sum", type, run_inclusive_sum);
}
template <class T>
std::vector<Family> strided() {
  using P = Problem<T, T, Plus<T>, around_zero, Kind::inclusive, Same, Plus, 3>;
  return families<P>("strided", type_name<T>(), run_inclusive_sum);
}
template <class T>
std::vector<Family> in_place() {
  return families<Problem<T, T, Plus<T>>>("in_place", type_name<T>(), run_inclusive_sum, {.in_place = true});
}

template <class T>
std::vector<Family> exclusive_sum() {
  using P = Problem<T, T, Plus<T>, around_zero, Kind::exclusive>;
  return families<P>("exclusive_sum", type_name<T>(),
                     [](auto const& where, P const& p) { KokkosScan::exclusive_scan(where, p.from, p.to, T{}); });
}

template <class Op>
constexpr auto run_inclusive_scan =
    [](auto const& where, auto const& p) { KokkosScan::inclusive_scan(where, p.from, p.to, Op{}); };
template <class T, class Op, template <class> class PeersOp, Input input>
std::vector<Family> extremes(char const* operation) {
  static_assert(sizeof(T) >= 4, "the extreme of narrow integers stops changing, and dropped elements go unnoticed");
  using P = Problem<T, T, PeersOp<T>, input, Kind::inclusive, Same, PeersOp>;
  return families<P>(operation, type_name<T>(), run_inclusive_scan<Op>);
}
template <class T>
std::vector<Family> maxima() {
  return extremes<T, KokkosScan::Max, Larger, rising>("inclusive_max");
}
template <class T>
std::vector<Family> minima() {
  return extremes<T, KokkosScan::Min, Smaller, falling>("inclusive_min");
}

/// A sum once more, but written by the user: no library knows what it is, or that it commutes.
template <class T>
struct OwnPlus {
  KOKKOS_FUNCTION T operator()(T const& left, T const& right) const { return left + right; }
};
template <class T>
std::vector<Family> inclusive_lambda() {
  constexpr auto algorithms = backend::is_device ? Algorithms::automatic : Algorithms::every;
  return families<Problem<T, T, OwnPlus<T>>, algorithms>("inclusive_lambda", type_name<T>(),
                                                         run_inclusive_scan<OwnPlus<T>>);
}

template <class T>
struct Half {
  KOKKOS_FUNCTION constexpr T operator()(T const& x) const { return x * T(0.5); }
};
template <class T>
std::vector<Family> transform_exclusive() {
  using P = Problem<T, T, Plus<T>, around_zero, Kind::exclusive, Half<T>>;
  return families<P>("transform_exclusive", type_name<T>(), [](auto const& where, P const& p) {
    KokkosScan::transform_exclusive_scan(where, p.from, p.to, T{}, KokkosScan::Sum{}, Half<T>{});
  });
}

/// What CSR matrices begin with: counts in 32 bits become offsets in 64. The others write their running sums behind a
/// zero.
inline std::vector<Family> offsets() {
  using P        = Problem<std::int32_t, std::int64_t, Plus<std::int64_t>, counts>;
  auto const run = [](auto const& where, P const& p) {
    using Offsets = Kokkos::View<std::int64_t*, backend::Memory, Kokkos::MemoryUnmanaged>;
    KokkosScan::offsets_from_counts(where, p.from, Offsets(p.first, p.n() + 1));
  };
  return families<P>("offsets", "i32_i64", run, {.offsets = true});
}

}  // namespace perf
