// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>

#include "overlap.hpp"

// What is checked of where elements lie. What throws is compiled in checks.cpp: small scans would notice if they had to
// make room for all this, and so would whoever compiles them.
namespace KokkosScan::driver {

enum class Allowed : bool { apart, in_place_or_apart };

[[noreturn, gnu::cold]] void throw_overlap(std::string const& label, char const* a_name, Footprint const& a,
                                           char const* b_name, Footprint const& b, Allowed allowed);
inline void check_apart(std::string const& label, char const* a_name, Footprint const& a, char const* b_name,
                        Footprint const& b, Allowed allowed = Allowed::apart) {
  if (overlap(a, b)) throw_overlap(label, a_name, a, b_name, b, allowed);
}

/// In place is allowed; anything between in place and apart is not.
inline void check_in_place_or_apart(std::string const& label, char const* from_name, Footprint const& from,
                                    char const* dest_name, Footprint const& dest) {
  bool const same_element = from.count == 1 && dest.count == 1 && from.first == dest.first && from.size == dest.size;
  if (!same_element && from != dest) check_apart(label, from_name, from, dest_name, dest, Allowed::in_place_or_apart);
}

[[noreturn, gnu::cold]] void throw_not_distinct(std::string const& label, char const* name, Footprint const& view);
/// A result needs an address for each of its values.
inline void check_distinct(std::string const& label, char const* name, Footprint const& view) {
  if (view.count > 1 && view.stride < view.size) throw_not_distinct(label, name, view);
}

[[noreturn, gnu::cold]] void throw_too_short(std::string const& label, char const* from_name, std::size_t from,
                                             char const* dest_name, std::size_t dest, std::size_t more);
inline void check_extents(std::string const& label, char const* from_name, std::size_t from, char const* dest_name,
                          std::size_t dest, std::size_t more = 0) {
  if (from + more > dest) throw_too_short(label, from_name, from, dest_name, dest, more);
}

/// Edges between which there are not as many bins as counts.
[[noreturn, gnu::cold]] void throw_not_edges(std::string const& label, std::size_t edges, std::size_t counts);

/// A total of counts that is no offset.
[[noreturn, gnu::cold]] void throw_overflow(std::string const& label, std::string const& total,
                                            std::string const& most);

}  // namespace KokkosScan::driver
