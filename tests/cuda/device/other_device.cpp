// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "sums.hpp"

// Instances on another device than that of Kokkos' default instance, and a thread that made another device current.
namespace {

using namespace device;
using KokkosScan::GridScan;

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
  Exec default_exec;
  int ours = 0, other = 0;
};

/// Memory of the device that is current; Kokkos' Views take that of the default instance's.
template <class T>
class Array {
 public:
  explicit Array(std::size_t n) {
    ok(cudaMalloc(&data_, n * sizeof(T)));
    view = View<T>(data_, n);
  }
  Array(Array const&)            = delete;
  Array& operator=(Array const&) = delete;
  ~Array() { cudaFree(data_); }

  std::vector<T> content() const {
    std::vector<T> all(view.size());
    ok(cudaMemcpy(all.data(), data_, all.size() * sizeof(T), cudaMemcpyDeviceToHost));
    return all;
  }

  View<T> view;

 private:
  T* data_ = nullptr;
};

/// Results of a scan, and what a host total says, on the device that is current.
template <class Backend>
std::pair<std::vector<float>, float> scanned(GridScan grid, std::size_t n) {
  auto const [stream, exec] = Instance();
  KokkosScan::Handle<Exec, Backend, KokkosScan::Options> const handle(exec, {.grid = grid});
  Array<float> const from(n), dest(n);
  fill(exec, from.view, 3);
  float total = 0;
  KokkosScan::inclusive_scan(handle, from.view, dest.view, KokkosScan::Sum{}, KokkosScan::Total{total});
  handle.release();
  KokkosScan::inclusive_scan(handle, from.view, dest.view);
  exec.fence();
  return {dest.content(), total};
}

TEST_F(OtherDevice, scans_as_ours_does) {
  for (std::size_t const n : {1000, 100'001, 5'000'001}) {
    auto const expect = [&]<class Backend>(Backend) {
      for (GridScan const grid : Backend::grids) {
        if constexpr (requires { Backend::serves(Exec(), grid); })
          if (!Backend::serves(Exec(), grid) || Backend::template most_values<float>(grid) < n) continue;
        SCOPED_TRACE(std::string(Backend::name) + " x " + to_string(grid) + ", n = " + std::to_string(n));
        ok(cudaSetDevice(ours));
        auto const expected = scanned<Backend>(grid, n);
        ok(cudaSetDevice(other));
        auto const found = scanned<Backend>(grid, n);
        EXPECT_EQ(found.second, expected.second);
        EXPECT_EQ(found.second, found.first.back());
        EXPECT_TRUE(found.first == expected.first);
      }
    };
    expect(KokkosScan::cuda::Backend{});
    expect(KokkosScan::portable::Backend{});
  }
}

TEST_F(OtherDevice, needs_no_handle) {
  std::size_t const n = 1 << 20;
  ok(cudaSetDevice(other));
  auto const [stream, exec] = Instance();
  Array<float> const from(n), dest(n);
  fill(exec, from.view, 3);
  float total = 0;
  KokkosScan::inclusive_scan(exec, from.view, dest.view, KokkosScan::Sum{}, KokkosScan::Total{total});
  EXPECT_EQ(total, dest.content().back());
  // Whichever device is current.
  auto const before = dest.content();
  ok(cudaMemset(dest.view.data(), 0, n * sizeof(float)));
  ok(cudaDeviceSynchronize());
  ok(cudaSetDevice(ours));
  KokkosScan::inclusive_scan(exec, from.view, dest.view);
  int current = -1;
  ok(cudaGetDevice(&current));
  EXPECT_EQ(current, ours);
  exec.fence();
  EXPECT_TRUE(dest.content() == before);
  KokkosScan::release_scratch(exec);
}

TEST_F(OtherDevice, has_the_total_of_nothing) {
  ok(cudaSetDevice(other));
  auto const [stream, exec] = Instance();
  View<float> const nothing;
  float total = -1;
  KokkosScan::exclusive_scan(exec, nothing, nothing, 2.5F, KokkosScan::Sum{}, KokkosScan::Total{total});
  EXPECT_EQ(total, 2.5F);
  EXPECT_EQ(cudaGetLastError(), cudaSuccess);
}

TEST_F(OtherDevice, has_scratch_of_its_own) {
  ok(cudaSetDevice(other));
  auto const [stream, exec] = Instance();
  auto const handle         = handle_for(exec, GridScan::hillis_steele);
  auto const device_of      = [](void const* data) {
    cudaPointerAttributes attributes{};
    ok(cudaPointerGetAttributes(&attributes, data));
    return attributes.device;
  };
  ok(cudaSetDevice(ours));
  KokkosScan::core::Needs const needs{.scratch = 1000, .states = 1000};
  auto const leases = handle.lease(needs);
  EXPECT_EQ(device_of(leases.memory().scratch), other);
  EXPECT_EQ(device_of(leases.memory().states), other);
  auto const without_handle = KokkosScan::driver::lease(exec, needs);
  EXPECT_EQ(device_of(without_handle.memory().scratch), other);
  auto const on_ours = KokkosScan::driver::lease(default_exec, needs);
  EXPECT_EQ(device_of(on_ours.memory().scratch), ours);
}

TEST_F(OtherDevice, may_be_current_while_ours_scans) {
  Sums const sums{Exec()};
  cudaSetDevice(other);
  sums.scan();
  int current = -1;
  cudaGetDevice(&current);
  EXPECT_EQ(current, other);
  cudaSetDevice(ours);
  EXPECT_EQ(differences(sums.exec, sums.dest, sums.expected), 0U);
}

}  // namespace
