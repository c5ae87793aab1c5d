// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include "team.hpp"

namespace perf::ranks {

/// What a call is said to cost:
///
///   a call + local bytes / rate of a copy + ceil(log2 ranks) * (latency + message bytes / rate of messages)
///
/// with constants that are measured beside the calls, in the same run.
struct Constants {
  double call_seconds             = 0;  ///< of one element, on one rank
  double latency_seconds          = 0;  ///< of a round, in which each rank sends one short message and receives one
  double message_bytes_per_second = 0;  ///< where each rank sends a long one and receives one
};

/// How many rounds of a scan across ranks there are.
int rounds_of(int ranks);

/// `copied_per_second` is by each rank, while all copy.
double predict(Constants const& constants, int ranks, double local_bytes, double copied_per_second, int message_bytes);

/// By all ranks of the job: messages to the rank 1, 2, 4, ... behind, as in a scan. All 0 for a job of one rank.
Constants measure_messages(bool quick);

/// What is predicted beyond the ranks there are.
inline constexpr int largest_prediction = 131072;

}  // namespace perf::ranks
