// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstdint>

#include "by_index.hpp"
#include "by_key.hpp"

namespace perf {
static Add const keys_and_indices{
    inclusive_by_key<std::int32_t>(), inclusive_by_key<double>(), by_index<std::int32_t>(), by_functor<double>(),
    on_request({exclusive_by_key<std::int32_t>(), exclusive_by_key<float>(), exclusive_by_key<double>()})};
}
