// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

// Values and operators that kernels are compiled for beside those of the library.
namespace list {

struct Large {
  std::int64_t at[8];
};
struct Then {
  __device__ Large operator()(Large const& left, Large const& right) const {
    Large result = left;
    for (int i = 0; i < 8; ++i) result.at[i] = left.at[i] * right.at[0] + right.at[i];
    return result;
  }
};
struct Constant {
  int const value;
};
struct AddConstants {
  __device__ Constant operator()(Constant const& left, Constant const& right) const {
    return {left.value + right.value};
  }
};
struct Three {
  float slope, offset, weight;
};
struct alignas(16) Four {
  double slope, offset;
};
struct Chain {
  __device__ Three operator()(Three const& left, Three const& right) const {
    return {left.slope * right.slope, left.offset * right.slope + right.offset, left.weight * right.weight};
  }
  __device__ Four operator()(Four const& left, Four const& right) const {
    return {left.slope * right.slope, left.offset * right.slope + right.offset};
  }
};
struct Twice {
  __device__ std::int64_t operator()(std::int32_t x) const { return 2 * std::int64_t{x}; }
};

/// A place for one, or for its result, is larger than both.
struct Color {
  unsigned short red, green, blue;
  __device__ explicit operator float() const { return green; }
};
struct IsPositive {
  template <class Value>
  __device__ bool operator()(Value const& value) const {
    return value > Value{0};
  }
};
struct Wide {
  std::uint64_t word[2];
};
struct Odd {
  unsigned char byte[3];
};
struct Pair {
  double first, second;
};
struct ByFirst {
  __device__ bool operator()(Pair const& left, Pair const& right) const {
    return left.first < right.first || (left.first == right.first && left.second < right.second);
  }
  __device__ bool operator()(Large const& left, Large const& right) const { return left.at[0] < right.at[0]; }
  __device__ bool operator()(Constant const& left, Constant const& right) const { return left.value < right.value; }
  __device__ bool operator()(Three const& left, Three const& right) const { return left.slope < right.slope; }
  template <class Key>
  __device__ bool operator()(Key const& left, Key const& right) const {
    return left < right;
  }
};

}  // namespace list
