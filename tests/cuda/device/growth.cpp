// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cstddef>
#include <utility>
#include <vector>

#include "sums.hpp"

// The device's memory while n grows by 1 % a call, and while streams come and go.
namespace {

using namespace device;
using KokkosScan::GridScan;

constexpr GridScan grids[] = {GridScan::hillis_steele, GridScan::hierarchical, GridScan::automatic};

/// What the device has given away, when all work is done and its pool has given back what it can.
std::size_t used_memory() {
  ok(cudaDeviceSynchronize());
  int device = 0;
  ok(cudaGetDevice(&device));
  cudaMemPool_t pool{};
  if (cudaDeviceGetDefaultMemPool(&pool, device) == cudaSuccess) ok(cudaMemPoolTrimTo(pool, 0));
  std::size_t free = 0, all = 0;
  ok(cudaMemGetInfo(&free, &all));
  return all - free;
}

/// What the pool of the device takes at a time, and what the first launch of a kernel may take.
constexpr std::size_t slack = std::size_t{160} << 20;

/// Of a call that says how much it needs.
template <class F>
void expect_bounded(F const& call) {
  std::size_t const before = used_memory();
  int count                = 0;
  for (double size = 1e5; size < 1e8; size *= 1.01) {
    auto const n           = static_cast<std::size_t>(size);
    std::size_t const need = call(n);
    if (++count % 10 != 0) continue;
    std::size_t const used = used_memory();
    ASSERT_LE(used, before + need * 5 / 2 + slack) << "n = " << n;
  }
}

TEST(DeviceGrowth, of_a_handle_is_bounded_and_released) {
  std::size_t const most = 100'000'000;
  Exec const exec;
  View<double> const values("values", most);
  for (GridScan const grid : grids) {
    SCOPED_TRACE(to_string(grid));
    auto const handle = handle_for(exec, grid);
    KokkosScan::inclusive_scan(handle, values, values);
    handle.release();
    std::size_t const before = used_memory();
    expect_bounded([&](std::size_t n) {
      KokkosScan::inclusive_scan(handle, part(values, 0, n), part(values, 0, n));
      auto const needs = KokkosScan::cuda::needs<double>(handle.options(), n);
      return needs.scratch + needs.states;
    });
    handle.release();
    EXPECT_LE(used_memory(), before + slack);
  }
}

TEST(DeviceGrowth, of_an_instance_is_bounded_and_released) {
  Exec const exec;
  for (bool const everywhere : {false, true}) {
    std::size_t const before = used_memory();
    expect_bounded([&](std::size_t n) {
      auto const leases = KokkosScan::driver::lease(exec, KokkosScan::core::Needs{.scratch = 16 * n, .states = n});
      cudaMemsetAsync(leases.memory().scratch, 1, 16 * n, exec.cuda_stream());
      return 17 * n;
    });
    if (everywhere)
      KokkosScan::release_scratch();
    else
      KokkosScan::release_scratch(exec);
    EXPECT_LE(used_memory(), before + slack);
  }
}

/// A block that a larger one replaces is still used by kernels that run.
TEST(DeviceGrowth, spoils_no_result) {
  Exec const exec;
  std::size_t const most = 1 << 22;
  View<float> const from("from", most);
  fill(exec, from, 1);
  for (GridScan const grid : grids) {
    SCOPED_TRACE(to_string(grid));
    constexpr int calls = 8;
    std::vector<View<float>> results, expected;
    auto const growing = handle_for(exec, grid);
    for (int call = 0; call < calls; ++call) {
      std::size_t const n = most >> (calls - 1 - call);
      results.emplace_back("results", n);
      expected.emplace_back("expected", n);
      KokkosScan::inclusive_scan(handle_for(exec, grid), part(from, 0, n), expected.back());
    }
    exec.fence();
    for (auto const& result : results) KokkosScan::inclusive_scan(growing, part(from, 0, result.size()), result);
    growing.release();
    for (int call = 0; call < calls; ++call) ASSERT_EQ(differences(exec, results[call], expected[call]), 0U);
  }
}

TEST(DeviceGrowth, streams_that_come_and_go_leave_little_behind) {
  constexpr std::size_t n = 1 << 20;
  constexpr int batch     = 20;
  Exec const whole;
  View<double> const from("from", n), expected("expected", n);
  fill(whole, from, 5);
  KokkosScan::inclusive_scan(whole, from, expected);
  whole.fence();
  std::vector<View<double>> dest;
  for (int s = 0; s < batch; ++s) dest.emplace_back("dest", n);

  std::size_t used = 0;
  for (int repetition = 0; repetition < 10'000 / batch; ++repetition) {
    for (int s = 0; s < batch; ++s) poison(whole, dest[s]);
    whole.fence();
    std::vector<cudaStream_t> streams(batch);
    for (int s = 0; s < batch; ++s) {
      ok(cudaStreamCreateWithFlags(&streams[s], cudaStreamNonBlocking));
      KokkosScan::inclusive_scan(Exec(streams[s]), from, dest[s]);
      if (s % 2) ok(cudaStreamDestroy(streams[s]));  // while it works, and its address is free for the next
    }
    for (int s = 0; s < batch; s += 2) ok(cudaStreamDestroy(streams[s]));
    ok(cudaDeviceSynchronize());
    for (int s = 0; s < batch; ++s) ASSERT_EQ(differences(whole, dest[s], expected), 0U) << "repetition " << repetition;
    if (repetition == 1) used = used_memory();
  }
  EXPECT_LE(used_memory(), used + slack);
}

/// CUDA gives the handle of a stream that is gone to the next one, while kernels of the first still use its scratch.
TEST(DeviceGrowth, a_stream_by_the_handle_of_another_has_scratch_of_its_own) {
  KokkosScan::core::Needs const needs{.scratch = 1000, .states = 1000};
  auto const scratch_of = [&](cudaStream_t stream) {
    Exec const exec(stream);  // which a lease refers to
    auto const leases = KokkosScan::driver::lease(exec, needs);
    return std::pair(leases.memory().scratch, leases.memory().states);
  };
  cudaStream_t first{};
  ok(cudaStreamCreateWithFlags(&first, cudaStreamNonBlocking));
  auto const before = scratch_of(first);
  ASSERT_EQ(scratch_of(first), before);
  ok(cudaStreamDestroy(first));

  std::vector<cudaStream_t> others;
  do {
    cudaStream_t other{};
    ok(cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking));
    others.push_back(other);
  } while (others.back() != first && others.size() < 1000);
  bool const has_returned = others.back() == first;
  if (has_returned) {
    auto const after = scratch_of(first);
    EXPECT_NE(after.first, before.first);
    EXPECT_NE(after.second, before.second);
  }
  for (cudaStream_t const other : others) ok(cudaStreamDestroy(other));
  if (!has_returned) GTEST_SKIP() << "CUDA gave no stream the handle of the first";
}

}  // namespace
