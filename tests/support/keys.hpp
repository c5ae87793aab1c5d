// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "affine_map.hpp"

// Elements of scans by key whose runs several share.
namespace test {

/// A key of which a part counts.
struct Name {
  std::int16_t family;
  std::int64_t number;
};
struct SameFamily {
  KOKKOS_FUNCTION bool operator()(Name const& a, Name const& b) const { return a.family == b.family; }
};

/// That of an element of a run; of neighbouring runs they differ.
template <class Key>
Key key_of(std::size_t run, std::size_t i) {
  if constexpr (std::is_same_v<Key, Name>)
    return {static_cast<std::int16_t>(run % 3), static_cast<std::int64_t>(i)};
  else
    return static_cast<Key>(run % 3);
}
template <class T>
T value_of(std::uint64_t random) {
  if constexpr (std::is_same_v<T, AffineMap>)
    return {random | 1, random >> 7};
  else
    return static_cast<T>(random % 1000);
}

}  // namespace test
