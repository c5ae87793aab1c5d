// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <stdexcept>
#include <string>

#include "sums.hpp"

// Instances on another device than that of Kokkos' default instance, and a thread that made another device current.
namespace {

using namespace device;

class OtherDevice : public testing::Test {
 protected:
  void SetUp() override {
    int count = 0;
    cudaGetDeviceCount(&count);
    if (count < 2) GTEST_SKIP() << "needs two CUDA devices";
    ours  = Exec().cuda_device();
    other = ours == 0 ? 1 : 0;
  }
  void TearDown() override { cudaSetDevice(ours); }
  int ours = 0, other = 0;
};

TEST_F(OtherDevice, has_no_scratch_and_says_so) {
  cudaSetDevice(other);
  cudaStream_t stream{};
  ASSERT_EQ(cudaStreamCreate(&stream), cudaSuccess);
  {
    Exec const exec(stream);
    View<float> const values("values", 1 << 20);
    try {
      KokkosScan::inclusive_scan(exec, values, values);
      FAIL() << "a scan on another device must be refused";
    } catch (std::invalid_argument const& error) {
      EXPECT_NE(std::string(error.what()).find("CUDA device " + std::to_string(other)), std::string::npos)
          << error.what();
    }
  }
  cudaStreamDestroy(stream);
}

TEST_F(OtherDevice, may_be_current_while_ours_scans) {
  std::size_t const n = 1 << 20;
  Exec const exec;
  View<float> const values("values", n), expected("expected", n), results("results", n);
  fill(exec, values, 1);
  KokkosScan::inclusive_scan(exec, values, expected);
  exec.fence();
  cudaSetDevice(other);
  KokkosScan::inclusive_scan(exec, values, results);
  int current = -1;
  cudaGetDevice(&current);
  EXPECT_EQ(current, other);
  cudaSetDevice(ours);
  EXPECT_EQ(differences(exec, results, expected), 0U);
}

}  // namespace
