// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace model {

/// Where a kernel called the model: what std::source_location would say, which clang 14 lacks.
struct Place {
  char const* file = "";
  unsigned line    = 0;

  static constexpr Place here(char const* name = __builtin_FILE(), unsigned number = __builtin_LINE()) {
    return {name, number};
  }
};

}  // namespace model
