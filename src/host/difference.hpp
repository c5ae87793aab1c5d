// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <initializer_list>
#include <string>
#include <type_traits>

#include "../core/differences.hpp"
#include "../exec/kernel_event.hpp"
#include "launch.hpp"
#include "workers.hpp"

//  The first difference of two arrays, block by block
//  paper       none
//  launches    0 where it is in the first blocks or arrays are short, else 1
//  bytes       2 n at most
//  operations  n
//  steps       n/p
//  progress    none
namespace KokkosScan::host::difference {

inline constexpr std::size_t block_bytes = 64 * 1024;
/// So many are looked at by the calling thread before others are woken, which takes as long as some of them.
inline constexpr std::size_t blocks_alone = 8;

inline std::uint64_t load_half(std::byte const* address) {
  std::uint64_t half;
  std::memcpy(&half, address, sizeof half);
  return half;
}

/// The first of the bytes from `at` on up to `end` that differs, else end. The C library is fast, but does not say
/// where they do.
inline std::size_t first_byte(std::byte const* a, std::byte const* b, std::size_t at, std::size_t end) {
  for (std::size_t const stride : {block_bytes, block_bytes / 16, block_bytes / 256})
    while (at < end) {
      std::size_t const bytes = std::min(stride, end - at);
      if (std::memcmp(a + at, b + at, bytes) != 0) break;
      at += bytes;
    }
  while (end - at >= 8 && load_half(a + at) == load_half(b + at)) at += 8;
  while (at < end && a[at] == b[at]) ++at;
  return at;
}

/// Whether a difference is asked for so cheaply that all elements of some are looked at together, in vectors.
template <class Compared>
inline constexpr bool is_cheap = std::is_arithmetic_v<typename Compared::Element> &&
                                 (std::is_same_v<typename Compared::Equal, core::EqualTo> ||
                                  std::is_same_v<typename Compared::Equal, core::Equivalent<core::CharacterLess>>);

/// The first of the elements from `at` on up to `end` that differs, else end.
template <class Compared>
std::size_t first_element(Compared const& compared, std::size_t at, std::size_t end) {
  if constexpr (Compared::by_bytes) {
    constexpr std::size_t size = sizeof(typename Compared::Element);
    return difference::first_byte(reinterpret_cast<std::byte const*>(compared.a.data),
                                  reinterpret_cast<std::byte const*>(compared.b.data), at * size, end * size) /
           size;
  } else {
    if constexpr (is_cheap<Compared>) {
      constexpr std::size_t together = 32;
      for (bool differ = false; end - at >= together; at += together) {
        for (std::size_t k = 0; k < together; ++k) differ |= compared.differs(at + k);
        if (differ) break;
      }
    }
    while (at < end && !compared.differs(at)) ++at;
    return at;
  }
}

/// Leaves put.of(first).
template <class Exec, class Compared, class Put>
void find(Exec const& exec, std::string const& label, Compared const& compared, Put const& put) {
  constexpr std::size_t block = std::max<std::size_t>(1, block_bytes / sizeof(typename Compared::Element));
  std::size_t const n         = compared.n;
  std::size_t const alone     = n > 2 * blocks_alone * block ? blocks_alone * block : n;
  {
    exec::KernelEvent const event(label, exec);
    std::size_t const first = difference::first_element(compared, 0, alone);
    if (first < alone || alone == n) return core::put(*put.result, put.of(first));
  }
  Shared const work{.seconds = static_cast<double>(n - alone) * sizeof(typename Compared::Element) * seconds_by_kernels,
                    .parts   = (n - alone) / block};
  KokkosWorkers<Exec> const workers(exec, label, workers_for(exec, work));
  std::atomic<std::size_t> known{n};
  host::launch(workers, [&](int worker, Failure const&) {
    std::size_t const step = block * static_cast<std::size_t>(workers.size());
    for (std::size_t at = alone + block * static_cast<std::size_t>(worker); at < known.load(std::memory_order_relaxed);
         at += step) {
      std::size_t const end = std::min(n, at + block), first = difference::first_element(compared, at, end);
      if (first == end) continue;
      for (std::size_t least = known.load(std::memory_order_relaxed);
           first < least && !known.compare_exchange_weak(least, first, std::memory_order_relaxed);) {
      }
      return;
    }
  });
  core::put(*put.result, put.of(known.load(std::memory_order_relaxed)));
}

}  // namespace KokkosScan::host::difference
