// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "inclusive_sum.hpp"
#include "operations.hpp"

namespace perf::cuda {
namespace {

/// A struct of the user's, which no library knows.
struct TwoDoubles {
  using value_type = double;
  double first, second;

  double real() const { return first; }
  KOKKOS_FUNCTION double imag() const { return second; }
  KOKKOS_FUNCTION friend TwoDoubles operator+(TwoDoubles const& left, TwoDoubles const& right) {
    return {left.first + right.first, left.second + right.second};
  }
  KOKKOS_FUNCTION friend bool operator==(TwoDoubles const& left, TwoDoubles const& right) {
    return left.first == right.first && left.second == right.second;
  }
};

}  // namespace

std::vector<Family> inclusive_sum_of_other_values() {
  return joined({inclusive_sum<Kokkos::Experimental::half_t, Levels>("f16"),
                 inclusive_sum<Kokkos::Experimental::bhalf_t, Levels>("bf16"),
                 inclusive_sum<Kokkos::complex<double>>("c128"), inclusive_sum<TwoDoubles>("f64x2")});
}

}  // namespace perf::cuda
