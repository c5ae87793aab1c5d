// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "family.hpp"
#include "operations.hpp"

namespace perf::cuda {
namespace {

/// A sum once more, but written by the user: no library knows what it is, or that it commutes.
template <class T>
struct OwnPlus {
  KOKKOS_FUNCTION T operator()(T const& left, T const& right) const { return left + right; }
};

struct InclusiveOwn {
  template <class P>
  static void call(auto const& where, P const& p) {
    KokkosScan::inclusive_scan(where, p.from, p.to, typename P::Op{});
  }
};

template <class T>
std::vector<Family> inclusive_lambda_of() {
  return families<OnDevice<T, T, OwnPlus<T>>, InclusiveOwn>("inclusive_lambda", type_name<T>());
}

}  // namespace

std::vector<Family> inclusive_lambda() {
  return joined({inclusive_lambda_of<std::int32_t>(), inclusive_lambda_of<std::uint32_t>(),
                 inclusive_lambda_of<std::int64_t>(), inclusive_lambda_of<float>(), inclusive_lambda_of<double>()});
}

}  // namespace perf::cuda
