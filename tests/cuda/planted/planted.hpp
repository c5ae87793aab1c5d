// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once
#include <cstdint>

#include "cuda/scans.hpp"

namespace test {

/// Scans by the kernels into which a fault may be planted, one after the other with the same states. Each of them has
/// a file of its own, for a program is compiled once for each fault.
bool are_right(Scans& scans);

}  // namespace test
