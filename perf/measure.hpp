// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "comparison.hpp"
#include "machine.hpp"

namespace perf {

struct Timing {
  int rounds            = 7;
  double sample_seconds = 0.005;  ///< a sample is as many calls as take this long
  double warm_seconds   = 0.001;  ///< untimed calls before each sample, unless one call takes longer
  double pause_seconds  = 0.005;  ///< before each change from the threads of one library to those of another
  double patience = 0;  ///< so many seconds, of a comparison, samples are repeated for which others shared our cores
};

enum class Status { measured, checked, wrong, failed, missing };
inline constexpr char const* status_names[] = {"measured", "checked", "wrong", "failed", "missing"};

struct Row {
  std::string operation, type, implementation;
  std::size_t n      = 0;
  double bytes       = 0;
  Status status      = Status::missing;
  std::string detail = {};  ///< why missing, what is wrong, or which copy was the fastest

  long calls                  = 1;       ///< in each sample
  std::vector<double> seconds = {};      ///< of one call, round by round
  double median = 0, low = 0, high = 0;  ///< of seconds; low and high are the quartiles
  double copy_ratio = 0;                 ///< the median of the copy's time over this, round by round
  std::string marks = {};  ///< ~ unsteady, = often shared cores, ^ the copy drifted, * others were at work
  /// In which others used the second hardware threads of our cores; where that can be told.
  std::optional<int> shared_rounds = {};

  std::string name() const { return operation + "/" + type + "/" + std::to_string(n) + "/" + implementation; }
  bool has(char mark) const { return marks.find(mark) != std::string::npos; }
  bool is_bad() const { return status == Status::wrong || status == Status::failed; }
  double bytes_per_second() const { return median > 0 ? bytes / median : 0; }
  double spread() const { return median > 0 ? (high - low) / median : 0; }
};

/// All rows of a comparison, and who else was at work.
struct Outcome {
  std::vector<Row> rows   = {};
  std::string caches      = {};  ///< of the comparison
  Disturbance disturbance = {};
  double repeated_seconds = 0;  ///< that went into samples which were not taken
};

/// Limits above which a figure is marked.
inline constexpr double steady_spread      = 0.10;  ///< interquartile range over median
inline constexpr double steady_copy        = 1.25;  ///< slowest over fastest round of the copy
inline constexpr double others_at_work     = 0.05;  ///< share of the machine's processor time
inline constexpr double stolen_is_too_much = 0.02;
inline constexpr double alone              = 0.95;  ///< share of our cores

/// A row for the copy and for each contestant; all are missing if there is a reason why none can run.
Outcome measure(Comparison const& comparison, Timing const& timing, std::string const& not_run = {});

}  // namespace perf
