// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "operations.hpp"

namespace perf {
static Add const sums{
    inclusive_sum<std::int32_t, Algorithms::every>(), inclusive_sum<float, Algorithms::every>(),
    inclusive_sum<double, Algorithms::every>(),       inclusive_sum<std::int8_t, Algorithms::every>(),
    inclusive_sum<std::int16_t, Algorithms::every>(), inclusive_sum<std::int64_t, Algorithms::every>()};
}
