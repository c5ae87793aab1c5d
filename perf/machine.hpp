// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

namespace perf {

/// Names and values, in the order in which they are shown: what a figure depends on besides the code.
using Facts = std::vector<std::pair<std::string, std::string>>;

/// Of the machine and of this build. Kokkos must be initialised.
Facts machine_facts();

/// What is to be said of a device: host/ and cuda/ have it, of which one is built.
Facts backend_facts();
/// What may have changed meanwhile.
Facts facts_at_the_end();

/// Why nothing runs that needs so many bytes of the host: nothing, if it may.
std::string too_large(std::size_t needs);

/// What the operating system says about who else was at work; counters since boot, or differences of two readings.
struct Disturbance {
  double wall_seconds        = 0;
  double cores               = 0;
  double other_cpu_seconds   = 0;  ///< processor time that went to neither this process nor idleness
  double stolen_seconds      = 0;  ///< of those, what a hypervisor gave to others
  long involuntary_switches  = 0;  ///< how often a thread of ours had to leave its core
  bool system_counters_known = false;

  /// The share of the machine that others had; 0 if the time was too short for counters in hundredths of a second.
  double share_of_others() const { return wall_seconds > 0.2 ? other_cpu_seconds / (wall_seconds * cores) : 0; }
};

Disturbance read_disturbance();
Disturbance operator-(Disturbance now, Disturbance const& before);

}  // namespace perf
