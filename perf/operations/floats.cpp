// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "operations.hpp"

namespace perf {
static Add const floats{exclusive_sum<float>(),       maxima<float>(),   inclusive_lambda<float>(),
                        transform_exclusive<float>(), in_place<float>(), offsets()};
}
