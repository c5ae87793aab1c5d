// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstdint>

namespace test {

/// 24 bytes, too wide to go through every pass.
struct Particle {
  double position[2];
  std::int64_t cell;
  bool operator==(Particle const&) const = default;
};

}  // namespace test
