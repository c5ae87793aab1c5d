// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine.hpp"

#include <algorithm>
#include <bit>
#include <fstream>
#include <string>

#include "tuning.hpp"

namespace KokkosScan::host {
namespace {

/// The first word of a file that Linux keeps about a cache of the first processor, or nothing.
std::string fact(int cache, char const* name) {
  std::ifstream file("/sys/devices/system/cpu/cpu0/cache/index" + std::to_string(cache) + "/" + name);
  std::string word;
  file >> word;
  return word;
}

/// For example 32768K.
std::size_t bytes_in(std::string const& size) {
  std::size_t bytes = 0;
  for (char const c : size) {
    if (c >= '0' && c <= '9') bytes = 10 * bytes + static_cast<std::size_t>(c - '0');
    if (c == 'K') bytes <<= 10;
    if (c == 'M') bytes <<= 20;
  }
  return bytes;
}

/// How many processors a map names, for example 00000000,0000ffff.
int processors_in(std::string const& map) {
  int count = 0;
  for (char const c : map) {
    int const digit = c >= '0' && c <= '9' ? c - '0' : c >= 'a' && c <= 'f' ? c - 'a' + 10 : 0;
    count += std::popcount(static_cast<unsigned>(digit));
  }
  return count;
}

bool is_intel() {
#if defined(KOKKOSSCAN_X86_64)
  __builtin_cpu_init();
  return __builtin_cpu_is("intel");
#else
  return false;
#endif
}

/// A last level below the third is a core's own, and says nothing. Turns and fetched results gained on Intel's Xeons
/// and cost time on AMD's EPYC (docs/log.md); on others they were not measured.
Machine find_machine() {
  Machine found{0, 1, is_intel(), is_intel()};
  for (int cache = 0; !fact(cache, "type").empty(); ++cache) {
    if (fact(cache, "type") != "Unified" || fact(cache, "level") < "3") continue;
    found.last_level_bytes = bytes_in(fact(cache, "size"));
    found.sharers          = std::max(1, processors_in(fact(cache, "shared_cpu_map")));
  }
  return found;
}

Machine& assumed() {
  static Machine one = find_machine();
  return one;
}

}  // namespace

Machine const& machine() { return assumed(); }

void assume(Machine const& machine) { assumed() = machine; }

std::size_t streaming_from(int threads) {
  Machine const& of = machine();
  if (of.last_level_bytes == 0) return streaming_bytes;
  auto const caches = static_cast<std::size_t>((threads + of.sharers - 1) / of.sharers);
  return std::min(streaming_bytes, caches * of.last_level_bytes / caches_to_stream);
}

}  // namespace KokkosScan::host
