// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <vector>

namespace perf {

/// The value below which a share p of the sorted values lies, interpolated as numpy.percentile does.
inline double quantile(std::vector<double> values, double p) {
  if (values.empty()) return 0;
  std::sort(values.begin(), values.end());
  double const place      = p * static_cast<double>(values.size() - 1);
  std::size_t const below = static_cast<std::size_t>(place);
  std::size_t const above = std::min(below + 1, values.size() - 1);
  return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

inline double median(std::vector<double> const& values) { return quantile(values, 0.5); }

}  // namespace perf
