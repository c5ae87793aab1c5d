// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "operations.hpp"

namespace perf {
static Add const doubles_and_integers{
    exclusive_sum<std::int32_t>(), maxima<std::int32_t>(),        maxima<std::int64_t>(),  maxima<double>(),
    inclusive_lambda<double>(),    transform_exclusive<double>(), in_place<std::int32_t>()};
}
