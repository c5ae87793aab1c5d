// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#include "machine.hpp"

#include <algorithm>
#include <bit>
#include <fstream>
#include <string>

#include "tuning.hpp"

namespace KokkosScan::host {
namespace {

/// The first word of a file that Linux keeps about a cache of a processor, or nothing.
std::string fact(std::string const& processor, int cache, char const* name) {
  std::ifstream file(processor + "/cache/index" + std::to_string(cache) + "/" + name);
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

Machine& assumed() {
  static Machine one = find_machine("/sys/devices/system/cpu/cpu0");
  return one;
}

}  // namespace

/// A last level below the third is a core's own, and says nothing (levels have one digit). Turns gain on Intel's Xeons
/// and cost time on AMD's EPYC (docs/decisions/host-pages-in-turns.md); on others they were not measured.
Machine find_machine(std::string const& processor) {
  Machine found{0, 1, is_intel() ? Reading::in_turns : Reading::straight};
  for (int cache = 0; !fact(processor, cache, "type").empty(); ++cache) {
    if (fact(processor, cache, "type") != "Unified" || fact(processor, cache, "level") < "3") continue;
    found.last_level_bytes = bytes_in(fact(processor, cache, "size"));
    found.sharers          = std::max(1, processors_in(fact(processor, cache, "shared_cpu_map")));
  }
  return found;
}

Machine const& machine() { return assumed(); }

void assume(Machine const& machine) { assumed() = machine; }

std::size_t streaming_from(int threads) {
  Machine const& of = machine();
  if (of.last_level_bytes == 0) return streaming_bytes;
  auto const caches = static_cast<std::size_t>((threads + of.sharers - 1) / of.sharers);
  return std::min(streaming_bytes, caches * most_cached_bytes(of.last_level_bytes));
}

}  // namespace KokkosScan::host
