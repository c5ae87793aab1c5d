// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "../comparison.hpp"

namespace perf::host {

using Space = Kokkos::DefaultHostExecutionSpace;

inline int threads() { return Space().concurrency(); }

/// Whose threads Kokkos' are (see Contestant::workers): libstdc++'s parallel mode may use the same.
inline char const* kokkos_workers() { return Space::name(); }

/// f(begin, end) on each thread with its part of 0..n, all parts but the last being equal multiples of 4096.
template <class F>
void for_each_block(std::size_t n, F const& f) {
  std::size_t const workers = static_cast<std::size_t>(threads());
  std::size_t const step    = (n + workers * 4096 - 1) / (workers * 4096) * 4096;
  Kokkos::parallel_for("perf: blocks",
                       Kokkos::RangePolicy<Space, Kokkos::IndexType<int>, Kokkos::Schedule<Kokkos::Static>>(
                           0, static_cast<int>(workers), Kokkos::ChunkSize(1)),
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
      : bytes_(Kokkos::view_alloc("perf", Kokkos::WithoutInitializing), rounded(bytes)), used_(bytes) {
    std::size_t const begin = reinterpret_cast<std::uintptr_t>(bytes_.data()) % page;
    skipped_                = (offset + page - begin) % page;
    fill(0);
  }

  static std::size_t rounded(std::size_t bytes) { return (bytes + 63) / 64 * 64 + page; }

  unsigned char* data() const { return bytes_.data() + skipped_; }

  void fill(int byte) const {
    unsigned char* const first = data();
    for_each_block(used_, [=](std::size_t begin, std::size_t end) { std::memset(first + begin, byte, end - begin); });
  }

 private:
  Kokkos::View<unsigned char*, Kokkos::HostSpace> bytes_ = {};
  std::size_t used_ = 0, skipped_ = 0;
};

/// Up to so many bytes a copy by one thread is a candidate: waking the others may take longer than the copy.
inline constexpr std::size_t one_thread_is_enough = 1 << 20;

/// The copies that a scan is held against; `bytes` must fit into both buffers.
std::vector<Contestant> copies(Buffer const& from, Buffer const& to, std::size_t bytes);

}  // namespace perf::host
