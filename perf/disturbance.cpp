// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "disturbance.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <fstream>
#include <string>
#include <thread>

namespace perf {

Disturbance read_disturbance() {
  Disturbance now;
  now.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
  now.cores        = std::max(1U, std::thread::hardware_concurrency());

  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  auto const seconds = [](timeval const& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  now.involuntary_switches = usage.ru_nivcsw;

  // cpu  user nice system idle iowait irq softirq steal guest guest_nice, in ticks (Linux)
  std::ifstream stat("/proc/stat");
  std::string word;
  double ticks[8] = {};
  stat >> word;
  for (double& tick : ticks) stat >> tick;
  if (stat && word == "cpu") {
    double const tick_seconds = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
    double const idle         = ticks[3] + ticks[4];
    double busy               = -idle;
    for (double const tick : ticks) busy += tick;
    now.other_cpu_seconds     = busy * tick_seconds - seconds(usage.ru_utime) - seconds(usage.ru_stime);
    now.stolen_seconds        = ticks[7] * tick_seconds;
    now.system_counters_known = true;
    // The line "cpu" is of the whole machine, which may have more cores than this process may use.
    now.cores = static_cast<double>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  }
  return now;
}

Disturbance operator-(Disturbance const& now, Disturbance const& before) {
  Disturbance d          = now;
  d.wall_seconds         = now.wall_seconds - before.wall_seconds;
  d.other_cpu_seconds    = std::max(0.0, now.other_cpu_seconds - before.other_cpu_seconds);
  d.stolen_seconds       = now.stolen_seconds - before.stolen_seconds;
  d.involuntary_switches = now.involuntary_switches - before.involuntary_switches;
  return d;
}

}  // namespace perf
