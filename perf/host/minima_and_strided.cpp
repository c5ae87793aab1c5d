// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../operations/operations.hpp"

namespace perf {
static Add const minima_and_strided{minima<std::int32_t>(), minima<std::int64_t>(),  minima<float>(),
                                    minima<double>(),       strided<std::int32_t>(), strided<float>()};
}
