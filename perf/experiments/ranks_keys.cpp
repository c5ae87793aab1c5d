// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans by key and copy_if across ranks, beside the functions of one rank on the same shares. Every result is checked.
//
//   mpirun -n 2 experiment_ranks_keys [divisor]    2^27 / divisor doubles in all
//
// Two ranks of one thread are compared with one rank of two threads: run it with -n 2 and OMP_NUM_THREADS=1, then with
// -n 1 and OMP_NUM_THREADS=2.
#include <mpi.h>

#include <KokkosScan/mpi/compaction.hpp>
#include <KokkosScan/mpi/scan_by_key.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

namespace {

using Exec    = Kokkos::DefaultExecutionSpace;
using Indices = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
using Row     = Kokkos::View<double*, Exec>;
using Keys    = Kokkos::View<std::int64_t*, Exec>;

int rank = 0, size = 1;

KOKKOS_FUNCTION std::uint64_t mixed(std::uint64_t i) {
  std::uint64_t x = (i + 1) * 0x9e3779b97f4a7c15U;
  x ^= x >> 33;
  x *= 0xff51afd7ed558ccdU;
  return x ^ x >> 32;
}

/// Runs of at most 1024: of each 1024 elements there are two.
struct Run {
  std::int64_t key;
  std::size_t place;

  KOKKOS_FUNCTION static Run of(std::size_t i) {
    std::size_t const block = i / 1024, at = i % 1024, first = 1 + mixed(block) % 1023;
    auto const key = static_cast<std::int64_t>(2 * block);
    return at < first ? Run{key, at} : Run{key + 1, at - first};
  }
};

struct Fill {
  Keys keys;
  Row values;
  std::size_t begin;
  KOKKOS_FUNCTION void operator()(std::size_t i) const {
    keys(i)   = Run::of(begin + i).key;
    values(i) = static_cast<double>(mixed(begin + i) >> 60);
  }
};

/// Of sums of ones in a run.
struct IsWrongSum {
  Row dest;
  std::size_t begin;
  KOKKOS_FUNCTION void operator()(std::size_t i, long& wrong) const {
    if (dest(i) != static_cast<double>(Run::of(begin + i).place + 1)) ++wrong;
  }
};
struct IsUnlike {
  Row a, b;
  KOKKOS_FUNCTION void operator()(std::size_t i, long& wrong) const {
    if (a(i) != b(i)) ++wrong;
  }
};
struct IsSmall {
  KOKKOS_FUNCTION bool operator()(double x) const { return x < 8; }
};
struct IsChosen {
  Row from;
  KOKKOS_FUNCTION void operator()(std::size_t i, std::size_t& count) const {
    if (IsSmall()(from(i))) ++count;
  }
};

template <class Result, class F>
Result sum_of(std::size_t n, F const& f) {
  Result sum{};
  Kokkos::parallel_reduce("sum", Indices(0, n), f, sum);
  return sum;
}

/// Ends all ranks where a result is wrong.
void expect(bool is_right, char const* what) {
  if (is_right) return;
  std::printf("rank %d: %s is wrong\n", rank, what);
  std::fflush(stdout);
  MPI_Abort(MPI_COMM_WORLD, 1);
}

/// Seconds of a call, those of the slowest rank: the median of nine, behind one that does not count.
template <class F>
double seconds_of(F const& f) {
  f();
  std::vector<double> times;
  for (int repetition = 0; repetition < 9; ++repetition) {
    Exec().fence();
    MPI_Barrier(MPI_COMM_WORLD);
    double const begin = MPI_Wtime();
    f();
    Exec().fence();
    double const own = MPI_Wtime() - begin;
    double slowest   = 0;
    MPI_Allreduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    times.push_back(slowest);
  }
  std::sort(times.begin(), times.end());
  return times[4];
}

void print(char const* what, std::size_t n, double across, double alone) {
  if (rank == 0)
    std::printf("%-12s %2d ranks of %2d threads, %zu doubles: %9.3f ms; on one rank each, apart: %9.3f ms\n", what,
                size, Exec().concurrency(), n, across * 1e3, alone * 1e3);
}

void measure(std::size_t n) {
  auto const begin_of     = [&](int r) { return n * static_cast<std::size_t>(r) / static_cast<std::size_t>(size); };
  std::size_t const begin = begin_of(rank), own = begin_of(rank + 1) - begin;
  Keys const keys("keys", own);
  Row const from("from", own), ones("ones", own), dest("dest", own), other("other", own);
  Kokkos::parallel_for("fill", Indices(0, own), Fill{keys, from, begin});
  Kokkos::deep_copy(ones, 1);

  double across = seconds_of([&] { KokkosScan::mpi::inclusive_scan_by_key(MPI_COMM_WORLD, Exec(), keys, ones, dest); });
  expect(sum_of<long>(own, IsWrongSum{dest, begin}) == 0, "inclusive_scan_by_key");
  double alone = seconds_of([&] { KokkosScan::inclusive_scan_by_key(Exec(), keys, ones, dest); });
  print("by key", n, across, alone);

  KokkosScan::mpi::Share share{};
  across = seconds_of([&] { share = KokkosScan::mpi::copy_if(MPI_COMM_WORLD, Exec(), from, dest, IsSmall()); });
  std::size_t chosen = 0;
  alone = seconds_of([&] { KokkosScan::copy_if(Exec(), from, other, IsSmall(), KokkosScan::Total{chosen}); });
  std::uint64_t const count = sum_of<std::size_t>(own, IsChosen{from});
  std::uint64_t total = 0, through = 0;
  MPI_Allreduce(&count, &total, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  MPI_Scan(&count, &through, 1, MPI_UINT64_T, MPI_SUM, MPI_COMM_WORLD);
  expect(share.count == count && chosen == count && share.before == through - count && share.total == total,
         "the count of copy_if");
  expect(sum_of<long>(count, IsUnlike{dest, other}) == 0, "copy_if");
  print("copy_if", n, across, alone);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  {
    Kokkos::ScopeGuard const kokkos(argc, argv);
    std::size_t const divisor = argc > 1 ? std::strtoull(argv[1], nullptr, 10) : 1;
    measure((std::size_t{1} << 27) / std::max<std::size_t>(divisor, 1));
  }
  MPI_Finalize();
  return 0;
}
