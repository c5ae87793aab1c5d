// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <cstdio>

int main(int argc, char** argv) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  int not_used_so_that_there_is_a_warning;  // and no error: -Werror is KokkosScan's own affair

  Kokkos::View<int*> const values("values", 100000);
  Kokkos::deep_copy(values, 2);
  int total = 0;
  KokkosScan::inclusive_scan(Kokkos::DefaultExecutionSpace(), values, values, KokkosScan::Total{total});
  std::printf("%d\n", total);
  return total == 200000 ? 0 : 1;
}
