// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "support/random.hpp"

// The rows that tests of kernels for ragged rows have.
namespace test {

inline constexpr char const* kinds[] = {"rows of 1", "rows of 10", "rows of 300", "one row", "empty ones at both ends",
                                        "random"};

/// Offsets of so many items, the first of which is any.
template <class Offset>
std::vector<Offset> make_offsets(std::string const& kind, std::size_t items, std::size_t first) {
  Random random(items);
  std::vector<Offset> offsets;
  auto const add           = [&](std::size_t item) { offsets.push_back(static_cast<Offset>(first + item)); };
  std::size_t const length = kind == "rows of 1" ? 1 : kind == "rows of 10" ? 10 : kind == "rows of 300" ? 300 : items;
  bool const is_random = kind == "random", has_empty_ends = kind == "empty ones at both ends";
  for (std::size_t k = 0; has_empty_ends && k < 700; ++k) add(0);
  for (std::size_t item = 0; item < items;) {
    add(item);
    if (is_random && random.one_in(20))
      for (std::size_t k = random.below(150); k > 0; --k) add(item);
    item += is_random ? (random.one_in(4) ? random.below(400) : random.below(3)) : length;
  }
  add(items);
  for (std::size_t k = 0; has_empty_ends && k < 700; ++k) add(items);
  return offsets;
}

}  // namespace test
