// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "family.hpp"
#include "operations.hpp"

namespace perf::cuda {
namespace {

struct ExclusiveSum {
  template <class P>
  static void call(auto const& where, P const& p) {
    KokkosScan::exclusive_scan(where, p.from, p.to, typename P::To{});
  }
};

template <class T>
std::vector<Family> exclusive_sum_of() {
  return families<OnDevice<T, T, Plus<T>, AroundZero, Kind::exclusive>, ExclusiveSum>("exclusive_sum", type_name<T>());
}

}  // namespace

std::vector<Family> exclusive_sum() { return joined({exclusive_sum_of<std::int32_t>(), exclusive_sum_of<float>()}); }

}  // namespace perf::cuda
