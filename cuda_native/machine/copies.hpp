// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

#include "shared.hpp"

// Copies between global and shared memory that no thread waits for, and the barriers (mbarriers) at which threads wait
// for copies and for each other, for compute capability 9.0 and later; and copies that each thread makes for itself.
namespace KokkosScan::cuda {

/// Whether the code that is being compiled for a device may use them.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
inline constexpr bool has_copies = false;
#else
inline constexpr bool has_copies = true;
#endif

/// An mbarrier: a word in shared memory that counts arrivals. When all have arrived, and all the bytes that were
/// announced, its phase ends and the next begins. Phases have a parity: the first one has 0.
class Barrier {
 public:
  __device__ explicit Barrier(Shared<std::uint64_t> word) : address_(word.address()) {}

  /// Called by one thread, before a barrier of the block.
  __device__ void init(unsigned arrivals) const {
    asm volatile("mbarrier.init.shared::cta.b64 [%0], %1;" ::"r"(address_), "r"(arrivals) : "memory");
  }
  __device__ void arrive() const {
    asm volatile("{ .reg .b64 state; mbarrier.arrive.shared::cta.b64 state, [%0]; }" ::"r"(address_) : "memory");
  }
  /// Arrives, and announces bytes that copies will write.
  __device__ void arrive_and_expect(unsigned bytes) const {
    asm volatile("{ .reg .b64 state; mbarrier.arrive.expect_tx.shared::cta.b64 state, [%0], %1; }" ::"r"(address_),
                 "r"(bytes)
                 : "memory");
  }
  /// Waits until the phase of that parity has ended.
  __device__ void wait(unsigned parity) const {
    asm volatile(
        "{\n"
        ".reg .pred done;\n"
        "again:\n"
        "mbarrier.try_wait.parity.shared::cta.b64 done, [%0], %1;\n"
        "@!done bra again;\n"
        "}\n" ::"r"(address_),
        "r"(parity)
        : "memory");
  }
  __device__ unsigned address() const { return address_; }

 private:
  unsigned address_;
};

/// Makes barriers known to copies. Called by the thread that initialised them.
__device__ inline void publish_barriers() { asm volatile("fence.mbarrier_init.release.cluster;" ::: "memory"); }

/// Copies bytes, a multiple of 16, from and to addresses that are multiples of 16; `done` counts them.
template <class T>
__device__ void copy_in(Shared<T> to, T const* from, unsigned bytes, Barrier done) {
  asm volatile(
      "cp.async.bulk.shared::cluster.global.mbarrier::complete_tx::bytes [%0], [%1], %2, [%3];" ::"r"(to.address()),
      "l"(from), "r"(bytes), "r"(done.address())
      : "memory");
}

/// Copies in the other direction. The thread that starts copies out waits for them, too.
template <class T>
__device__ void copy_out(T* to, Shared<T> from, unsigned bytes) {
  asm volatile("cp.async.bulk.global.shared::cta.bulk_group [%0], [%1], %2;" ::"l"(to), "r"(from.address()), "r"(bytes)
               : "memory");
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
}

/// Waits until the shared memory of all copies out of the calling thread has been read.
__device__ inline void wait_until_copied_out() { asm volatile("cp.async.bulk.wait_group.read 0;" ::: "memory"); }

/// Orders what the calling thread wrote to shared memory, or read there, before copies that are started behind a
/// barrier. Without it a copy in may overtake loads that are under way: nvcc 13.0 lets a thread arrive at a barrier
/// before they have ended (docs/decisions/cuda-pipeline.md).
__device__ inline void fence_for_copies() { asm volatile("fence.proxy.async.shared::cta;" ::: "memory"); }

// ---- what a thread copies for itself

/// Whether it can copy such elements without waiting for each: words, from compute capability 8.0 on.
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 800
template <class T>
inline constexpr bool can_copy_in = false;
#else
template <class T>
inline constexpr bool can_copy_in = alignof(T) % 4 == 0;
#endif

/// Copies an element into shared memory, where it is once the thread has waited for its copies: others see it behind a
/// barrier.
template <class T>
__device__ void copy_in(Shared<T> to, T const* from) {
  constexpr int size = static_cast<int>(sizeof(T)), word = alignof(T) % 16 == 0 ? 16 : alignof(T) % 8 == 0 ? 8 : 4;
  auto const* const bytes = reinterpret_cast<unsigned char const*>(from);
#pragma unroll
  for (int byte = 0; byte < size; byte += word)
    if constexpr (word == 16)
      asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(to.address() + byte), "l"(bytes + byte)
                   : "memory");
    else
      asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(to.address() + byte), "l"(bytes + byte), "n"(word)
                   : "memory");
}
__device__ inline void wait_until_copied_in() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

}  // namespace KokkosScan::cuda
