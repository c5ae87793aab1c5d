// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <vector>

#include "../../src/exec/scratch_blocks.hpp"

namespace test {

/// A graph that uses blocks of scratch until it is destroyed.
struct Graph {
  std::vector<KokkosScan::exec::GraphCount> uses;
  ~Graph() {
    for (auto const& use : uses) --*use;
  }
};

}  // namespace test
