// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "inclusive_sum.hpp"
#include "operations.hpp"

namespace perf::host {

std::vector<Family> inclusive_sum_of_floats() { return {inclusive_sum<float>(), inclusive_sum<double>()}; }

}  // namespace perf::host
