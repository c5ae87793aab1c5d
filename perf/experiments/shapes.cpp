// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include <KokkosScan.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <random>
#include <string>
#include <vector>

#include "median_time.hpp"

// Segments, parallel_scan and teams on the default space, each result checked, beside a copy of as many bytes:
//
//   experiment_shapes [log2 of the number of elements, 28 on a device and 24 on a host if there is none]
namespace {

using Exec    = Kokkos::DefaultExecutionSpace;
using Bytes   = Kokkos::View<char*, Exec>;
using Indices = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;

using bench::median_time;

#ifdef KOKKOS_ENABLE_CUDA
void check(cudaError_t error) {
  if (error == cudaSuccess) return;
  std::fprintf(stderr, "experiment_shapes: %s\n", cudaGetErrorString(error));
  std::exit(2);
}
#endif

/// Of calls that take an instance: short ones on a GPU as nodes of a graph.
template <class Call>
double time_of_calls(Call const& call, bool is_short) {
#ifdef KOKKOS_ENABLE_CUDA
  if (is_short) {
    constexpr int nodes = 20;
    cudaStream_t stream{};
    cudaGraph_t graph{};
    cudaGraphExec_t replayed{};
    check(cudaStreamCreate(&stream));
    double time = 0;
    {
      Exec const exec(stream);
      call(exec);
      Kokkos::fence();
      check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
      for (int k = 0; k < nodes; ++k) call(exec);
      check(cudaStreamEndCapture(stream, &graph));
      check(cudaGraphInstantiate(&replayed, graph, 0));
      time = median_time([&] { check(cudaGraphLaunch(replayed, stream)); }, 5) / nodes;
      check(cudaGraphExecDestroy(replayed));
      check(cudaGraphDestroy(graph));
    }
    check(cudaStreamDestroy(stream));
    return time;
  }
#endif
  return median_time([&] { call(Exec()); }, is_short ? 50 : 5);
}

double time_of_copy(double bytes) {
  auto const half = static_cast<std::size_t>(bytes / 2);
  Bytes const from("from", half), to("to", half);
  return median_time([&] { Kokkos::deep_copy(Exec(), to, from); }, 5);
}

void print(std::string const& what, double time, double copy, long wrong) {
  std::printf("%-52s %12.2f us, %.3f of a copy%s\n", what.c_str(), time, copy / time, wrong ? ", WRONG" : "");
  std::fflush(stdout);
  if (wrong) std::exit(1);
}

using Offsets = std::vector<std::int64_t>;
Offsets of_length(std::int64_t n, std::int64_t length) {
  Offsets offsets;
  for (std::int64_t i = 0; i < n; i += length) offsets.push_back(i);
  offsets.push_back(n);
  return offsets;
}
/// Most are short or empty, a few long.
Offsets of_power_law(std::int64_t n) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> share(1e-9, 1);
  Offsets offsets{0};
  while (offsets.back() < n) {
    auto const length = static_cast<std::int64_t>(2 * std::pow(share(random), -0.9)) - 2;
    offsets.push_back(std::min(n, offsets.back() + std::min(length, n / 8)));
  }
  return offsets;
}

template <class T>
void segments(char const* type, std::int64_t n, Offsets const& given, std::string const& lengths) {
  std::size_t const rows = given.size() - 1;
  Kokkos::View<T*, Exec> const from("from", n), dest("dest", n), totals("totals", rows);
  Kokkos::View<std::int64_t*, Exec> const offsets("offsets", rows + 1);
  Kokkos::deep_copy(from, T(1));
  Kokkos::deep_copy(offsets, Kokkos::View<std::int64_t const*, Kokkos::HostSpace>(given.data(), rows + 1));
  Exec const exec;
  bool const is_short = n <= 1 << 22;
  auto const wrong    = [&](T before, bool reduced) {
    long count = 0;
    if (reduced)
      Kokkos::parallel_reduce(
          Indices(exec, 0, rows),
          KOKKOS_LAMBDA(std::size_t r, long& sum) {
            sum += totals(r) != static_cast<T>(offsets(r + 1) - offsets(r)) ? 1 : 0;
          },
          count);
    else
      Kokkos::parallel_reduce(
          Indices(exec, 0, static_cast<std::size_t>(n)),
          KOKKOS_LAMBDA(std::size_t i, long& sum) {
            std::size_t low = 0, high = rows;  // the last row that begins at i or before it
            while (high - low > 1) {
              std::size_t const middle = low + (high - low) / 2;
              if (offsets(middle) <= static_cast<std::int64_t>(i))
                low = middle;
              else
                high = middle;
            }
            sum += dest(i) != static_cast<T>(static_cast<std::int64_t>(i) - offsets(low) + 1) + before ? 1 : 0;
          },
          count);
    return count;
  };
  double const bytes = 2.0 * static_cast<double>(n) * sizeof(T) + 8.0 * static_cast<double>(rows);
  double const copy  = time_of_copy(bytes);
  auto const name    = std::to_string(n) + " " + type + " in segments of " + lengths;
  double const inclusive =
      time_of_calls([&](Exec const& on) { KokkosScan::segmented_inclusive_scan(on, from, offsets, dest); }, is_short);
  print("inclusive, " + name, inclusive, copy, wrong(T(0), false));
  double const exclusive = time_of_calls(
      [&](Exec const& on) { KokkosScan::segmented_exclusive_scan(on, from, offsets, dest, T(3)); }, is_short);
  print("exclusive, " + name, exclusive, copy, wrong(T(2), false));
  double const reduced =
      time_of_calls([&](Exec const& on) { KokkosScan::segmented_reduce(on, from, offsets, totals); }, is_short);
  print("reduced, " + name, reduced, time_of_copy(bytes / 2 + static_cast<double>(rows * sizeof(T))),
        wrong(T(0), true));
}

struct Sums {
  Kokkos::View<double*, Exec> from, dest;
  KOKKOS_FUNCTION void operator()(std::size_t i, double& update, bool final) const {
    update += from(i);
    if (final) dest(i) = update;
  }
};
void parallel_scan(std::size_t n) {
  Sums const sums{Kokkos::View<double*, Exec>("from", n), Kokkos::View<double*, Exec>("dest", n)};
  Kokkos::deep_copy(sums.from, 1.0);
  Indices const policy(Exec(), 0, n);
  int const calls   = n > 4'000'000 ? 5 : 50;
  double const peer = median_time([&] { Kokkos::parallel_scan(policy, sums); }, calls);
  Kokkos::deep_copy(sums.dest, 0.0);
  double const time = median_time([&] { KokkosScan::parallel_scan(policy, sums); }, calls);
  long wrong        = 0;
  Kokkos::parallel_reduce(
      policy, KOKKOS_LAMBDA(std::size_t i, long& sum) { sum += sums.dest(i) != static_cast<double>(i + 1) ? 1 : 0; },
      wrong);
  print("parallel_scan of " + std::to_string(n) + " f64, " + std::to_string(peer / time) + " times Kokkos'", time,
        time_of_copy(16.0 * static_cast<double>(n)), wrong);
}

template <class T>
using Table = Kokkos::View<T**, Kokkos::LayoutRight, Exec>;
template <class T, bool scans>
struct Rows {
  Table<T> from, dest;
  KOKKOS_FUNCTION void operator()(Kokkos::TeamPolicy<Exec>::member_type const& team) const {
    auto const row = team.league_rank();
    if constexpr (scans)
      KokkosScan::team_inclusive_scan(team, Kokkos::subview(from, row, Kokkos::ALL),
                                      Kokkos::subview(dest, row, Kokkos::ALL));
    else
      Kokkos::parallel_for(Kokkos::TeamThreadRange(team, static_cast<int>(from.extent(1))),
                           [&](int k) { dest(row, k) = from(row, k); });
  }
};
template <class T>
void teams(char const* type, int rows, int columns, int size) {
  Table<T> const from("from", rows, columns), dest("dest", rows, columns);
  Kokkos::deep_copy(from, T(1));
  auto policy               = Kokkos::TeamPolicy<Exec>(rows, size);
  std::size_t const scratch = KokkosScan::team_scan_scratch<T>(static_cast<std::size_t>(size));
  policy.set_scratch_size(0, Kokkos::PerTeam(scratch));
  double const copy = median_time([&] { Kokkos::parallel_for(policy, Rows<T, false>{from, dest}); }, 3);
  double const time = median_time([&] { Kokkos::parallel_for(policy, Rows<T, true>{from, dest}); }, 3);
  long wrong        = 0;
  Kokkos::parallel_reduce(
      Indices(Exec(), 0, from.size()),
      KOKKOS_LAMBDA(std::size_t k, long& sum) {
        std::size_t const column = k % static_cast<std::size_t>(columns);
        sum += dest(k / static_cast<std::size_t>(columns), column) != static_cast<T>(column + 1) ? 1 : 0;
      },
      wrong);
  print(std::to_string(rows) + " x " + std::to_string(columns) + " " + type + " by teams of " + std::to_string(size) +
            " (a copying kernel of them)",
        time, copy, wrong);
}

}  // namespace

int main(int count, char** arguments) {
  Kokkos::ScopeGuard const kokkos(count, arguments);
  constexpr bool on_host = std::is_same_v<Exec::memory_space, Kokkos::HostSpace>;
  int const bits         = count > 1 ? std::atoi(arguments[1]) : on_host ? 24 : 28;
  if (bits < 12 || bits > 31) {
    std::fprintf(stderr, "experiment_shapes: log2 of the number of elements must be from 12 to 31\n");
    return 1;
  }
  auto const n = std::int64_t{1} << bits;
  for (std::int64_t const length : {std::int64_t{4}, std::int64_t{32}, std::int64_t{1024}, std::int64_t{1} << 20, n})
    segments<int>("i32", n, of_length(n, length), std::to_string(length));
  segments<int>("i32", n, of_power_law(n), "a power law");
  segments<double>("f64", n / 2, of_length(n / 2, 32), "32");
  segments<int>("i32", 1 << 20, of_length(1 << 20, 1 << 20), "all");
  segments<int>("i32", 100'000, of_length(100'000, 10), "10");
  for (std::size_t const size : {std::size_t{1000}, std::size_t{100'000}, static_cast<std::size_t>(n / 2)})
    parallel_scan(size);
  auto const rows = static_cast<int>(n / 256);
  for (int const size : on_host ? std::vector<int>{1} : std::vector<int>{32, 64, 128, 256}) {
    teams<double>("f64", rows, 72, size);
    teams<float>("f32", rows, 72, size);
    teams<double>("f64", rows / 10, 1000, size);
  }
}
