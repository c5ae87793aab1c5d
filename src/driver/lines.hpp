// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include "../core/lines.hpp"

// The dimensions of Views beside the axis that is scanned, as lines that are walked in the order of memory; and what is
// checked of them. Compiled once, in lines.cpp.
namespace KokkosScan::driver {

/// A dimension of three Views: from, dest and init, with the stride of each, which is 0 where there is none.
struct Dimension {
  std::size_t extent;
  std::array<std::ptrdiff_t, 3> strides;
};

/// At most so many.
using Dimensions = std::array<Dimension, core::dimensions_of_lines>;

/// Their order: the one in which neighbours of dest are nearest last. What lies in all Views as one dimension becomes
/// one; those that are missing have an extent of 1.
Dimensions in_order_of_memory(Dimensions const& dimensions);

/// Where the elements of a View of several dimensions lie, in bytes. Dimensions of an extent of 1 have a stride of 0,
/// whatever the View says.
struct Box {
  std::uintptr_t first;
  std::size_t size;  // of an element
  std::size_t rank;
  std::array<std::size_t, 4> extents;
  std::array<std::size_t, 4> strides;

  bool is_empty() const;
  bool operator==(Box const&) const = default;
};

/// In place is allowed; anything between in place and apart is not. Views of different strides that reach into each
/// other are taken to overlap.
void check_in_place_or_apart(std::string const& label, char const* from_name, Box const& from, char const* dest_name,
                             Box const& dest);
void check_apart(std::string const& label, char const* a_name, Box const& a, char const* b_name, Box const& b);
/// A result needs an address for each of its values.
void check_distinct(std::string const& label, char const* name, Box const& view);

/// An axis that a View has not.
[[noreturn, gnu::cold]] void throw_no_such_axis(std::string const& label, int axis, char const* name, std::size_t rank);
/// A View of starts that are not as many as there are lines.
[[noreturn, gnu::cold]] void throw_wrong_init(std::string const& label, std::size_t dimension, char const* from_name,
                                              std::size_t from, std::size_t dimension_of_init, char const* init_name,
                                              std::size_t init);
[[noreturn, gnu::cold]] void throw_too_short(std::string const& label, std::size_t dimension, char const* from_name,
                                             std::size_t from, char const* dest_name, std::size_t dest);

}  // namespace KokkosScan::driver
