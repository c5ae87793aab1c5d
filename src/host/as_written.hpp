// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/macros.hpp>
#include <KokkosScan/operators.hpp>
#include <type_traits>
#include <utility>

#include "../driver/scan.hpp"

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

/// Whether copies can differ: not where numbers are but added, multiplied or compared, nor among integers.
template <class Scan>
consteval bool can_round_otherwise() {
  using Value    = typename Scan::Value;
  using Input    = std::remove_cvref_t<decltype(std::declval<Scan const&>().from[0])>;
  bool const raw = std::is_same_v<typename Scan::Transform, Unchanged>;
  if (!std::is_arithmetic_v<Value>) return true;
  if (std::is_integral_v<Value>) return !raw && !std::is_integral_v<Input>;
  return !raw || !is_built_in<typename Scan::Operator>;
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
template <class Scan, class F>
[[gnu::always_inline]] inline auto as_written(F const& f) {
  if constexpr (!can_round_otherwise<Scan>())
    return f();
  else if constexpr (std::is_arithmetic_v<typename Scan::Value>)
    return detail::as_written_in_vectors(f);
  else
    return detail::as_written(f);
}

/// A prefix and the aggregate of a tile, combined.
template <class Scan, class Left>
typename Scan::Value combine_tiles(Scan const& scan, Left const& left, typename Scan::Value const& right) {
  return as_written<Scan>([&] { return scan.combine(left, right); });
}

}  // namespace KokkosScan::host
