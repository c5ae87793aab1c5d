// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "operations.hpp"

namespace perf::ranks {

enum class Scaling { weak, strong, latency };
inline constexpr char const* scaling_names[] = {"weak", "strong", "latency"};

/// An operation of n elements: of each rank, or of all where the scaling is strong.
struct Task {
  Scaling scaling;
  Operation operation;
  std::size_t n;

  Part part(int rank, int ranks) const;
  std::string path() const;  ///< weak/inclusive_sum/f64/16777216
};

struct Timing {
  int rounds            = 7;
  double sample_seconds = 0.02;
};

struct Row {
  std::string scaling, operation, type;
  std::string implementation = {};
  std::size_t n              = 0;
  int ranks                  = 0;
  double bytes               = 0;  ///< of the rank with the most
  int message_bytes          = 0;
  std::string status         = "missing";  ///< or measured, wrong
  std::string detail         = {};

  long calls                  = 1;
  std::vector<double> seconds = {};  ///< of one call, of the rank that took longest, round by round
  double median = 0, low = 0, high = 0;
  double predicted = 0;  ///< by the model, if it speaks of this

  bool is_measured() const { return status == "measured"; }
  bool is_of(Task const& task) const;
};

/// Each contestant of whom `is_wanted(path/ranks/name)`, checked and then measured by a team: all its ranks call it,
/// and all have the same rows then.
std::vector<Row> measure(Team const& team, Task const& task, Timing const& timing,
                         std::function<bool(std::string const&)> const& is_wanted);

}  // namespace perf::ranks
