// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "operations.hpp"

// For --quick alone, which names no algorithm: the other program has the same by every algorithm.
namespace perf {
static Add const sums{inclusive_sum<std::int32_t>(), inclusive_sum<float>(), inclusive_sum<double>()};
}
