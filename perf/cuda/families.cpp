// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <string>

#include "../backend.hpp"
#include "family.hpp"
#include "operations.hpp"

namespace perf::cuda {

std::size_t second_level_cache() {
  int device = 0, bytes = 0;
  require(cudaGetDevice(&device));
  require(cudaDeviceGetAttribute(&bytes, cudaDevAttrL2CacheSize, device));
  return static_cast<std::size_t>(bytes);
}

}  // namespace perf::cuda

namespace perf {

std::vector<Family> backend_families() {
  return cuda::joined({cuda::inclusive_sum_of_integers(), cuda::inclusive_sum_of_floats(),
                       cuda::inclusive_sum_of_other_values(), cuda::exclusive_sum(), cuda::inclusive_max(),
                       cuda::inclusive_lambda(), cuda::transform_exclusive(), cuda::other_forms(), cuda::offsets()});
}

Facts backend_facts() {
  int device = 0, driver = 0, runtime = 0;
  cudaDeviceProp properties{};
  cuda::require(cudaGetDevice(&device));
  cuda::require(cudaGetDeviceProperties(&properties, device));
  cuda::require(cudaDriverGetVersion(&driver));
  cuda::require(cudaRuntimeGetVersion(&runtime));
  auto const version = [](int number) {
    return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
  };
  return {{"gpu", properties.name},
          {"gpu memory", std::to_string(properties.totalGlobalMem >> 20) + " MiB"},
          {"gpu L2 cache", std::to_string(cuda::second_level_cache() >> 20) + " MiB"},
          {"CUDA", version(runtime) + ", driver for " + version(driver)}};
}

}  // namespace perf
