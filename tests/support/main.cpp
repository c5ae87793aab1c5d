// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <gtest/gtest.h>

#include <Kokkos_Core.hpp>

#include "src/host/fork.hpp"

int main(int argc, char** argv) {
  testing::InitGoogleTest(&argc, argv);
  Kokkos::ScopeGuard const kokkos(argc, argv);
  KokkosScan::host::assume_fork(0);  // or it would depend on the machine how many threads scans of a few tiles have
  return RUN_ALL_TESTS();
}
