// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cuda_runtime.h>

#include <cstddef>
#include <new>

namespace KokkosScan::cuda {

/// An array in the shared memory of the block. Reads and writes have names, since a value type may have no assignment,
/// and since the execution model watches them.
template <class T>
class Shared {
 public:
  __device__ explicit Shared(T* data) : data_(data) {}

  __device__ T load(int i) const { return data_[i]; }
  __device__ void store(int i, T const& value) const { ::new (static_cast<void*>(data_ + i)) T(value); }

  /// Adds at once, whoever else adds there, and returns what was there before.
  __device__ T fetch_add(int i, T const& value) const {
    if constexpr (sizeof(T) == sizeof(unsigned long long))
      return atomicAdd(reinterpret_cast<unsigned long long*>(data_ + i), value);
    else
      return atomicAdd(data_ + i, value);
  }

  /// Sets bits at once, whoever else sets some there.
  __device__ void fetch_or(int i, T bits) const { atomicOr(data_ + i, bits); }

  /// From element i on, as an array of another type.
  template <class U = T>
  __device__ Shared<U> from(int i) const {
    return Shared<U>(reinterpret_cast<U*>(data_ + i));
  }

  /// The address in shared memory, for instructions that take such.
  __device__ unsigned address() const { return static_cast<unsigned>(__cvta_generic_to_shared(data_)); }

 private:
  T* data_;
};

/// The dynamic shared memory of the block from that byte on, a multiple of alignof(T).
template <class T>
__device__ Shared<T> shared_memory(int byte) {
  extern __shared__ __align__(128) unsigned char memory_of_the_block[];
  return Shared<T>(reinterpret_cast<T*>(memory_of_the_block + byte));
}

}  // namespace KokkosScan::cuda
