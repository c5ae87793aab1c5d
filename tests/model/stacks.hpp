// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace model {

struct Stack {
  std::byte* bottom = nullptr;
  std::size_t size  = 0;
  std::byte* top() const { return bottom + size; }
};

/// A new one, for good. Only what is touched of it takes memory.
Stack another_stack();

}  // namespace model
