// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>

#include "macros.hpp"

namespace KokkosScan::core {

/// The memory that a scan works in, in bytes.
struct Needs {
  std::size_t scratch = 0;  // holds anything, before and after
  std::size_t states  = 0;  // holds zeros before its first use, and then serves one scan after the other
};
struct Memory {
  void* scratch            = nullptr;
  void* states             = nullptr;
  std::size_t states_bytes = 0;  // that there are; perhaps more than needed
};

/// The plan of a backend that decides as it runs.
struct NeedsAlone {
  Needs needs;
};

/// The bytes of that many values; where no number is large enough, more than anyone has.
constexpr std::size_t bytes_of(std::size_t count, std::size_t value_bytes) {
  constexpr std::size_t most = static_cast<std::size_t>(-1) / 2;
  return count > most / value_bytes ? most : count * value_bytes;
}

/// So many bytes, rounded up to a multiple.
KOKKOSSCAN_FUNCTION constexpr std::size_t round_up(std::size_t bytes, std::size_t multiple) {
  return (bytes + multiple - 1) / multiple * multiple;
}

}  // namespace KokkosScan::core
