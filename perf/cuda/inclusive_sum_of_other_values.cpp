// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "inclusive_sum.hpp"
#include "operations.hpp"

namespace perf::cuda {

std::vector<Family> inclusive_sum_of_other_values() {
  return joined({inclusive_sum<Kokkos::Experimental::half_t, Levels>("f16"),
                 inclusive_sum<Kokkos::Experimental::bhalf_t, Levels>("bf16"),
                 inclusive_sum<Kokkos::complex<double>>("c128")});
}

}  // namespace perf::cuda
