// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#if defined(__linux__)
#include <sched.h>
#endif

#include <algorithm>
#include <array>
#include <bit>
#include <chrono>
#include <cstdint>
#include <fstream>
#include <string>
#include <vector>

#include "../../src/host/machine.hpp"
#include "../machine.hpp"
#include "backend.hpp"

namespace perf::host {
namespace {

using Word = std::uint64_t;

constexpr int steps = 1000;

/// One worker to each of Kokkos' threads.
using Workers = Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>>;

template <class F>
double seconds(F const& f) {
  auto const begin = std::chrono::steady_clock::now();
  f();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

/// Eight chains of instructions keep a core busy, one does not: what they take at a time is 3 to 4 times as much where
/// nobody else is there, and the frequency of the core makes no difference.
double width_of_core() {
  Word word = 1;
  keep(word);
  auto const many_chains = [word] {
    Word a = word, b = a + 1, c = a + 2, d = a + 3, e = a + 4, f = a + 5, g = a + 6, h = a + 7;
    for (int step = 0; step < steps; ++step) {
      a = std::rotl(a, 3) + word;
      b = std::rotl(b, 5) + word;
      c = std::rotl(c, 7) + word;
      d = std::rotl(d, 9) + word;
      e = std::rotl(e, 11) + word;
      f = std::rotl(f, 13) + word;
      g = std::rotl(g, 15) + word;
      h = std::rotl(h, 17) + word;
    }
    Word all = a ^ b ^ c ^ d ^ e ^ f ^ g ^ h;
    keep(all);
  };
  auto const one_chain = [word] {
    Word a = word;
    for (int step = 0; step < steps; ++step) a = std::rotl(std::rotl(a, 3) + word, 5) + word;
    keep(a);
  };
  double wide = 1, chain = 1;
  for (int attempt = 0; attempt < 7; ++attempt) {  // in turns: what slows one for a while slows both
    wide  = std::min(wide, seconds(many_chains));
    chain = std::min(chain, seconds(one_chain));
  }
  return 4 * chain / wide;
}

/// The hardware threads of the core that the caller is on, as Linux lists them.
std::string core() {
  std::string list;
#if defined(__linux__)
  std::ifstream("/sys/devices/system/cpu/cpu" + std::to_string(sched_getcpu()) + "/topology/thread_siblings_list") >>
      list;
#endif
  return list;
}

}  // namespace

bool can_tell_shares_of_cores() {
  static bool const have_cores_of_their_own = [] {
    std::vector<std::string> cores(static_cast<std::size_t>(threads()));
    Kokkos::parallel_for("perf: cores", Workers(0, threads(), Kokkos::ChunkSize(1)),
                         [&](int worker) { cores[static_cast<std::size_t>(worker)] = core(); });
    std::sort(cores.begin(), cores.end());
    return !cores.front().empty() && std::adjacent_find(cores.begin(), cores.end()) == cores.end();
  }();
  return have_cores_of_their_own;
}

std::string cache_state(double bytes, std::size_t copies) {
  auto const& machine = KokkosScan::host::machine();
  if (machine.last_level_bytes == 0) return {};
  int const caches  = (threads() + machine.sharers - 1) / machine.sharers;
  double const both = static_cast<double>(machine.last_level_bytes) * caches;
  double const all  = bytes * static_cast<double>(copies);
  return all <= both / 2 ? "warm" : all < 2 * both ? "partly warm" : "cold";
}

double share_of_cores() {
  // The tenth best: what holds up a chain, now and then, makes a core look wider than it is.
  static std::array<double, 10> best{};
  double width = 0;
  do {
    Kokkos::parallel_reduce(
        "perf: width of the cores", Workers(0, threads(), Kokkos::ChunkSize(1)),
        [](int, double& least) { least = std::min(least, width_of_core()); }, Kokkos::Min<double>(width));
    best.front() = std::max(best.front(), width);
    std::sort(best.begin(), best.end());
  } while (best.front() == 0);
  return width / best.front();
}

}  // namespace perf::host

namespace perf {
Facts backend_facts() { return {}; }
Facts facts_at_the_end() { return {}; }
}  // namespace perf
