// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <mpi.h>

#include <KokkosScan/mpi/scan.hpp>
#include <Kokkos_Core.hpp>
#include <csignal>

namespace {

/// Kills the process at a value.
struct Dies {
  int operator()(int left, int right) const {
    if (right == 99) std::raise(SIGKILL);
    return left + right;
  }
};

}  // namespace

// The last rank dies within a call while the others wait for it: in a call with a total, which all ranks need from it.
int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  {
    Kokkos::ScopeGuard const kokkos(argc, argv);
    int rank = 0, size = 0, total = 0;
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &size);
    Kokkos::View<int*, Kokkos::HostSpace> const values("values", 10);
    if (rank == size - 1) values(5) = 99;
    KokkosScan::mpi::inclusive_scan(MPI_COMM_WORLD, Kokkos::DefaultHostExecutionSpace(), values, values, Dies(), 0,
                                    KokkosScan::Total{total});
  }
  MPI_Finalize();
}
