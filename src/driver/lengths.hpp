// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "../core/length.hpp"
#include "arguments.hpp"
#include "backend.hpp"
#include "checks.hpp"

// Lengths that a View holds: what a call knows of them, and who reads them.
namespace KokkosScan::driver {

/// What the host says of a number of elements.
template <class Integer>
std::size_t length_of(std::string const& label, Integer n, char const* name = "n") {
  if constexpr (std::is_signed_v<Integer>)
    if (n < 0)
      throw std::invalid_argument(label + ": " + name + " is " + std::to_string(n) + ", and must not be negative");
  return static_cast<std::size_t>(n);
}

/// How many elements a scan has at most.
template <class LengthArgument>
std::size_t most_of(std::string const& label, std::size_t extent, LengthArgument const& length) {
  if constexpr (is_length<LengthArgument>)
    if constexpr (LengthArgument::is_bounded) {
      std::size_t const most = driver::length_of(label, length.most, "the upper bound of the length");
      return most < extent ? most : extent;
    }
  return extent;
}

/// Whether kernels read the length. A backend that is done when it returns reads it before, as it reads an init: all
/// that was asked for before is done by then, and it plans for the elements that there are.
template <class Backend, class LengthArgument>
inline constexpr bool is_read_by_kernels = is_length<LengthArgument> && !runs_at_once<Backend>;

/// How many elements are known to be scanned, as far as the host knows.
template <class Backend, class LengthArgument>
std::size_t known_length(std::size_t most, LengthArgument const& length) {
  if constexpr (is_length<LengthArgument> && !is_read_by_kernels<Backend, LengthArgument>)
    return core::clamped(*length.address, most);
  else
    return most;
}

template <bool from_end, class Problem, class LengthArgument>
auto of_stored_length(Problem const& problem, LengthArgument const& length) {
  return core::OfStoredLength<Problem, core::StoredLength<typename LengthArgument::value_type, from_end>>{
      problem, {length.address}};
}

/// A length must not be where results go.
template <class LengthArgument>
void check_length_apart(std::string const& label, Footprint const& results, LengthArgument const& length,
                        char const* name = "dest") {
  if constexpr (is_length<LengthArgument>) {
    constexpr std::size_t size = sizeof(typename LengthArgument::value_type);
    check_apart(label, name, results, "the length",
                Footprint{reinterpret_cast<std::uintptr_t>(length.address), 1, size, size});
  }
}

template <class Exec, class LengthArgument>
consteval bool check_length() {
  if constexpr (is_length<LengthArgument>) {
    constexpr bool reaches = Kokkos::SpaceAccessibility<Exec, typename LengthArgument::memory_space>::accessible;
    static_assert(reaches, "KokkosScan: exec cannot access the memory space of the length");
    return reaches;
  } else {
    return true;
  }
}

/// The total of nothing is missed when it is too late to say so.
template <class LengthArgument, class TotalArgument, class Op, class Value, class Init>
consteval bool check_total_of_length() {
  constexpr bool is_defined = !is_length<LengthArgument> || !is_total<TotalArgument> || HasIdentity<Op, Value> ||
                              !std::is_same_v<Init, Nothing>;
  static_assert(is_defined,
                "KokkosScan: a Length may be 0, and the total of no values under an operator without identity<T>() is "
                "not defined; pass init");
  return is_defined;
}

}  // namespace KokkosScan::driver
