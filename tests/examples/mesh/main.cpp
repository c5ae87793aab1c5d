// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// The matrix of a distributed mesh. Ranks own slabs of a grid, of which the cells within a circle are unknowns: they
// get numbers 0, 1, 2, ... over all ranks, and the rows of a matrix in CSR that couples neighbours, the columns of
// which are such numbers, of cells of other ranks too.
#include <mpi.h>

#include <KokkosScan.hpp>
#include <KokkosScan/mpi.hpp>
#include <Kokkos_Core.hpp>
#include <cstdint>
#include <cstdio>
#include <utility>

using Exec    = Kokkos::DefaultExecutionSpace;
using Number  = std::int64_t;
using Numbers = Kokkos::View<Number*, Exec>;

/// The part of this rank: so many lines of cells, and a line of each neighbour around them.
struct Slab {
  int side, first_line, lines;
  KOKKOS_FUNCTION int cells() const { return lines * side; }
  KOKKOS_FUNCTION bool is_active(int cell) const {
    double const radius = 0.5 * side, x = cell % side + 0.5 - radius, y = first_line + cell / side + 0.5 - radius;
    return x * x + y * y < radius * radius;
  }
  /// The k-th of four neighbours, from -side to cells() + side - 1; or the cell itself, where the grid ends.
  KOKKOS_FUNCTION int neighbour(int cell, int k) const {
    int const x = cell % side, y = first_line + cell / side;
    if (k == 0) return y > 0 ? cell - side : cell;
    if (k == 1) return x > 0 ? cell - 1 : cell;
    if (k == 2) return x + 1 < side ? cell + 1 : cell;
    return y + 1 < side ? cell + side : cell;
  }
};

struct FindActive {
  Slab slab;
  Kokkos::View<int*, Exec> active;
  KOKKOS_FUNCTION void operator()(int cell) const { active(cell) = slab.is_active(cell) ? 1 : 0; }
};
/// Cells that are no unknowns have no number.
struct HideOthers {
  Slab slab;
  Numbers number;
  KOKKOS_FUNCTION void operator()(int cell) const {
    if (!slab.is_active(cell)) number(slab.side + cell) = -1;
  }
};
/// What is in a row: its unknown, and the neighbours that are unknowns.
struct CountEntries {
  Slab slab;
  Numbers cell_of_row, number;
  Kokkos::View<int*, Exec> counts;
  KOKKOS_FUNCTION void operator()(int row) const {
    int const cell = static_cast<int>(cell_of_row(row));
    counts(row)    = 1;
    for (int k = 0; k < 4; ++k) {
      int const other = slab.neighbour(cell, k);
      counts(row) += other != cell && number(slab.side + other) >= 0 ? 1 : 0;
    }
  }
};
struct PutEntries {
  Slab slab;
  Numbers cell_of_row, number, offsets, columns;
  KOKKOS_FUNCTION void operator()(int row) const {
    int const cell   = static_cast<int>(cell_of_row(row));
    Number place     = offsets(row) - offsets(0);  // offsets are those of all ranks, columns has those of this one
    columns(place++) = number(slab.side + cell);
    for (int k = 0; k < 4; ++k) {
      int const other = slab.neighbour(cell, k);
      if (other != cell && number(slab.side + other) >= 0) columns(place++) = number(slab.side + other);
    }
  }
};
/// Of a symmetric matrix as much stands before the diagonal as behind it.
struct Balance {
  Slab slab;
  Numbers cell_of_row, number, offsets, columns;
  KOKKOS_FUNCTION void operator()(int row, Number& sum) const {
    Number const own = number(slab.side + static_cast<int>(cell_of_row(row)));
    for (Number k = offsets(row) - offsets(0); k < offsets(row + 1) - offsets(0); ++k)
      sum += columns(k) > own ? 1 : columns(k) < own ? -1 : 0;
  }
};
/// The lines of the neighbours around a slab, by way of the host.
void exchange(MPI_Comm comm, Slab const& slab, Numbers const& number) {
  int rank = 0, ranks = 0;
  MPI_Comm_rank(comm, &rank);
  MPI_Comm_size(comm, &ranks);
  auto const host  = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), number);
  int const before = rank > 0 ? rank - 1 : MPI_PROC_NULL, behind = rank + 1 < ranks ? rank + 1 : MPI_PROC_NULL;
  Number *const own = host.data() + slab.side, *const end = own + slab.cells();
  MPI_Sendrecv(own, slab.side, MPI_INT64_T, before, 0, end, slab.side, MPI_INT64_T, behind, 0, comm, MPI_STATUS_IGNORE);
  MPI_Sendrecv(end - slab.side, slab.side, MPI_INT64_T, behind, 1, host.data(), slab.side, MPI_INT64_T, before, 1, comm,
               MPI_STATUS_IGNORE);
  Kokkos::deep_copy(number, host);
}

bool make_matrix(MPI_Comm comm, int rank, int ranks) {
  namespace mpi = KokkosScan::mpi;
  Exec const exec;
  int const side = 600, begin = side * rank / ranks, end = side * (rank + 1) / ranks;
  Slab const slab{side, begin, end - begin};
  Kokkos::RangePolicy<Exec> const all(exec, 0, slab.cells());

  // The numbers of unknowns, and how many there are.
  Kokkos::View<int*, Exec> const active("active", slab.cells());
  Numbers const number("numbers, and those around", slab.cells() + 2 * side);
  auto const own  = Kokkos::subview(number, std::pair(side, side + slab.cells()));
  Number unknowns = 0;
  Kokkos::parallel_for("active", all, FindActive{slab, active});
  mpi::exclusive_scan(comm, exec, active, own, Number{0}, KokkosScan::Total{unknowns});
  Kokkos::parallel_for("hide", all, HideOthers{slab, number});
  exec.fence();
  exchange(comm, slab, number);

  // A row for each unknown of this rank: where its cell is, how many entries it has, which.
  int rows = 0;
  Numbers const cell_of_row("cells of rows", slab.cells());
  KokkosScan::where(exec, active, cell_of_row, KokkosScan::Total{rows});
  Kokkos::RangePolicy<Exec> const all_rows(exec, 0, rows);
  Kokkos::View<int*, Exec> const counts("entries of rows", rows);
  Numbers const offsets("offsets", rows + 1);
  Number entries = 0;
  Kokkos::parallel_for("count", all_rows, CountEntries{slab, cell_of_row, number, counts});
  mpi::offsets_from_counts(comm, exec, counts, offsets, KokkosScan::Total{entries});
  Number first = 0, last = 0;
  Kokkos::deep_copy(first, Kokkos::subview(offsets, 0));
  Kokkos::deep_copy(last, Kokkos::subview(offsets, rows));
  Numbers const columns("columns", last - first);
  Kokkos::parallel_for("put", all_rows, PutEntries{slab, cell_of_row, number, offsets, columns});

  // Each of the two halves of a symmetric matrix has as many entries.
  Number balance = 0;
  Kokkos::parallel_reduce("balance", all_rows, Balance{slab, cell_of_row, number, offsets, columns}, balance);
  MPI_Allreduce(MPI_IN_PLACE, &balance, 1, MPI_INT64_T, MPI_SUM, comm);
  std::printf("rank %d: %d of %lld unknowns, entries %lld to %lld of %lld\n", rank, rows,
              static_cast<long long>(unknowns), static_cast<long long>(first), static_cast<long long>(last),
              static_cast<long long>(entries));
  return unknowns > 0 && entries > 4 * unknowns && entries <= 5 * unknowns && balance == 0;
}

int main(int argc, char* argv[]) {
  MPI_Init(&argc, &argv);
  int rank = 0, ranks = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &ranks);
  bool is_right = false;
  {
    Kokkos::ScopeGuard const kokkos(argc, argv);
    is_right = make_matrix(MPI_COMM_WORLD, rank, ranks);
  }
  MPI_Finalize();
  return is_right ? 0 : 1;
}
