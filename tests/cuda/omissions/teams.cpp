// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "cases.hpp"
#include "cuda/team.hpp"

namespace test {

// Teams of one warp, and of several.
std::vector<Case> teams() {
  return {
      [](std::uint32_t) { return array_is_right<Kind::inclusive, Affine>(32, 72, true); },
      [](std::uint32_t) { return array_is_right<Kind::exclusive, Affine>(64, 300, true); },
      [](std::uint32_t) { return values_are_right<false, Affine>(96, 1, true); },
      [](std::uint32_t) { return shared_array_is_right<Affine>(32, 20); },
  };
}

}  // namespace test
