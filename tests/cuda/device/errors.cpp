// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdexcept>

#include "sums.hpp"

// An error of the CUDA runtime is reported once: by what we throw, and not by cudaGetLastError() as well.
namespace {

__global__ void nothing() {}

TEST(Errors, that_were_thrown_are_not_left_behind) {
  int const threads = 1 << 20;  // more than any block has
  EXPECT_THROW(KokkosScan::cuda::launch(device::Exec().cuda_stream(), {1, threads}, nothing), std::runtime_error);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

}  // namespace
