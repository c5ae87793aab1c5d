// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <cuda.h>

#include <string>

#include "sums.hpp"

// Scans that may use a part of the device alone: blocks that would all be resident on a whole one come one after
// another, and none may wait for one that is not there yet.
namespace {

using namespace device;
using KokkosScan::GridScan;

#if CUDA_VERSION >= 12050
void ok(CUresult status) {
  char const* name = nullptr;
  if (status != CUDA_SUCCESS) cuGetErrorName(status, &name);
  ASSERT_EQ(status, CUDA_SUCCESS) << name;
}

/// A stream whose kernels run on so many multiprocessors, or on as few more as the device can set apart.
class Part {
 public:
  explicit Part(unsigned least) {
    int ordinal = 0;
    cudaGetDevice(&ordinal);
    CUdevResource all{}, few{};
    unsigned parts = 1;
    CUdevResourceDesc of{};
    ok(cuDeviceGetDevResource(ordinal, &all, CU_DEV_RESOURCE_TYPE_SM));
    ok(cuDevSmResourceSplitByCount(&few, &parts, &all, nullptr, 0, least));
    ok(cuDevResourceGenerateDesc(&of, &few, 1));
    ok(cuGreenCtxCreate(&context_, of, ordinal, CU_GREEN_CTX_DEFAULT_STREAM));
    ok(cuGreenCtxStreamCreate(&stream_, context_, CU_STREAM_NON_BLOCKING, 0));
    multiprocessors_ = few.sm.smCount;
  }
  ~Part() {
    cuStreamDestroy(stream_);
    cuGreenCtxDestroy(context_);
  }
  Part(Part const&)            = delete;
  Part& operator=(Part const&) = delete;

  cudaStream_t stream() const { return stream_; }
  unsigned multiprocessors() const { return multiprocessors_; }

 private:
  CUgreenCtx context_{};
  CUstream stream_{};
  unsigned multiprocessors_ = 0;
};

/// Counts the blocks of each multiprocessor.
__global__ void count_blocks(unsigned* counts) {
  unsigned id = 0;
  asm("mov.u32 %0, %%smid;" : "=r"(id));
  if (threadIdx.x == 0) atomicAdd(counts + id, 1U);
}
/// How many multiprocessors ran a block of a kernel with more blocks than the device holds.
unsigned multiprocessors_in_use(Exec const& exec) {
  constexpr unsigned most = 1024;
  Kokkos::View<unsigned*, Kokkos::CudaSpace> const counts("counts", most);
  count_blocks<<<16384, 256, 0, exec.cuda_stream()>>>(counts.data());
  unsigned used = 0;
  Kokkos::parallel_reduce(
      "count", Kokkos::RangePolicy<Exec>(exec, 0, most),
      KOKKOS_LAMBDA(unsigned i, unsigned& sum) { sum += counts(i) > 0; }, used);
  return used;
}

TEST(FewMultiprocessors, scans_end_and_have_the_same_bits) {
  for (unsigned const least : {1U, 24U}) {
    Part const part(least);
    if (HasFatalFailure()) return;
    Exec const few(part.stream()), whole;
    ASSERT_EQ(multiprocessors_in_use(few), part.multiprocessors()) << "the stream is not confined";
    ASSERT_LT(part.multiprocessors(), static_cast<unsigned>(whole.cuda_device_prop().multiProcessorCount));
    for (GridScan const grid : single_pass_grids())
      for (std::size_t const n : {std::size_t{1000}, std::size_t{1} << 19, (std::size_t{1} << 24) + 12345}) {
        SCOPED_TRACE(std::to_string(n) + " values on " + std::to_string(part.multiprocessors()) + " multiprocessors, " +
                     to_string(grid));
        View<float> const from("from", n), dest("dest", n), expected("expected", n);
        fill(whole, from, 3);
        KokkosScan::inclusive_scan(handle_for(whole, grid), from, expected);
        whole.fence();
        poison(few, dest);
        KokkosScan::inclusive_scan(handle_for(few, grid), from, dest);
        ASSERT_EQ(differences(few, dest, expected), 0U);
      }
  }
}
#else
TEST(FewMultiprocessors, scans_end_and_have_the_same_bits) {
  GTEST_SKIP() << "a stream can be confined to a part of the device from CUDA 12.5 on, this is " << CUDA_VERSION;
}
#endif

}  // namespace
