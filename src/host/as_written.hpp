// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <type_traits>
#include "../core/macros.hpp"
#include "../core/operators.hpp"

#include "../core/problem.hpp"
#include "../core/tiles.hpp"

// An operator or a transform of the user's stands in many copies: in each tile scanner, before and behind a prefix,
// in each grid algorithm. Which copy an element meets depends on the number of threads and on chance; so all of
// them must round alike. Whatever calls the operator or the transform of a scan goes through as_written.
namespace KokkosScan::host {

template <class Op>
inline constexpr bool is_built_in = false;
template <>
inline constexpr bool is_built_in<Sum> = true;
template <>
inline constexpr bool is_built_in<Product> = true;
template <>
inline constexpr bool is_built_in<Min> = true;
template <>
inline constexpr bool is_built_in<Max> = true;

/// Whether a source is code of the user's, and whether what goes into it are integers.
template <class Source>
struct Loads {
  static constexpr bool by_users_code = true, integers = false;
};
template <class Value, class Array, class Unary>
struct Loads<core::FromArray<Value, Array, Unary>> {
  static constexpr bool by_users_code = !std::is_same_v<Unary, Unchanged>;
  static constexpr bool integers      = std::is_integral_v<core::ElementOf<Array>>;
};

/// Whether copies can differ: not where numbers are but added, multiplied or compared, nor among integers.
template <class Problem>
consteval bool can_round_otherwise() {
  using Value       = typename Problem::Value;
  using From        = Loads<typename Problem::Source>;
  using Sink        = typename Problem::Sink;
  bool const stores = std::is_void_v<core::ArrayOf<Sink>> && !core::stores_nothing<Sink>;  // by code of the user's
  if (!std::is_arithmetic_v<Value> || stores) return true;
  if (std::is_integral_v<Value>) return From::by_users_code && !From::integers;
  return From::by_users_code || !is_built_in<typename Problem::Operator>;
}

namespace detail {
template <class F>
KOKKOSSCAN_AS_WRITTEN auto as_written(F const& f) {
  return f();
}
/// Every lane of a vector of numbers does the same, so none can alternate.
template <class F>
KOKKOSSCAN_AS_WRITTEN_IN_VECTORS auto as_written_in_vectors(F const& f) {
  return f();
}
}  // namespace detail

/// f(), which calls the operator or the transform of a scan.
template <class Problem, class F>
[[gnu::always_inline]] inline auto as_written(F const& f) {
  if constexpr (!can_round_otherwise<Problem>())
    return f();
  else if constexpr (std::is_arithmetic_v<typename Problem::Value>)
    return detail::as_written_in_vectors(f);
  else
    return detail::as_written(f);
}

/// A prefix and the aggregate of a tile, combined.
template <class Problem, class Left>
typename Problem::Value combine_tiles(Problem const& problem, Left const& left, typename Problem::Value const& right) {
  return as_written<Problem>([&] { return problem.combine(left, right); });
}

}  // namespace KokkosScan::host
