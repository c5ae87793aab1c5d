// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

namespace test {

/// Scans by the kernels into which a fault may be planted, and whether the results are right. Each of them has a file
/// of its own, with no more kernels than the fault needs, for it is compiled once for each fault.
bool are_right();

}  // namespace test
