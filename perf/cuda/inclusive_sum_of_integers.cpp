// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "inclusive_sum.hpp"
#include "operations.hpp"

namespace perf::cuda {

std::vector<Family> inclusive_sum_of_integers() {
  return joined({inclusive_sum<std::int8_t>("i8", Algorithms::every),
                 inclusive_sum<std::int16_t>("i16", Algorithms::every),
                 inclusive_sum<std::int32_t>("i32", Algorithms::every), inclusive_sum<std::uint32_t>("u32"),
                 inclusive_sum<std::int64_t>("i64", Algorithms::every)});
}

}  // namespace perf::cuda
