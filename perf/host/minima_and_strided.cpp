// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "../operations/operations.hpp"

namespace perf {
namespace {

template <class T>
std::vector<Family> strided() {
  return families<Problem<T, T, Plus<T>, AroundZero, Kind::inclusive, Same, Plus, 3>, InclusiveSum>("strided",
                                                                                                    type_name<T>());
}

Add const here{minima<std::int32_t>(), minima<std::int64_t>(),  minima<float>(),
               minima<double>(),       strided<std::int32_t>(), strided<float>()};

}  // namespace
}  // namespace perf
