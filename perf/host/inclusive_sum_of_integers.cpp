// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "inclusive_sum.hpp"
#include "operations.hpp"

namespace perf::host {

std::vector<Family> inclusive_sum_of_integers() {
  return {inclusive_sum<std::int8_t>(), inclusive_sum<std::int16_t>(), inclusive_sum<std::int32_t>(),
          inclusive_sum<std::int64_t>()};
}

}  // namespace perf::host
