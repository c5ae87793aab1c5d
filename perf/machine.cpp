// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <KokkosScan/version.hpp>
#include <Kokkos_Core.hpp>
#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <ctime>
#include <fstream>
#include <numeric>
#include <thread>

namespace perf {
namespace {

/// The first line of a file; or, with a key, the value behind "key :".
std::string line_of(std::string const& path, std::string const& key = {}) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (key.empty()) return line;
    if (auto const colon = line.find(':'); line.rfind(key, 0) == 0 && colon != std::string::npos)
      return line.substr(std::min(line.find_first_not_of(" \t", colon + 1), line.size()));
  }
  return {};
}

/// For example "L1d 32K, L2 1024K, L3 32768K".
std::string caches() {
  std::string list;
  for (int i = 0; i < 8; ++i) {
    std::string const folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(i) + "/";
    std::string const type   = line_of(folder + "type");
    if (type.empty() || type == "Instruction") continue;
    list += (list.empty() ? "L" : ", L") + line_of(folder + "level") + (type == "Data" ? "d " : " ") +
            line_of(folder + "size");
  }
  return list;
}

#if defined(__clang__)
constexpr char const* compiler = "clang " __clang_version__;
#else
constexpr char const* compiler = "g++ " __VERSION__;
#endif

std::string environment(char const* name, char const* otherwise = "unset") {
  char const* const value = std::getenv(name);
  return value ? value : otherwise;
}

std::string now() {
  std::time_t const time = std::time(nullptr);
  char text[32];
  std::strftime(text, sizeof(text), "%Y-%m-%dT%H:%M:%SZ", std::gmtime(&time));
  return text;
}

std::string kokkos_spaces() {
  using Device       = Kokkos::DefaultExecutionSpace;
  using Host         = Kokkos::DefaultHostExecutionSpace;
  std::string spaces = Device::name();
  if (!std::is_same_v<Device, Host>) spaces += std::string(", ") + Host::name();
#ifdef KOKKOS_ENABLE_SERIAL
  if (!std::is_same_v<Host, Kokkos::Serial>) spaces += ", Serial";
#endif
  return spaces;
}

std::string version(int number) {
  return std::to_string(number / 10000) + "." + std::to_string(number / 100 % 100) + "." + std::to_string(number % 100);
}

}  // namespace

Facts machine_facts() {
  char host[256] = "unknown";
  gethostname(host, sizeof(host) - 1);
  std::string cpu = line_of("/proc/cpuinfo", "model name");
  if (cpu.empty()) cpu = line_of("/proc/cpuinfo", "CPU part");
  return {
      {"machine", environment("KOKKOSSCAN_MACHINE", host)},
      {"date", now()},
      {"cpu", cpu},
      {"cores", std::to_string(std::thread::hardware_concurrency())},
      {"threads", std::to_string(Kokkos::DefaultHostExecutionSpace().concurrency())},
      {"caches", caches()},
      {"memory", line_of("/proc/meminfo", "MemTotal")},
      {"huge pages", line_of("/sys/kernel/mm/transparent_hugepage/enabled")},
      {"load average", line_of("/proc/loadavg")},
      {"compiler", compiler},
      {"flags", KOKKOSSCAN_PERF_FLAGS},
      {"KokkosScan", version(KOKKOSSCAN_VERSION)},
      {"Kokkos", version(KOKKOS_VERSION)},
      {"Kokkos spaces", kokkos_spaces()},
      {"OMP_NUM_THREADS", environment("OMP_NUM_THREADS")},
      {"OMP_PROC_BIND", environment("OMP_PROC_BIND")},
      {"OMP_PLACES", environment("OMP_PLACES")},
  };
}

std::string too_large(std::size_t needs) {
  auto const available = static_cast<std::size_t>(std::atoll(line_of("/proc/meminfo", "MemAvailable").c_str())) * 1024;
  if (available == 0 || needs <= available / 10 * 8) return {};
  return "needs " + std::to_string(needs >> 20) + " MiB of memory, " + std::to_string(available >> 20) +
         " MiB are free";
}

Disturbance read_disturbance() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  auto const seconds = [](timeval const& t) {
    return static_cast<double>(t.tv_sec) + 1e-6 * static_cast<double>(t.tv_usec);
  };
  Disturbance now{
      .wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(),
      .cores        = static_cast<double>(std::max(1U, std::thread::hardware_concurrency())),
      .involuntary_switches = usage.ru_nivcsw};

  // cpu  user nice system idle iowait irq softirq steal guest guest_nice, in ticks (Linux)
  std::ifstream stat("/proc/stat");
  std::string word;
  double ticks[8] = {}, tick_seconds = 1.0 / static_cast<double>(sysconf(_SC_CLK_TCK));
  stat >> word;
  for (double& tick : ticks) stat >> tick;
  now.system_counters_known = stat && word == "cpu";
  if (!now.system_counters_known) return now;
  double const busy     = std::accumulate(ticks, ticks + 8, -ticks[3] - ticks[4]);
  now.other_cpu_seconds = busy * tick_seconds - seconds(usage.ru_utime) - seconds(usage.ru_stime);
  now.stolen_seconds    = ticks[7] * tick_seconds;
  // The line "cpu" is of the whole machine, which may have more cores than this process may use.
  now.cores = static_cast<double>(std::max(1L, sysconf(_SC_NPROCESSORS_ONLN)));
  return now;
}

Disturbance operator-(Disturbance now, Disturbance const& before) {
  now.wall_seconds -= before.wall_seconds;
  now.other_cpu_seconds = std::max(0.0, now.other_cpu_seconds - before.other_cpu_seconds);
  now.stolen_seconds -= before.stolen_seconds;
  now.involuntary_switches -= before.involuntary_switches;
  return now;
}

}  // namespace perf
