// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "inclusive_sum.hpp"
#include "operations.hpp"

namespace perf::cuda {

std::vector<Family> inclusive_sum_of_floats() {
  return joined({inclusive_sum<float>("f32", Algorithms::every), inclusive_sum<double>("f64", Algorithms::every)});
}

}  // namespace perf::cuda
