// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace test {

/// Scans by the kernels into which a fault may be planted, and whether the results are right.
bool are_right();

}  // namespace test
