// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "family.hpp"
#include "operations.hpp"

namespace perf::host {
namespace {

template <class T>
struct Half {
  KOKKOS_FUNCTION constexpr T operator()(T x) const { return x * T(0.5); }
};

template <class T>
Family transform_exclusive_of() {
  using P         = Problem<T, T, Plus<T>, AroundZero, Kind::exclusive, Half<T>>;
  auto const ours = [](auto const& where, P const& p) {
    KokkosScan::transform_exclusive_scan(where, p.from, p.to, T{}, KokkosScan::Sum{}, Half<T>{});
  };
  return family<P>("transform_exclusive", type_name<T>(), large, ours);
}

}  // namespace

std::vector<Family> transform_exclusive() {
  return {transform_exclusive_of<float>(), transform_exclusive_of<double>()};
}

}  // namespace perf::host
