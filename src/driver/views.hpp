// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <concepts>
#include <cstdint>
#include <string>
#include <type_traits>

#include "../core/problem.hpp"
#include "checks.hpp"

// What the API asks of Views: in words at compile time, and by exceptions that name both values at run time.
namespace KokkosScan::driver {

template <class T>
concept ValueType = std::is_trivially_copyable_v<T> && sizeof(T) >= 1 && sizeof(T) <= 64;

// Each says whether all is well, so that what comes behind need not fail again, in other words.

template <class View, class Exec>
consteval bool check_elements() {
  constexpr bool reaches = Kokkos::SpaceAccessibility<Exec, typename View::memory_space>::accessible;
  static_assert(reaches, "KokkosScan: exec cannot access the memory space of from or dest");
  constexpr bool serves = ValueType<typename View::non_const_value_type>;
  static_assert(serves, "KokkosScan: value types must be trivially copyable and of 1 to 64 bytes");
  return reaches && serves;
}

template <class View, class Exec>
consteval bool check_view() {
  static_assert(Kokkos::is_view_v<View>, "KokkosScan: from and dest must be Kokkos::Views");
  if constexpr (Kokkos::is_view_v<View>) {
    constexpr bool is_row = View::rank() == 1;
    static_assert(is_row,
                  "KokkosScan: from and dest must be Views of rank 1; along a dimension of others write Axis{d}");
    return is_row && check_elements<View, Exec>();
  } else {
    return false;
  }
}

template <class Keys, class Exec>
consteval bool check_keys() {
  static_assert(Kokkos::is_view_v<Keys>, "KokkosScan: keys must be a Kokkos::View");
  if constexpr (Kokkos::is_view_v<Keys>) {
    constexpr bool is_row = Keys::rank() == 1;
    static_assert(is_row, "KokkosScan: keys must be a View of rank 1");
    constexpr bool reaches = Kokkos::SpaceAccessibility<Exec, typename Keys::memory_space>::accessible;
    static_assert(reaches, "KokkosScan: exec cannot access the memory space of keys");
    constexpr bool serves = ValueType<typename Keys::non_const_value_type>;
    static_assert(serves, "KokkosScan: keys must be trivially copyable and of 1 to 64 bytes");
    return is_row && reaches && serves;
  } else {
    return false;
  }
}

template <class View>
consteval bool check_dest() {
  constexpr bool writes = !std::is_const_v<typename View::value_type>;
  static_assert(writes, "KokkosScan: dest must be a View of non-const values");
  return writes;
}

template <class Value, class Dest>
consteval bool check_stored() {
  constexpr bool converts = std::is_constructible_v<typename Dest::non_const_value_type, Value const&>;
  static_assert(converts, "KokkosScan: the T of As<T>{} must convert to the value type of dest");
  return converts;
}

template <class View>
inline constexpr bool is_contiguous = std::is_same_v<typename View::array_layout, Kokkos::LayoutLeft> ||
                                      std::is_same_v<typename View::array_layout, Kokkos::LayoutRight>;

/// Calls f with the elements of a View: as a pointer wherever they lie side by side.
template <class View, class F>
void with_elements(View const& view, F const& f) {
  using Element = typename View::value_type;
  if constexpr (!is_contiguous<View>) {
    if (view.stride(0) != 1 && view.extent(0) > 1)
      return f(core::Strided<Element>{view.data(), static_cast<std::ptrdiff_t>(view.stride(0))});
  }
  f(core::Contiguous<Element>{view.data()});
}

/// Of a View, or of its first so many elements, or of a variable.
template <class Variable>
Footprint footprint(Variable const& variable) {
  if constexpr (Kokkos::is_view_v<Variable>) {
    constexpr std::size_t size = sizeof(typename Variable::value_type);
    std::size_t stride         = size;
    if constexpr (Variable::rank() == 1) stride *= variable.stride(0);
    return {reinterpret_cast<std::uintptr_t>(variable.data()), variable.size(), stride, size};
  } else {
    return {reinterpret_cast<std::uintptr_t>(&variable), 1, sizeof(Variable), sizeof(Variable)};
  }
}
template <class View>
Footprint footprint(View const& view, std::size_t count) {
  Footprint first = footprint(view);
  first.count     = count;
  return first;
}

}  // namespace KokkosScan::driver
