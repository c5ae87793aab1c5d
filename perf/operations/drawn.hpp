// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <string>

#include "../drawn.hpp"
#include "../family.hpp"

// The operations of which cases are drawn, for any type: one call to KokkosScan each, beside what its users would call
// instead.
namespace perf {

/// Where a value has few bits the maximum rises with the number of bits of the index, and stops at 119.
KOKKOS_INLINE_FUNCTION std::int64_t rising_slowly(std::size_t i) {
  std::int64_t bits = 0;
  for (; i > 0; i >>= 1) ++bits;
  return 4 * bits + static_cast<std::int64_t>(hash(static_cast<std::size_t>(bits)) & 3);
}

/// A sum that no library knows.
template <class T>
struct UnknownPlus {
  KOKKOS_FUNCTION constexpr T operator()(T const& left, T const& right) const { return static_cast<T>(left + right); }
};

/// A struct of the user's, of no power of two of bytes.
struct ThreeFloats {
  using value_type = float;
  float first = 0, second = 0, third = 0;

  float real() const { return first; }
  KOKKOS_FUNCTION float imag() const { return second; }
  KOKKOS_FUNCTION friend constexpr ThreeFloats operator+(ThreeFloats const& left, ThreeFloats const& right) {
    return {left.first + right.first, left.second + right.second, left.third + right.third};
  }
  KOKKOS_FUNCTION friend bool operator==(ThreeFloats const& left, ThreeFloats const& right) {
    return left.first == right.first && left.second == right.second && left.third == right.third;
  }
};

template <class P, class Op>
DrawnFamily drawn(std::string const& operation, std::string const& type) {
  auto const make = [=](Place const& place) {
    auto const mode = backend::mode_of_drawn;
    Contest<P> contest(
        operation, type,
        {.n         = place.n,
         .placement = {.in_place = place.in_place, .from_offset = place.from_offset, .dest_offset = place.dest_offset},
         .warm      = place.warm},
        mode);
    auto const ours = [](auto const& where, P const& p) { KokkosScan::inclusive_scan(where, p.from, p.to, Op{}); };
    if constexpr (backend::is_device)
      contest.add_handle("KokkosScan", ours);
    else
      contest.add_ours("KokkosScan", ours);
    backend::add_peers_of_drawn<P>(contest);
    return contest.done();
  };
  return {operation, type, make};
}

template <class T>
DrawnFamily drawn_sum(std::string const& type = type_name<T>()) {
  return drawn<Problem<T, T, Plus<T>>, KokkosScan::Sum>("drawn_sum", type);
}
template <class T>
DrawnFamily drawn_max() {
  constexpr Input input = sizeof(T) < 4 ? rising_slowly : rising;
  using P               = Problem<T, T, Larger<T>, input, Kind::inclusive, Same, Larger>;
  return drawn<P, KokkosScan::Max>("drawn_max", type_name<T>());
}
template <class T>
DrawnFamily drawn_lambda(std::string const& type = type_name<T>()) {
  return drawn<Problem<T, T, UnknownPlus<T>>, UnknownPlus<T>>("drawn_lambda", type);
}

}  // namespace perf
