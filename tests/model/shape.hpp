// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace model {

/// Of a grid.
struct Shape {
  unsigned blocks;
  int threads;         // of a block
  std::size_t shared;  // bytes of a block
};

/// A kernel and its arguments.
struct Body {
  void (*call)(void const*);
  void const* data;
};

}  // namespace model
