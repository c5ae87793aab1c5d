// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <utility>
#include <vector>

#include "../comparison.hpp"

// What the shared parts of the harness ask of hosts; cuda/backend.hpp answers the same.
namespace perf::host {

using Exec   = Kokkos::DefaultHostExecutionSpace;
using Memory = Kokkos::HostSpace;

inline constexpr bool is_device      = false;
inline constexpr std::size_t largest = std::size_t(1) << 28;

inline Exec instance() { return {}; }
inline int threads() { return Exec().concurrency(); }

/// Whose threads Kokkos' are (see Contestant::workers): libstdc++'s parallel mode may use the same.
inline char const* workers() { return Exec::name(); }

/// How the calls of a sample follow each other: there is one way.
enum class Mode { one_by_one };
inline constexpr std::pair<Mode, char const*> modes[] = {{Mode::one_by_one, ""}};
constexpr bool wants_handle(Mode) { return false; }

constexpr bool is_warm(Mode) { return false; }
inline constexpr Mode mode_of_drawn = Mode::one_by_one;

/// How many copies of a problem of so many bytes are worked on in turns.
inline std::size_t copies_of(double) { return 1; }
/// Of so many: whether they stay in the last level of the caches that the threads have.
std::string cache_state(double bytes, std::size_t copies);

template <class F>
Contestant contestant(Traits const& traits, Mode, std::size_t, F const& call) {
  return {.name = traits.name, .run = [call] { call(0); }, .workers = traits.workers};
}

/// f(begin, end) on each thread with its part of 0..n, all parts but the last being equal multiples of 4096.
template <class F>
void for_each_block(std::size_t n, F const& f) {
  std::size_t const parts = static_cast<std::size_t>(threads());
  std::size_t const step  = (n + parts * 4096 - 1) / (parts * 4096) * 4096;
  Kokkos::parallel_for("perf: blocks",
                       Kokkos::RangePolicy<Exec, Kokkos::IndexType<int>, Kokkos::Schedule<Kokkos::Static>>(
                           0, static_cast<int>(parts), Kokkos::ChunkSize(1)),
                       [&](int worker) {
                         std::size_t const begin = std::min(n, static_cast<std::size_t>(worker) * step);
                         std::size_t const end   = std::min(n, begin + step);
                         if (begin < end) f(begin, end);
                       });
}

inline constexpr std::size_t page = 4096;
/// Bytes whose pages belong to the threads that will work on them: each touches its part first.
class Buffer {
 public:
  Buffer() = default;
  /// Begins so many bytes behind the begin of a page.
  Buffer(std::size_t bytes, std::size_t offset)
      : bytes_(Kokkos::view_alloc("perf", Kokkos::WithoutInitializing), bytes + page + 64), used_(bytes) {
    std::size_t const begin = reinterpret_cast<std::uintptr_t>(bytes_.data()) % page;
    skipped_                = (offset + page - begin) % page;
    fill(0);
  }

  unsigned char* data() const { return bytes_.data() + skipped_; }

  void fill(int byte) const {
    unsigned char* const first = data();
    for_each_block(used_, [=](std::size_t begin, std::size_t end) { std::memset(first + begin, byte, end - begin); });
  }

 private:
  Kokkos::View<unsigned char*, Kokkos::HostSpace> bytes_ = {};
  std::size_t used_ = 0, skipped_ = 0;
};

struct Arrays {
  Buffer from = {}, to = {}, keys = {};
};

/// Up to so many bytes a copy by one thread is a candidate: waking the others may take longer than the copy.
inline constexpr std::size_t one_thread_is_enough = 1 << 20;

/// As many TBB threads as Kokkos has, on the same cores, take part in what f does.
void in_tbb_arena(std::function<void()> const& f);

/// How much of the cores is ours, of the one where it is least: 1, or about 0.6 while others use its second hardware
/// thread, of which the operating system may know nothing (of a virtual machine it does not). Code that waits for its
/// own results, as a serial sum of floats does, hardly notices; code that keeps a core busy takes up to twice the time.
/// Found out by the threads of Kokkos, where they are; 1 is the best that was seen ten times, so whoever is there all
/// the time is not noticed.
double share_of_cores();
/// Not where two of the threads are on one core, for then others may be ourselves, nor where that is unknown.
bool can_tell_shares_of_cores();

/// The copies that a scan is held against; `bytes` must fit into both arrays.
std::vector<Contestant> copies(Arrays const& arrays, std::size_t bytes);

}  // namespace perf::host

namespace perf {
namespace backend = host;
}
