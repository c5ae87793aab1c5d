// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <new>

#include "copied_part.hpp"
#include "neighbours.hpp"

namespace KokkosScan::cuda::columns {

/// Brings elements i, i + step and so on, of n: all of them are on their way at once, or where they cannot be copied
/// so, a batch.
template <class To, class Of>
__device__ void bring(int i, int step, int n, To const& to, Of const& from) {
  using T = std::remove_cvref_t<decltype(*from(0))>;
  if constexpr (can_copy_in<T>) {
#pragma unroll 4
    for (; i < n; i += step) copy_in(to(i), from(i));
  } else {
    constexpr int batch = 8;
    for (; i < n; i += batch * step) {
      Uninitialized<T> fetched[batch];
#pragma unroll
      for (int k = 0; k < batch; ++k)
        if (i + k * step < n) fetched[k].put(*from(i + k * step));
#pragma unroll
      for (int k = 0; k < batch; ++k)
        if (i + k * step < n) to(i + k * step).store(0, fetched[k].value);
    }
  }
}

/// A tile whose rows lie one behind the other: an array, which is as many bytes behind a multiple of 128 in shared
/// memory as in global memory. (Behind another number copies are slower: docs/decisions/cuda-addresses.md.) One copy
/// moves it, or vectors of the threads, and elements what is left at its ends. A place holds an element, and then its
/// result.
template <class Element, int threads>
class Flat {
  using Vector = Bytes<16>;

 public:
  static constexpr int room = 128;  // bytes, beside those of the places

  /// `by_copies`: whether one copy moves it; `filled` counts its bytes.
  __device__ Flat(Shared<Element> places, Barrier filled, bool by_copies)
      : places_(places), filled_(filled), by_copies_(has_copies && by_copies) {}

  /// Called by one thread before a barrier of the block.
  __device__ static void init(Barrier filled) {
    if constexpr (has_copies) {
      filled.init(1);
      publish_barriers();
    }
  }
  /// Brings an array, and returns the place that its first element comes to.
  template <class Of>
  __device__ int begin(Of const* array, int n) {
    shift_ = can_be_vectors<Of> && address_of(array) % sizeof(Of) == 0 ? static_cast<int>(address_of(array) % 128) : 0;
    CopiedPart const part = part_of(array, n);
    is_copied_            = by_copies_ && part.bytes() > 0;
    if constexpr (has_copies)
      if (is_copied_ && threadIdx.x == 0) {
        filled_.arrive_and_expect(part.bytes());
        copy_in(memory(part), address<unsigned char const>(array, part), part.bytes(), filled_);
      }
    if (!is_copied_)
      bring(
          thread(), threads, vectors(part), [&](int k) { return memory(part).template from<Vector>(k * 16); },
          [&](int k) { return address<Vector const>(array, part) + k; });
    bring(
        thread(), threads, part.rest(n), [&](int k) { return at<Of>(part.of_rest(k)); },
        [&](int k) { return array + part.of_rest(k); });
    return shift_ / static_cast<int>(sizeof(Element));
  }
  /// Called by all threads, before a barrier.
  __device__ void end() const {
    wait_until_copied_in();
    if constexpr (has_copies)
      if (is_copied_) filled_.wait(0);
  }
  /// Called by all threads behind their results, before a barrier.
  __device__ void end_results() const {
    if constexpr (has_copies)
      if (by_copies_) fence_for_copies();
  }
  /// Takes results to an array, of which the first is in the place of the first element. Called by all threads.
  template <class Of>
  __device__ void store(Of* array, int n) const {
    CopiedPart const part = part_of(array, n);
    if (by_copies_ && part.bytes() > 0) {
      if constexpr (has_copies)
        if (threadIdx.x == 0) copy_out(address<unsigned char>(array, part), memory(part), part.bytes());
    } else {
      for (int k = thread(); k < vectors(part); k += threads)
        address<Vector>(array, part)[k] = memory(part).template from<Vector>(0).load(k);
    }
    for (int k = thread(); k < part.rest(n); k += threads)
      ::new (static_cast<void*>(array + part.of_rest(k))) Of(at<Of>(part.of_rest(k)).load(0));
  }
  /// The thread that began the copy out waits until its shared memory has been read, which ends with the block.
  __device__ void end_store() const {
    if constexpr (has_copies)
      if (by_copies_ && threadIdx.x == 0) wait_until_copied_out();
  }

 private:
  template <class Of>
  static constexpr bool can_be_vectors = sizeof(Of) == sizeof(Element) && 16 % sizeof(Of) == 0;

  __device__ static std::uintptr_t address_of(void const* array) { return reinterpret_cast<std::uintptr_t>(array); }
  __device__ static int thread() { return static_cast<int>(threadIdx.x); }
  __device__ static int vectors(CopiedPart const& part) { return static_cast<int>(part.bytes() / 16); }

  template <class Of>
  __device__ CopiedPart part_of(Of const* array, int n) const {
    if constexpr (can_be_vectors<Of>)
      if (static_cast<int>(address_of(array) % 16) == shift_ % 16) return CopiedPart::within<sizeof(Of)>(shift_, n);
    return {};
  }
  __device__ Shared<unsigned char> memory(CopiedPart const& part) const {
    return places_.template from<unsigned char>(0).from(part.begin);
  }
  template <class As, class Of>
  __device__ As* address(Of* array, CopiedPart const& part) const {
    using Byte = std::conditional_t<std::is_const_v<As>, unsigned char const, unsigned char>;
    return reinterpret_cast<As*>(reinterpret_cast<Byte*>(array) - shift_ + part.begin);
  }
  template <class Of>
  __device__ Shared<Of> at(int k) const {
    return places_.template from<Of>(shift_ / static_cast<int>(sizeof(Element)) + k);
  }

  Shared<Element> places_;
  Barrier filled_;
  bool by_copies_, is_copied_ = false;
  int shift_ = 0;
};

}  // namespace KokkosScan::cuda::columns
