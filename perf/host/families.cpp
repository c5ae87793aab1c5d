// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../backend.hpp"
#include "operations.hpp"

namespace perf {

std::vector<Family> backend_families() {
  std::vector<Family> all;
  for (auto* list :
       {host::inclusive_sum_of_integers, host::inclusive_sum_of_floats, host::exclusive_sum, host::inclusive_extremes,
        host::inclusive_lambda, host::transform_exclusive, host::in_place_and_strided, host::offsets})
    for (Family& family : list()) all.push_back(std::move(family));
  return all;
}

Facts backend_facts() { return {}; }

}  // namespace perf
