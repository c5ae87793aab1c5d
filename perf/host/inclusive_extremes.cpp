// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "family.hpp"
#include "operations.hpp"

namespace perf::host {
namespace {

template <class T, class Op, template <class> class PeersOp, class Input>
Family extremes(char const* operation) {
  static_assert(sizeof(T) >= 4, "the extreme of narrow integers stops changing, and dropped elements go unnoticed");
  using P         = Problem<T, T, PeersOp<T>, Input, Kind::inclusive, Same, PeersOp>;
  auto const ours = [](auto const& where, P const& p) { KokkosScan::inclusive_scan(where, p.from, p.to, Op{}); };
  return family<P>(operation, type_name<T>(), large, ours);
}

template <class T>
Family maxima() {
  return extremes<T, KokkosScan::Max, Larger, Rising>("inclusive_max");
}
template <class T>
Family minima() {
  return extremes<T, KokkosScan::Min, Smaller, Falling>("inclusive_min");
}

}  // namespace

std::vector<Family> inclusive_extremes() {
  return {maxima<std::int32_t>(), maxima<std::int64_t>(), maxima<float>(), maxima<double>(),
          minima<std::int32_t>(), minima<std::int64_t>(), minima<float>(), minima<double>()};
}

}  // namespace perf::host
