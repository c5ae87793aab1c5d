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
#include <sstream>
#include <thread>

namespace perf {
namespace {

/// The value behind "key :" in a file of such lines.
std::string value_in(char const* path, std::string const& key) {
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    auto const colon = line.find(':');
    if (line.compare(0, key.size(), key) != 0 || colon == std::string::npos) continue;
    auto const begin = line.find_first_not_of(" \t", colon + 1);
    return begin == std::string::npos ? "" : line.substr(begin);
  }
  return {};
}

std::string first_line_of(std::string const& path) {
  std::ifstream file(path);
  std::string line;
  std::getline(file, line);
  return line;
}

/// For example "L1d 32K, L2 1024K, L3 32768K".
std::string caches() {
  std::string list;
  for (int i = 0; i < 8; ++i) {
    std::string const folder = "/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(i) + "/";
    std::string const type   = first_line_of(folder + "type");
    if (type.empty() || type == "Instruction") continue;
    list += (list.empty() ? "L" : ", L") + first_line_of(folder + "level") + (type == "Data" ? "d " : " ") +
            first_line_of(folder + "size");
  }
  return list;
}

std::string compiler() {
#if defined(__clang__)
  return std::string("clang ") + __clang_version__;
#elif defined(__GNUC__)
  return std::string("g++ ") + __VERSION__;
#else
  return "unknown";
#endif
}

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
  std::string cpu = value_in("/proc/cpuinfo", "model name");
  if (cpu.empty()) cpu = value_in("/proc/cpuinfo", "CPU part");
  return {
      {"machine", environment("KOKKOSSCAN_MACHINE", host)},
      {"date", now()},
      {"cpu", cpu},
      {"cores", std::to_string(std::thread::hardware_concurrency())},
      {"threads", std::to_string(Kokkos::DefaultHostExecutionSpace().concurrency())},
      {"caches", caches()},
      {"memory", value_in("/proc/meminfo", "MemTotal")},
      {"huge pages", first_line_of("/sys/kernel/mm/transparent_hugepage/enabled")},
      {"load average", first_line_of("/proc/loadavg")},
      {"compiler", compiler()},
      {"flags", KOKKOSSCAN_PERF_FLAGS},
      {"KokkosScan", version(KOKKOSSCAN_VERSION)},
      {"Kokkos", version(KOKKOS_VERSION)},
      {"Kokkos spaces", kokkos_spaces()},
      {"OMP_NUM_THREADS", environment("OMP_NUM_THREADS")},
      {"OMP_PROC_BIND", environment("OMP_PROC_BIND")},
      {"OMP_PLACES", environment("OMP_PLACES")},
  };
}

std::size_t available_memory() {
  return static_cast<std::size_t>(std::atoll(value_in("/proc/meminfo", "MemAvailable").c_str())) * 1024;
}

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
