// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "family.hpp"
#include "operations.hpp"

namespace perf::host {
namespace {

template <class T>
Family exclusive_sum_of() {
  using P         = Problem<T, T, Plus<T>, AroundZero, Kind::exclusive>;
  auto const ours = [](auto const& where, P const& p) { KokkosScan::exclusive_scan(where, p.from, p.to, T{}); };
  return family<P>("exclusive_sum", type_name<T>(), large, ours);
}

}  // namespace

std::vector<Family> exclusive_sum() { return {exclusive_sum_of<std::int32_t>(), exclusive_sum_of<float>()}; }

}  // namespace perf::host
