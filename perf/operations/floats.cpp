// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "by_index.hpp"
#include "by_key.hpp"
#include "operations.hpp"
#include "reversed.hpp"

namespace perf {
static Add const floats{
    exclusive_sum<float>(), maxima<float>(), inclusive_lambda<float>(), transform_exclusive<float>(),
    in_place<float>(),      offsets(),       inclusive_by_key<float>(), reversed_inclusive<float>(),
    by_index<double>()};
}
