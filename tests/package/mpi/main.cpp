// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mpi.h>

#include <KokkosScan/mpi.hpp>
#include <Kokkos_Core.hpp>
#include <cstdio>

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 0, status = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  {
    Kokkos::ScopeGuard const kokkos(argc, argv);
    int const n = 1000 * (rank + 1);
    Kokkos::View<long*> const values("values", n);
    Kokkos::deep_copy(values, 1L);
    KokkosScan::mpi::inclusive_scan(MPI_COMM_WORLD, Kokkos::DefaultExecutionSpace(), values, values);
    long first = 0, last = 0;
    Kokkos::deep_copy(first, Kokkos::subview(values, 0));
    Kokkos::deep_copy(last, Kokkos::subview(values, n - 1));
    long const before = 500L * rank * (rank + 1);
    std::printf("rank %d of %d: %ld to %ld\n", rank, ranks, first, last);
    status = ranks == 2 && first == before + 1 && last == before + n ? 0 : 1;
  }
  MPI_Finalize();
  return status;
}
