// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "family.hpp"

namespace perf::host {

template <class T>
Family inclusive_sum() {
  using P         = Problem<T, T, Plus<T>>;
  auto const ours = [](auto const& where, P const& p) { KokkosScan::inclusive_scan(where, p.from, p.to); };
  return family<P>("inclusive_sum", type_name<T>(), large, ours, Algorithms::every);
}

}  // namespace perf::host
