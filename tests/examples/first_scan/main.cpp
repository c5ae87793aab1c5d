// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The mass up to each cell of a line, and the whole mass.
#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <cstdio>

int main(int argc, char* argv[]) {
  Kokkos::ScopeGuard const kokkos(argc, argv);
  Kokkos::DefaultExecutionSpace const exec;
  int const cells = 1'000'000;
  Kokkos::View<double*> const mass("mass", cells), up_to("mass up to each cell", cells);
  Kokkos::parallel_for(
      "fill", Kokkos::RangePolicy<>(exec, 0, cells), KOKKOS_LAMBDA(int c) { mass(c) = c % 2 == 0 ? 0.25 : 0.75; });

  double all = 0;  // a variable of the host: the call waits
  KokkosScan::inclusive_scan(exec, mass, up_to, KokkosScan::Total{all});

  double half = 0;
  Kokkos::deep_copy(half, Kokkos::subview(up_to, cells / 2 - 1));
  std::printf("all %g, the first half %g\n", all, half);
  return all == 500'000 && half == 250'000 ? 0 : 1;
}
