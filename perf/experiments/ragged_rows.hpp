// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <vector>

// Offsets of ragged rows, for the programs that visit their items.
namespace bench {

using Offsets = std::vector<std::int32_t>;

inline Offsets of_length(std::int64_t items, std::int64_t length) {
  Offsets offsets;
  for (std::int64_t j = 0; j < items; j += length) offsets.push_back(static_cast<std::int32_t>(j));
  offsets.push_back(static_cast<std::int32_t>(items));
  return offsets;
}
/// Row k of the largest ones has a share of 1 / k of three quarters of the items, and one row a quarter.
inline Offsets of_power_law(std::int64_t items, std::size_t rows) {
  double sum = 0;
  for (std::size_t k = 1; k <= rows; ++k) sum += 1 / static_cast<double>(k);
  std::vector<std::int64_t> lengths(rows);
  std::int64_t left = items - items / 4;
  for (std::size_t k = rows; k > 0; --k) {
    auto& length = lengths[k * std::size_t{0x9e3779b1} % rows];
    length =
        std::min<std::int64_t>(left, std::llround(0.75 * static_cast<double>(items) / (static_cast<double>(k) * sum)));
    left -= length;
  }
  lengths[rows / 2] += items / 4 + left;
  Offsets offsets{0};
  std::int64_t end = 0;
  for (std::int64_t const length : lengths) offsets.push_back(static_cast<std::int32_t>(end += length));
  return offsets;
}

}  // namespace bench
