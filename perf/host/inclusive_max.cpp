// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "family.hpp"
#include "operations.hpp"

namespace perf::host {
namespace {

template <class T>
Family inclusive_max_of() {
  using P         = Problem<T, T, Larger<T>, Rising, Kind::inclusive, Same, Larger>;
  auto const ours = [](auto const& where, P const& p) {
    KokkosScan::inclusive_scan(where, p.from, p.to, KokkosScan::Max{});
  };
  return family<P>("inclusive_max", type_name<T>(), large, ours);
}

}  // namespace

std::vector<Family> inclusive_max() {
  return {inclusive_max_of<std::int32_t>(), inclusive_max_of<float>(), inclusive_max_of<double>()};
}

}  // namespace perf::host
