// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <concepts>
#include <cstdint>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "overlap.hpp"
#include "scan.hpp"

// What the API asks of Views: in words at compile time, and by exceptions that name both values at run time.
namespace KokkosScan::driver {

template <class T>
concept ValueType = std::is_trivially_copyable_v<T> && sizeof(T) >= 1 && sizeof(T) <= 64;

// Each says whether all is well, so that what comes behind need not fail again, in other words.

template <class View, class Exec>
consteval bool check_view() {
  static_assert(Kokkos::is_view_v<View>, "KokkosScan: from and dest must be Kokkos::Views");
  if constexpr (Kokkos::is_view_v<View>) {
    constexpr bool is_row = View::rank() == 1;
    static_assert(is_row, "KokkosScan: from and dest must be Views of rank 1");
    constexpr bool reaches = Kokkos::SpaceAccessibility<Exec, typename View::memory_space>::accessible;
    static_assert(reaches, "KokkosScan: exec cannot access the memory space of from or dest");
    constexpr bool serves = ValueType<typename View::non_const_value_type>;
    static_assert(serves, "KokkosScan: value types must be trivially copyable and of 1 to 64 bytes");
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
      return f(Strided<Element>{view.data(), static_cast<std::ptrdiff_t>(view.stride(0))});
  }
  f(Contiguous<Element>{view.data()});
}

/// Of a View, or of its first so many elements, or of a variable.
template <class Place>
Footprint footprint(Place const& place) {
  if constexpr (Kokkos::is_view_v<Place>) {
    constexpr std::size_t size = sizeof(typename Place::value_type);
    std::size_t stride         = size;
    if constexpr (Place::rank() == 1) stride *= place.stride(0);
    return {reinterpret_cast<std::uintptr_t>(place.data()), place.size(), stride, size};
  } else {
    return {reinterpret_cast<std::uintptr_t>(&place), 1, sizeof(Place), sizeof(Place)};
  }
}
template <class View>
Footprint footprint(View const& view, std::size_t count) {
  Footprint first = footprint(view);
  first.count     = count;
  return first;
}

// What throws stands apart from the checks, which small scans would notice if they had to make room for all this.
[[noreturn, gnu::cold, gnu::noinline]] inline void throw_overlap(std::string const& label, char const* a_name,
                                                                 Footprint const& a, char const* b_name,
                                                                 Footprint const& b) {
  auto const where = [](Footprint const& place) {
    return std::to_string(place.count) + " values of " + std::to_string(place.size) + " bytes from address " +
           std::to_string(place.first) + ", stride " + std::to_string(place.stride) + " bytes";
  };
  throw std::invalid_argument(label + ": " + a_name + " (" + where(a) + ") and " + b_name + " (" + where(b) +
                              ") overlap; a result may only overlap what it is made of by being the same View");
}
inline void check_apart(std::string const& label, char const* a_name, Footprint const& a, char const* b_name,
                        Footprint const& b) {
  if (overlap(a, b)) throw_overlap(label, a_name, a, b_name, b);
}

/// In place is allowed; anything between in place and apart is not.
inline void check_in_place_or_apart(std::string const& label, char const* from_name, Footprint const& from,
                                    char const* dest_name, Footprint const& dest) {
  bool const same_element = from.count == 1 && dest.count == 1 && from.first == dest.first && from.size == dest.size;
  if (!same_element && from != dest) check_apart(label, from_name, from, dest_name, dest);
}

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_not_distinct(std::string const& label, char const* name,
                                                                      Footprint const& view) {
  throw std::invalid_argument(label + ": the " + std::to_string(view.count) + " values of " + name + ", of " +
                              std::to_string(view.size) + " bytes, are only " + std::to_string(view.stride) +
                              " bytes apart: they would overwrite each other");
}
/// A result needs a place for each of its values.
inline void check_distinct(std::string const& label, char const* name, Footprint const& view) {
  if (view.count > 1 && view.stride < view.size) throw_not_distinct(label, name, view);
}

[[noreturn, gnu::cold, gnu::noinline]] inline void throw_too_short(std::string const& label, char const* from_name,
                                                                   std::size_t from, char const* dest_name,
                                                                   std::size_t dest, std::size_t more) {
  throw std::invalid_argument(label + ": " + from_name + ".extent(0) is " + std::to_string(from) + " and " + dest_name +
                              ".extent(0) is " + std::to_string(dest) + "; " + dest_name + " must have " +
                              (more ? "one entry more" : "at least the same extent"));
}
inline void check_extents(std::string const& label, char const* from_name, std::size_t from, char const* dest_name,
                          std::size_t dest, std::size_t more = 0) {
  if (from + more > dest) throw_too_short(label, from_name, from, dest_name, dest, more);
}

}  // namespace KokkosScan::driver
