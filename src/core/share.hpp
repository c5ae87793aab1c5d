// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

namespace KokkosScan {

/// What a rank, or an instance, has of all elements: how many, behind how many of those before it, of how many.
struct Share {
  std::size_t count, before, total;
};

}  // namespace KokkosScan
