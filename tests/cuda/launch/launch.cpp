// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <functional>
#include <stdexcept>
#include <string>
#include <thread>

#include "cuda_native/machine/launch.hpp"

// What becomes of an error of the CUDA runtime, and which kernels are launched as dependents.
namespace {

using namespace KokkosScan::cuda;

void kernel(int) {}
void other_kernel(int) {}

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
  // What it says is kept, so it comes before all launches.
  expect_reported("cudaFuncGetAttributes", [] { has_copies_in(reinterpret_cast<void const*>(kernel)); });
  expect_reported("cudaLaunchKernelEx", [] { launch(nullptr, {1, 32}, kernel, 1); });
  expect_reported("cudaFuncSetAttribute", [] { launch(nullptr, {1, 32, 100 * 1024}, kernel, 1); });
  expect_reported("cudaGetDevice", [] { current_device(); });
  expect_reported("cudaDeviceGetAttribute", [] { current_device(); });
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

/// Whether a launch says that its kernel waits for the one in front of it.
bool is_dependent(void (*launched)(int)) {
  launch(nullptr, {1, 32}, launched, 1);
  auto const& attributes = runtime::attributes.back();
  if (attributes.empty()) return false;
  EXPECT_EQ(attributes.size(), 1U);
  EXPECT_EQ(attributes[0].id, cudaLaunchAttributeProgrammaticStreamSerialization);
  return attributes[0].val.programmaticStreamSerializationAllowed == 1;
}

/// Code for older devices does not wait: it must not start early, whatever the device could do.
TEST(Launch, is_dependent_where_the_kernel_waits) {
  runtime::architectures = {90, 80, 100};
  for (bool const expected : {true, false, true}) {
    EXPECT_EQ(is_dependent(kernel), expected) << "device " << runtime::device;
    EXPECT_EQ(is_dependent(other_kernel), expected) << "device " << runtime::device;
    ++runtime::device;
  }
  runtime::device = 0;
}

TEST(Launch, asks_once_after_a_kernel_and_device) {
  runtime::architectures = {90, 80};
  is_dependent(kernel);
  int const before = runtime::asked;
  for (int i = 0; i < 3; ++i) EXPECT_TRUE(is_dependent(kernel));
  EXPECT_EQ(runtime::asked, before);
  std::thread([&] { EXPECT_TRUE(is_dependent(kernel)); }).join();  // each thread for itself
  EXPECT_EQ(runtime::asked, before + 1);
}

TEST(Launch, is_not_dependent_where_that_is_turned_off) {
  dependent_launches = false;
  EXPECT_FALSE(is_dependent(kernel));
  dependent_launches = true;
  EXPECT_TRUE(is_dependent(kernel));
}

/// An answer that was not had is not kept.
TEST(Launch, asks_again_after_an_error) {
  static constexpr auto fresh = [](int) {};
  void (*const unknown)(int)  = fresh;
  expect_reported("cudaFuncGetAttributes", [&] { launch(nullptr, {1, 32}, unknown, 1); });
  EXPECT_TRUE(is_dependent(unknown));
}

}  // namespace
