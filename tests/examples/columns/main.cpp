// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Columns of air: what lies above each level, from the top down, and what lies below, from the ground up. Each line of
// a View along an axis is a scan, and one call has all of them.
#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <cstdio>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Kokkos::DefaultExecutionSpace const exec;
  int const columns = 10'000, levels = 72;
  Kokkos::View<double**> const weight("weight", columns, levels), above("above", columns, levels),
      below("below", columns, levels);
  Kokkos::View<double*> const top("on the uppermost level", columns);
  Kokkos::deep_copy(exec, weight, 0.5);
  Kokkos::deep_copy(exec, top, 2.0);

  // With a start for each column. The dimension of Axis is that of the levels.
  KokkosScan::inclusive_scan(exec, weight, above, KokkosScan::Axis{1}, KokkosScan::Sum{}, top);
  KokkosScan::exclusive_scan(exec, weight, below, 0.0, KokkosScan::Axis{1}.reversed());

  double ground = 0, highest = 0;
  Kokkos::deep_copy(ground, Kokkos::subview(above, columns - 1, levels - 1));
  Kokkos::deep_copy(highest, Kokkos::subview(below, columns - 1, 0));
  std::printf("on the ground %g, below the top %g\n", ground, highest);
  return ground == 38.0 && highest == 35.5 ? 0 : 1;
}
