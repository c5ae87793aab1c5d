// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

#include "src/core/macros.hpp"

namespace test {

/// 16 bytes, made of any two numbers: x -> factor x + summand, which does not commute. (The maps of monoids.hpp count
/// what they are made of, and are drawn.)
struct AffineMap {
  std::uint64_t factor, summand;
  bool operator==(AffineMap const&) const = default;
};
struct Compose {
  KOKKOSSCAN_FUNCTION AffineMap operator()(AffineMap const& left, AffineMap const& right) const {
    return {left.factor * right.factor, left.summand * right.factor + right.summand};
  }
};

}  // namespace test
