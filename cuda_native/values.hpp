// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>
#include <cstring>
#include <new>
#include <type_traits>

#include "machine.hpp"

// Values in registers: one, and as many as are moved at once.
namespace KokkosScan::cuda {

/// Storage for a value in registers, without one at first. No value type needs a default constructor or an assignment:
/// where there is none, the bytes are copied. (Not of the others: nvcc 13.0 then takes other registers, up to three
/// more or less.)
template <class Value>
union Uninitialized {
  char none;
  Value value;

  __device__ Uninitialized() {}
  Uninitialized(Uninitialized const&) = default;
  Uninitialized& operator=(Uninitialized const&)
    requires std::is_trivially_copy_assignable_v<Value>
  = default;
  __device__ Uninitialized& operator=(Uninitialized const& other) {
    memcpy(static_cast<void*>(this), static_cast<void const*>(&other), sizeof(Value));
    return *this;
  }
  __device__ void put(Value const& from) { ::new (static_cast<void*>(&value)) Value(from); }
};

/// As many values as one access to global memory moves, at best 16 bytes, kept as words: of values that lie side by
/// side, nvcc 13.0 keeps every member, and every hole, in a register of its own.
template <class Value, int bytes = 16>
class alignas(bytes < 4 ? 4 : bytes) Pack {
 public:
  static constexpr int count = bytes / static_cast<int>(sizeof(Value));
  static constexpr int words = (bytes + 3) / 4;

  __device__ std::uint32_t word(int w) const { return word_[w]; }
  __device__ void put_word(int w, std::uint32_t word) { word_[w] = word; }

  __device__ Value get(int v) const {
    Uninitialized<Value> result;
    if constexpr (words_per_value > 0) {
      std::uint32_t part[words_per_value];
#pragma unroll
      for (int w = 0; w < words_per_value; ++w) part[w] = word_[v * words_per_value + w];
      memcpy(static_cast<void*>(&result), part, sizeof(Value));
    } else {
      std::uint32_t const part = word_[v / values_per_word] >> shift(v);
      memcpy(static_cast<void*>(&result), &part, sizeof(Value));
    }
    return result.value;
  }
  __device__ void put(int v, Value const& value) {
    if constexpr (words_per_value > 0) {
      std::uint32_t part[words_per_value];
      memcpy(part, static_cast<void const*>(&value), sizeof(Value));
#pragma unroll
      for (int w = 0; w < words_per_value; ++w) word_[v * words_per_value + w] = part[w];
    } else {
      std::uint32_t part = 0;
      memcpy(&part, static_cast<void const*>(&value), sizeof(Value));
      std::uint32_t& word = word_[v / values_per_word];
      word                = (word & ~(mask << shift(v))) | part << shift(v);
    }
  }
  /// To global memory.
  __device__ void write(void* to) const { store_at_once(to, word_); }

 private:
  static constexpr int words_per_value = static_cast<int>(sizeof(Value)) / 4;
  static constexpr int values_per_word = words_per_value > 0 ? 1 : 4 / static_cast<int>(sizeof(Value));
  static constexpr std::uint32_t mask  = words_per_value > 0 ? 0 : (std::uint32_t{1} << (8 * sizeof(Value) % 32)) - 1;
  __device__ static int shift(int v) { return v % values_per_word * 8 * static_cast<int>(sizeof(Value)); }

  std::uint32_t word_[words] = {};
};

/// What cannot be packed goes one by one.
template <class Value>
class Single {
 public:
  static constexpr int count = 1;

  __device__ Value get(int) const { return value_.value; }
  __device__ void put(int, Value const& value) { value_.put(value); }

 private:
  Uninitialized<Value> value_;
};
template <class Value>
using Unit = std::conditional_t<16 % sizeof(Value) == 0, Pack<Value>, Single<Value>>;

}  // namespace KokkosScan::cuda
