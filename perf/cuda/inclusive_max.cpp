// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "family.hpp"
#include "operations.hpp"

namespace perf::cuda {
namespace {

struct InclusiveMax {
  template <class P>
  static void call(auto const& where, P const& p) {
    KokkosScan::inclusive_scan(where, p.from, p.to, KokkosScan::Max{});
  }
};

template <class T>
std::vector<Family> inclusive_max_of() {
  return families<OnDevice<T, T, Larger<T>, Rising, Kind::inclusive, Same, Larger>, InclusiveMax>("inclusive_max",
                                                                                                  type_name<T>());
}

}  // namespace

std::vector<Family> inclusive_max() {
  return joined({inclusive_max_of<std::int32_t>(), inclusive_max_of<std::uint32_t>(), inclusive_max_of<std::int64_t>(),
                 inclusive_max_of<float>(), inclusive_max_of<double>()});
}

}  // namespace perf::cuda
