// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "family.hpp"
#include "operations.hpp"

namespace perf::host {
namespace {

template <class T, std::size_t stride>
Family sum(std::string const& operation, std::size_t largest, Placement placement) {
  using P         = Problem<T, T, Plus<T>, AroundZero, Kind::inclusive, Same, Plus, stride>;
  auto const ours = [](auto const& where, P const& p) { KokkosScan::inclusive_scan(where, p.from, p.to); };
  return family<P>(operation, type_name<T>(), largest, ours, Algorithms::automatic, placement);
}

}  // namespace

std::vector<Family> in_place_and_strided() {
  return {sum<std::int32_t, 1>("in_place", large, {.in_place = true}),
          sum<float, 1>("in_place", large, {.in_place = true}), sum<std::int32_t, 3>("strided", large / 4, {}),
          sum<float, 3>("strided", large / 4, {})};
}

}  // namespace perf::host
