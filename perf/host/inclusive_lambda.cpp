// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "family.hpp"
#include "operations.hpp"

namespace perf::host {
namespace {

/// A sum once more, but written by the user: no library knows what it is, or that it commutes.
template <class T>
Family inclusive_lambda_of() {
  auto const plus = [](T left, T right) { return left + right; };
  using P         = Problem<T, T, std::remove_const_t<decltype(plus)>>;
  auto const ours = [plus](auto const& where, P const& p) { KokkosScan::inclusive_scan(where, p.from, p.to, plus); };
  return family<P>("inclusive_lambda", type_name<T>(), large, ours, Algorithms::every);
}

}  // namespace

std::vector<Family> inclusive_lambda() { return {inclusive_lambda_of<float>(), inclusive_lambda_of<double>()}; }

}  // namespace perf::host
