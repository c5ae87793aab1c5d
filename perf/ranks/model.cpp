// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "model.hpp"

#include <algorithm>
#include <bit>
#include <cstddef>

namespace perf::ranks {
namespace {

/// Seconds of one round in which every rank sends so many bytes to the rank so far behind it.
double seconds_of_round(MPI_Comm comm, int distance, std::size_t bytes, int calls, int samples) {
  std::vector<char> out(bytes, 'x'), in(bytes);
  int const rank = rank_of(comm), ranks = size_of(comm), length = static_cast<int>(bytes);
  int const behind = (rank + distance) % ranks, before = (rank + ranks - distance) % ranks;
  std::vector<double> seconds;
  for (int sample = 0; sample < samples; ++sample) {
    MPI_Barrier(comm);
    double const begin = MPI_Wtime();
    for (int call = 0; call < calls; ++call)
      MPI_Sendrecv(out.data(), length, MPI_CHAR, behind, 0, in.data(), length, MPI_CHAR, before, 0, comm,
                   MPI_STATUS_IGNORE);
    seconds.push_back(max_of(comm, (MPI_Wtime() - begin) / calls));
  }
  std::ranges::sort(seconds);
  return seconds[seconds.size() / 2];
}

}  // namespace

int rounds_of(int ranks) { return static_cast<int>(std::bit_width(static_cast<unsigned>(ranks - 1))); }

double predict(Constants const& constants, int ranks, double local_bytes, double copied_per_second, int message_bytes) {
  double const local = copied_per_second > 0 ? local_bytes / copied_per_second : 0;
  double const message =
      constants.message_bytes_per_second > 0 ? message_bytes / constants.message_bytes_per_second : 0;
  return constants.call_seconds + local + rounds_of(ranks) * (constants.latency_seconds + message);
}

Constants measure_messages(bool quick) {
  MPI_Comm const comm = MPI_COMM_WORLD;
  int const ranks     = size_of(comm);
  Constants constants;
  if (ranks == 1) return constants;
  constexpr std::size_t short_one = 16, long_one = std::size_t{1} << 20;
  int const calls = quick ? 20 : 500, samples = quick ? 3 : 7;
  double long_seconds = 0;
  for (int distance = 1; distance < ranks; distance *= 2) {
    constants.latency_seconds += seconds_of_round(comm, distance, short_one, calls, samples) / rounds_of(ranks);
    long_seconds += seconds_of_round(comm, distance, long_one, std::max(calls / 50, 1), samples) / rounds_of(ranks);
  }
  constants.message_bytes_per_second = static_cast<double>(long_one) / long_seconds;
  return constants;
}

}  // namespace perf::ranks
