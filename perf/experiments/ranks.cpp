// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
// Scans across ranks: what one element a rank takes beside MPI_Exscan alone, on the host, and sums from memory. Every
// result is checked.
//
// One call is timed from when all ranks have agreed to begin, by the clock that the ranks of a machine share, until the
// last of them has returned. In a row MPI_Exscan of Open MPI takes much less: its first rank sends and goes on, and
// those behind it fall back. A call of the library's learns in each call whether a rank behind it has failed before,
// which keeps ranks together.
//
//   mpirun -n 2 experiment_ranks [divisor]    2^27 / divisor doubles in all
//
// Two ranks of one thread are compared with one rank of two threads: run it with -n 2 and OMP_NUM_THREADS=1, then with
// -n 1 and OMP_NUM_THREADS=2.
#include <mpi.h>

#include <KokkosScan/mpi/scan.hpp>
#include <KokkosScan/scan.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <iterator>
#include <vector>

namespace {

using Exec = Kokkos::DefaultExecutionSpace;
using Row  = Kokkos::View<double*, Exec>;

int rank = 0, size = 1;

double median(std::vector<double> times) {
  std::nth_element(times.begin(), times.begin() + static_cast<std::ptrdiff_t>(times.size() / 2), times.end());
  return times[times.size() / 2];
}

/// Seconds of one call, those of the slowest rank: the median of several, each of so many calls in a row.
template <class F>
double seconds_of(int repetitions, int calls, F const& f) {
  std::vector<double> times;
  for (int repetition = 0; repetition < repetitions; ++repetition) {
    MPI_Barrier(MPI_COMM_WORLD);
    double const begin = MPI_Wtime();
    for (int call = 0; call < calls; ++call) f();
    Exec().fence();
    double const own = (MPI_Wtime() - begin) / calls;
    double slowest   = 0;
    MPI_Allreduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
    times.push_back(slowest);
  }
  return median(times);
}

[[noreturn]] void fail(char const* what, std::size_t i, double found, double expected) {
  std::printf("rank %d: %s is wrong: element %zu is %.17g, expected %.17g\n", rank, what, i, found, expected);
  std::fflush(stdout);
  MPI_Abort(MPI_COMM_WORLD, 1);
  std::abort();
}

/// All elements are 1, so that every sum is exact, whatever its order.
template <class View>
void check_ones(char const* what, View const& dest, double before) {
  auto const found = Kokkos::create_mirror_view_and_copy(Kokkos::HostSpace(), dest);
  for (std::size_t i = 0; i < found.extent(0); ++i)
    if (double const expected = before + static_cast<double>(i); found(i) != expected)
      fail(what, i, found(i), expected);
}

/// Of a rank that came when the others had begun, which says nothing of the call.
constexpr double late = 1e6;

/// Seconds by the clock that all ranks of a machine share; that of MPI_Wtime may begin with each process.
double now() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

/// Seconds of one call, from a moment that all wait for until the slowest rank has returned; or late.
template <class F>
double seconds_alone(F const& f) {
  double begin = now() + 30e-6 + 3e-6 * size;
  MPI_Bcast(&begin, 1, MPI_DOUBLE, 0, MPI_COMM_WORLD);
  bool const is_late = now() > begin;
  while (now() < begin) {
  }
  f();
  double const own = is_late ? late : now() - begin;
  double slowest   = 0;
  MPI_Allreduce(&own, &slowest, 1, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  return slowest;
}

void measure_latency() {
  using Host = Kokkos::DefaultHostExecutionSpace;
  Kokkos::View<double*, Host> const from("from", 1), dest("dest", 1);
  Kokkos::deep_copy(from, 1.0);
  Host const exec;
  double one = 1, before = 0;
  auto const exscan    = [&] { MPI_Exscan(&one, &before, 1, MPI_DOUBLE, MPI_SUM, MPI_COMM_WORLD); };
  auto const inclusive = [&] { KokkosScan::mpi::inclusive_scan(MPI_COMM_WORLD, exec, from, dest); };
  auto const exclusive = [&] { KokkosScan::mpi::exclusive_scan(MPI_COMM_WORLD, exec, from, dest, 0.0); };
  inclusive();
  check_ones("inclusive_scan of one element a rank", dest, rank + 1.0);
  exclusive();
  check_ones("exclusive_scan of one element a rank", dest, rank);
  exscan();
  if (rank > 0 && before != rank) fail("MPI_Exscan", 0, before, rank);

  // In turns, so that what else the machine does meets all of them.
  std::vector<double> alone[3], in_a_row[3];
  auto const time = [&](int which, auto const& call) {
    for (int i = 0; i < 20; ++i)
      if (double const seconds = seconds_alone(call); seconds < late) alone[which].push_back(seconds);
    in_a_row[which].push_back(seconds_of(3, 100, call));
  };
  for (int round = 0; round < 100; ++round) {
    time(0, exscan);
    time(1, inclusive);
    time(2, exclusive);
  }
  for (auto* times : {&alone, &in_a_row}) {
    if (std::any_of(std::begin(*times), std::end(*times), [](auto const& some) { return some.empty(); })) {
      if (rank == 0) std::printf("one element a rank, one call: ranks never began together; is the machine free?\n");
      continue;
    }
    double const of_mpi = median((*times)[0]), of_inclusive = median((*times)[1]), of_exclusive = median((*times)[2]);
    if (rank == 0)
      std::printf(
          "one element on each of %d ranks, %s, us: MPI_Exscan %.3f, inclusive_scan %.3f (%.2f times), exclusive_scan "
          "%.3f (%.2f)\n",
          size, times == &alone ? "one call" : "calls in a row", 1e6 * of_mpi, 1e6 * of_inclusive,
          of_inclusive / of_mpi, 1e6 * of_exclusive, of_exclusive / of_mpi);
  }
}

void measure_sums(std::size_t all) {
  auto const first        = [&](int r) { return all * static_cast<std::size_t>(r) / static_cast<std::size_t>(size); };
  std::size_t const begin = first(rank), n = first(rank + 1) - begin;
  Row const from("from", n), dest("dest", n);
  Kokkos::deep_copy(from, 1.0);
  Exec const exec;
  auto const across = [&] { KokkosScan::mpi::inclusive_scan(MPI_COMM_WORLD, exec, from, dest); };
  auto const alone  = [&] { KokkosScan::inclusive_scan(exec, from, dest); };
  alone();
  check_ones("inclusive_scan of a share", dest, 1.0);
  across();
  check_ones("inclusive_scan across ranks", dest, static_cast<double>(begin) + 1.0);
  double const of_shares = seconds_of(9, 1, alone), of_all = seconds_of(9, 1, across);
  if (rank == 0)
    std::printf(
        "%zu doubles, %d ranks of %d threads, ms: across ranks %.2f (%.2f GB/s of 2 n), each rank by itself %.2f\n",
        all, size, exec.concurrency(), 1e3 * of_all, 16e-9 * static_cast<double>(all) / of_all, 1e3 * of_shares);
}

}  // namespace

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  {
    Kokkos::ScopeGuard const kokkos(argc, argv);
    long const divisor = argc > 1 ? std::strtol(argv[1], nullptr, 10) : 1;
    measure_latency();
    measure_sums((std::size_t{1} << 27) / static_cast<std::size_t>(std::max(divisor, 1L)));
  }
  MPI_Finalize();
}
