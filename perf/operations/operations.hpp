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

struct InclusiveSum {
  void operator()(auto const& where, auto const& p) const { KokkosScan::inclusive_scan(where, p.from, p.to); }
};
template <class T, Algorithms algorithms = Algorithms::automatic, class Input = AroundZero>
std::vector<Family> inclusive_sum(std::string const& type = type_name<T>()) {
  return families<Problem<T, T, Plus<T>, Input>, InclusiveSum, algorithms>("inclusive_sum", type);
}
template <class T>
std::vector<Family> in_place() {
  return families<Problem<T, T, Plus<T>>, InclusiveSum>("in_place", type_name<T>(), {.in_place = true});
}

struct ExclusiveSum {
  template <class P>
  void operator()(auto const& where, P const& p) const {
    KokkosScan::exclusive_scan(where, p.from, p.to, typename P::To{});
  }
};
template <class T>
std::vector<Family> exclusive_sum() {
  return families<Problem<T, T, Plus<T>, AroundZero, Kind::exclusive>, ExclusiveSum>("exclusive_sum", type_name<T>());
}

template <class Op>
struct InclusiveScan {
  void operator()(auto const& where, auto const& p) const { KokkosScan::inclusive_scan(where, p.from, p.to, Op{}); }
};
template <class T, class Op, template <class> class PeersOp, class Input>
std::vector<Family> extremes(char const* operation) {
  static_assert(sizeof(T) >= 4, "the extreme of narrow integers stops changing, and dropped elements go unnoticed");
  return families<Problem<T, T, PeersOp<T>, Input, Kind::inclusive, Same, PeersOp>, InclusiveScan<Op>>(operation,
                                                                                                       type_name<T>());
}
template <class T>
std::vector<Family> maxima() {
  return extremes<T, KokkosScan::Max, Larger, Rising>("inclusive_max");
}
template <class T>
std::vector<Family> minima() {
  return extremes<T, KokkosScan::Min, Smaller, Falling>("inclusive_min");
}

/// A sum once more, but written by the user: no library knows what it is, or that it commutes.
template <class T>
struct OwnPlus {
  KOKKOS_FUNCTION T operator()(T const& left, T const& right) const { return left + right; }
};
template <class T>
std::vector<Family> inclusive_lambda() {
  return families<Problem<T, T, OwnPlus<T>>, InclusiveScan<OwnPlus<T>>,
                  backend::is_device ? Algorithms::automatic : Algorithms::every>("inclusive_lambda", type_name<T>());
}

template <class T>
struct Half {
  KOKKOS_FUNCTION constexpr T operator()(T const& x) const { return x * T(0.5); }
};
struct TransformExclusive {
  template <class P>
  void operator()(auto const& where, P const& p) const {
    KokkosScan::transform_exclusive_scan(where, p.from, p.to, typename P::To{}, KokkosScan::Sum{}, typename P::Unary{});
  }
};
template <class T>
std::vector<Family> transform_exclusive() {
  return families<Problem<T, T, Plus<T>, AroundZero, Kind::exclusive, Half<T>>, TransformExclusive>(
      "transform_exclusive", type_name<T>());
}

struct FromCounts {
  template <class P>
  void operator()(auto const& where, P const& p) const {
    using Offsets = Kokkos::View<typename P::To*, backend::Memory, Kokkos::MemoryUnmanaged>;
    KokkosScan::offsets_from_counts(where, p.from, Offsets(p.first, p.n() + 1));
  }
};
/// What CSR matrices begin with: counts in 32 bits become offsets in 64. The others write their running sums behind a
/// zero.
inline std::vector<Family> offsets() {
  return families<Problem<std::int32_t, std::int64_t, Plus<std::int64_t>, Counts>, FromCounts>("offsets", "i32_i64",
                                                                                               {.offsets = true});
}

}  // namespace perf
