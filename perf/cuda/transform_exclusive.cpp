// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "family.hpp"
#include "operations.hpp"

namespace perf::cuda {
namespace {

template <class T>
struct Half {
  KOKKOS_FUNCTION T operator()(T const& x) const { return x * T(0.5); }
};

struct TransformExclusive {
  template <class P>
  static void call(auto const& where, P const& p) {
    KokkosScan::transform_exclusive_scan(where, p.from, p.to, typename P::To{}, KokkosScan::Sum{}, typename P::Unary{});
  }
};

}  // namespace

std::vector<Family> transform_exclusive() {
  return families<OnDevice<float, float, Plus<float>, AroundZero, Kind::exclusive, Half<float>>, TransformExclusive>(
      "transform_exclusive", "f32");
}

}  // namespace perf::cuda
