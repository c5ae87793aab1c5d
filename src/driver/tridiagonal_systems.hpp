// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <array>
#include <cstddef>
#include <string>
#include <type_traits>
#include <utility>

#include "../core/tridiagonal.hpp"
#include "scan_axis.hpp"

// From the Views of a call to tridiagonal systems: what is wrong with them, and where their lines are.
namespace KokkosScan::driver::tridiagonal {

template <class T>
inline constexpr bool is_complex = false;
template <class T>
inline constexpr bool is_complex<Kokkos::complex<T>> = true;

template <class Exec, std::size_t least_rank, std::size_t most_rank, class X, class... Views>
consteval bool check_views() {
  constexpr bool are_views = (Kokkos::is_view_v<X> && ... && Kokkos::is_view_v<Views>);
  static_assert(are_views, "KokkosScan: lower, diagonal, upper, right and x must be Kokkos::Views");
  if constexpr (are_views) {
    constexpr bool fit = X::rank() >= least_rank && X::rank() <= most_rank && ((Views::rank() == X::rank()) && ...);
    static_assert(
        fit || most_rank > 1,
        "KokkosScan: lower, diagonal, upper, right and x must be Views of rank 1; for a system along each line "
        "of others write Axis{d}");
    static_assert(fit || most_rank == 1,
                  "KokkosScan: along an Axis lower, diagonal, upper, right and x must all be Views of rank 2, or of 3");
    using T              = typename X::non_const_value_type;
    constexpr bool same  = (std::is_same_v<T, typename Views::non_const_value_type> && ...);
    constexpr bool field = std::is_floating_point_v<T> || is_complex<T>;
    static_assert(same && field,
                  "KokkosScan: lower, diagonal, upper, right and x must have one value type: float, double or "
                  "Kokkos::complex");
    constexpr bool writes = !std::is_const_v<typename X::value_type>;
    static_assert(writes, "KokkosScan: x must be a View of non-const values");
    constexpr bool reaches = (Kokkos::SpaceAccessibility<Exec, typename X::memory_space>::accessible && ... &&
                              Kokkos::SpaceAccessibility<Exec, typename Views::memory_space>::accessible);
    static_assert(reaches, "KokkosScan: exec cannot access the memory space of lower, diagonal, upper, right or x");
    return fit && same && field && writes && reaches;
  } else {
    return false;
  }
}

using Extents = std::array<std::size_t, 4>;

template <class View>
void check_extents_of(std::string const& label, char const* name, View const& view, Extents const& extents) {
  for (std::size_t d = 0; d < View::rank(); ++d)
    if (view.extent(d) < extents[d]) throw_too_short(label, d, "diagonal", extents[d], name, view.extent(d));
}

/// The strides of a View in the dimensions beside the axis, the outer one first, and along it. A dimension of one
/// element has none.
template <class View>
std::array<std::ptrdiff_t, 3> strides_of(View const& view, std::array<std::size_t, 2> const& beside, std::size_t axis) {
  auto const stride = [&](std::size_t d) {
    return d < View::rank() ? static_cast<std::ptrdiff_t>(view.stride(d)) : std::ptrdiff_t{0};
  };
  return {stride(beside[0]), stride(beside[1]), stride(axis)};
}

/// The systems along an axis of the extents of `diagonal`.
template <class Lower, class Diagonal, class Upper, class Right, class X>
auto systems_of(std::string const& label, Lower const& lower, Diagonal const& diagonal, Upper const& upper,
                Right const& right, X const& x, std::size_t axis) {
  using T = typename X::non_const_value_type;
  Extents extents{1, 1, 1, 1};
  for (std::size_t d = 0; d < X::rank(); ++d) extents[d] = diagonal.extent(d);
  check_extents_of(label, "lower", lower, extents);
  check_extents_of(label, "upper", upper, extents);
  check_extents_of(label, "right", right, extents);
  check_extents_of(label, "x", x, extents);
  Box const results = box_of(x, extents);
  check_distinct(label, "x", results);
  check_in_place_or_apart(label, "lower", box_of(lower, extents), "x", results);
  check_in_place_or_apart(label, "diagonal", box_of(diagonal, extents), "x", results);
  check_in_place_or_apart(label, "upper", box_of(upper, extents), "x", results);
  check_in_place_or_apart(label, "right", box_of(right, extents), "x", results);

  // The dimensions beside the axis, nearest neighbours last; where there is none, one behind the rank.
  constexpr std::size_t none = 3;
  std::array<std::size_t, 2> beside{none, none};
  for (std::size_t d = 0, k = 2; d < X::rank(); ++d)
    if (d != axis && extents[d] != 1) beside[--k] = d;
  if (beside[0] != none && x.stride(beside[0]) < x.stride(beside[1])) std::swap(beside[0], beside[1]);

  core::tridiagonal::Systems<T> systems;
  systems.shape    = {extents[axis], {1, extents[beside[0]], extents[beside[1]]}};
  auto const lines = [&](auto const& view) {
    auto const strides = strides_of(view, beside, axis);
    return core::Lines<T const>{view.data(), strides[2], {0, strides[0], strides[1]}};
  };
  systems.lower    = lines(lower);
  systems.diagonal = lines(diagonal);
  systems.upper    = lines(upper);
  systems.right    = lines(right);
  auto const out   = strides_of(x, beside, axis);
  systems.x        = {x.data(), out[2], {0, out[0], out[1]}};

  bool one = true;  // whether both dimensions lie in all Views as one
  for (auto const& strides : {strides_of(lower, beside, axis), strides_of(diagonal, beside, axis),
                              strides_of(upper, beside, axis), strides_of(right, beside, axis), out})
    one = one && strides[0] == strides[1] * static_cast<std::ptrdiff_t>(systems.shape.extents[2]);
  if (one) systems.shape.extents[2] *= std::exchange(systems.shape.extents[1], 1);
  return systems;
}

}  // namespace KokkosScan::driver::tridiagonal
