// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <type_traits>

#include "radix_sort.hpp"

namespace KokkosScan::core {

/// Sorts n keys, and values with them, by less(left, right); keys that are equal keep their order. Runs are sorted, and
/// then pairs of them are merged, from one of both arrays to the other, until one is left; what is sorted ends where it
/// was.
template <class Key_, class Value_, class Less_>
struct MergeSort {
  using Key   = Key_;
  using Value = Value_;
  using Less  = Less_;

  static constexpr bool has_values = !std::is_same_v<Value, NoValues>;

  Less less;
  Key* keys;
  Key* other_keys;
  Value* values;
  Value* other_values;
  std::size_t n;

  /// How many times runs get twice as long that were of that length. Where that is odd, the first ones are put into the
  /// other arrays.
  KOKKOSSCAN_FUNCTION int passes(std::size_t length) const {
    int passes = 0;
    for (; length < n; length *= 2) ++passes;
    return passes;
  }
};

}  // namespace KokkosScan::core
