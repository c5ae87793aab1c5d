// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "reversed.hpp"

#include <cstdint>

namespace perf {
static Add const reversed{reversed_inclusive<double>(), reversed_inclusive<std::int32_t>(),
                          reversed_inclusive<std::int8_t>(), reversed_other_forms<float>(),
                          on_request({reversed_other_forms<double>(), reversed_other_forms<std::int32_t>(),
                                      reversed_other_forms<std::int8_t>()})};
}
