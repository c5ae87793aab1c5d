// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <ostream>

#include "arena.hpp"

namespace test {

/// How from and dest lie to each other.
enum class Lie {
  apart,
  in_place,  ///< dest is from
  columns,   ///< first and last column of one matrix of row length 3: interleaved, but apart
};

/// How many elements lie where; offsets and strides in elements.
struct Shape {
  std::size_t n           = 0;
  std::size_t from_offset = 1;
  std::size_t dest_offset = 1;
  std::size_t from_stride = 1;
  std::size_t dest_stride = 1;
  Lie lie                 = Lie::apart;

  friend std::ostream& operator<<(std::ostream& out, Shape const& shape) {
    char const* const lies[] = {"apart", "in place", "columns of one matrix"};
    return out << "n = " << shape.n << ", offsets " << shape.from_offset << " and " << shape.dest_offset << ", strides "
               << shape.from_stride << " and " << shape.dest_stride << ", " << lies[static_cast<int>(shape.lie)];
  }
};

/// The regions of from, dest and a total in one arena.
struct Placement {
  Region from;
  Region dest;
  Region total;
  std::size_t bytes;
};

template <class From, class T, class Sum>
Placement placement(Shape const& shape) {
  constexpr std::size_t guard = 512;
  auto const behind           = [](std::size_t end) { return (end + 63) / 64 * 64 + guard; };

  std::size_t const columns = 3;
  bool const matrix         = shape.lie == Lie::columns;
  Region from{guard + shape.from_offset * sizeof(From), (matrix ? columns : shape.from_stride) * sizeof(From), shape.n,
              sizeof(From)};
  Region dest = from;
  if (matrix)
    dest.first += (columns - 1) * sizeof(From);
  else if (shape.lie == Lie::apart)
    dest = {behind(from.end()) + shape.dest_offset * sizeof(T), shape.dest_stride * sizeof(T), shape.n, sizeof(T)};
  Region const total{behind(dest.end()) + sizeof(Sum), sizeof(Sum), 1, sizeof(Sum)};
  return {from, dest, total, behind(total.end())};
}

}  // namespace test
