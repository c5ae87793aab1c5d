// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <KokkosScan/macros.hpp>
#include <cstring>
#include <new>
#include <type_traits>

#include "../src/driver/scan.hpp"
#include "machine.hpp"

// Where a block keeps the values that it works on.
namespace KokkosScan::cuda {

using driver::Contiguous;
using driver::Kind;
using driver::Maybe;
using driver::Tiles;

/// Room for a value in a register, empty at first. No value type needs a default constructor or an assignment: where
/// there is none, the bytes are copied. (Not of the others: nvcc 13.0 then takes other registers, up to three more or
/// less.)
template <class Value>
union Place {
  char nothing;
  Value value;

#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ < 900
  // Of places that are left empty ptxas 13.0 makes code for sm_80 that spills a few bytes, with registers left.
  __device__ Place() : nothing(0) {}
#else
  __device__ Place() {}
#endif
  Place(Place const&) = default;
  Place& operator=(Place const&)
    requires std::is_trivially_copy_assignable_v<Value>
  = default;
  __device__ Place& operator=(Place const& other) {
    memcpy(static_cast<void*>(this), static_cast<void const*>(&other), sizeof(Value));
    return *this;
  }
  __device__ void put(Value const& from) { ::new (static_cast<void*>(&value)) Value(from); }
};

/// A tile in shared memory, with room for one value left out behind each 128 bytes: threads that step through it in
/// strides of powers of two meet different banks (Blelloch's tree, and pieces of 128 bytes to a thread). Values of more
/// than 16 bytes meet few conflicts, and the room would cost a third.
template <class Value>
class SharedTile {
 public:
  __device__ explicit SharedTile(Shared<Value> values, int first = 0) : values_(values), first_(first) {}

  __device__ Value load(int i) const { return values_.load(padded(first_ + i)); }
  __device__ void store(int i, Value const& value) const { values_.store(padded(first_ + i), value); }
  __device__ SharedTile behind(int i) const { return SharedTile(values_, first_ + i); }

  /// The bytes of n values.
  static constexpr int bytes(int n) { return static_cast<int>(driver::round_up(sizeof(Value) * (padded(n) + 1), 16)); }

 private:
  static constexpr int row = sizeof(Value) <= 16 ? 128 / static_cast<int>(sizeof(Value)) : 1 << 30;
  KOKKOSSCAN_FUNCTION static constexpr int padded(int i) { return i + i / row; }

  Shared<Value> values_;
  int first_;
};

/// A tile in global memory.
template <class Value>
class GlobalTile {
 public:
  __device__ explicit GlobalTile(Value* values) : values_(values) {}

  __device__ Value load(int i) const { return values_[i]; }
  __device__ void store(int i, Value const& value) const { ::new (static_cast<void*>(values_ + i)) Value(value); }
  __device__ GlobalTile behind(int i) const { return GlobalTile(values_ + i); }

 private:
  Value* values_;
};

}  // namespace KokkosScan::cuda
