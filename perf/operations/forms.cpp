// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "operations.hpp"

namespace perf {
static Add const forms{transform_exclusive<float>(), in_place<float>(), offsets()};
}
