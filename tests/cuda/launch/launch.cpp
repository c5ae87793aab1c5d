// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>

#include "cuda_native/machine/launch.hpp"

// What becomes of an error of the CUDA runtime.
namespace {

using namespace KokkosScan::cuda;

void kernel(int) {}

/// The call of the runtime is named with its reason, and leaves nothing to those who ask for the last error.
void expect_reported(std::string const& call, std::function<void()> const& calls) {
  SCOPED_TRACE(call);
  runtime::to_fail = call;
  try {
    calls();
    ADD_FAILURE() << "the error is swallowed";
  } catch (std::runtime_error const& error) {
    std::string const text = error.what();
    for (std::string const& word : {call, std::string("cudaErrorInvalidValue"), std::string("invalid argument")})
      EXPECT_NE(text.find(word), std::string::npos) << word << " is not in: " << text;
  }
  EXPECT_EQ(cudaGetLastError(), cudaSuccess) << "an error that was reported already";
  runtime::to_fail.clear();
}

TEST(Launch, reports_an_error_once) {
  expect_reported("cudaLaunchKernelEx", [] { launch(nullptr, {1, 32}, kernel, 1); });
  expect_reported("cudaFuncSetAttribute", [] { launch(nullptr, {1, 32, 100 * 1024}, kernel, 1); });
  expect_reported("cudaGetDevice", [] { current_device(); });
  expect_reported("cudaDeviceGetAttribute", [] { current_device(); });
  expect_reported("cudaFuncGetAttributes", [] { has_copies_in(reinterpret_cast<void const*>(kernel)); });
}

/// What others left behind is not ours to take away while all goes well.
TEST(Launch, leaves_the_errors_of_others) {
  runtime::last = cudaErrorInvalidValue;
  launch(nullptr, {3, 64, 128}, kernel, 1);
  EXPECT_EQ(cudaGetLastError(), cudaErrorInvalidValue);
  ASSERT_FALSE(runtime::launches.empty());
  cudaLaunchConfig_t const& launched = runtime::launches.back();
  EXPECT_EQ(launched.gridDim, 3U);
  EXPECT_EQ(launched.blockDim, 64U);
  EXPECT_EQ(launched.dynamicSmemBytes, 128U);
}

}  // namespace
