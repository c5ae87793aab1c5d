// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "../simd/functions.hpp"
#include "../tuning.hpp"

// How the elements of a chunk come to their places: those of a digit one behind the other. A writer has
//
//   Writer(to, begins, lines)   the array, the place of the first element of each digit, and memory for lines
//   put(digit, at, x)           x goes to place `at`
//   finish(ends)                the places behind the last elements
namespace KokkosScan::host::sort {

/// Into the caches.
template <class T, std::size_t>
class Cached {
 public:
  Cached(T* to, std::size_t const*, void*) : to_(to) {}

  void put(std::size_t, std::size_t at, T const& x) const { to_[at] = x; }
  void finish(std::size_t const*) const {}

 private:
  T* to_;
};

/// Past the caches, a few whole lines of memory at once: until they are full, the elements of each digit are gathered.
template <class T, std::size_t digits>
class Streaming {
 public:
  Streaming(T* to, std::size_t const* begins, void* lines)
      : to_(to), gathered_(static_cast<T*>(lines)), before_(reinterpret_cast<std::uintptr_t>(to) / sizeof(T) % most) {
    std::copy_n(begins, digits, begins_);
  }

  void put(std::size_t digit, std::size_t at, T const& x) const {
    std::size_t const place         = (at + before_) % most;
    gathered_[digit * most + place] = x;
    if (place + 1 == most) write(digit, at + 1, most);
  }
  void finish(std::size_t const* ends) const {
    for (std::size_t digit = 0; digit < digits; ++digit) write(digit, ends[digit], (ends[digit] + before_) % most);
    simd::all_functions().streaming.finish();
  }

 private:
  static constexpr std::size_t most = bytes_to_gather / sizeof(T);

  /// So many are gathered, less what in front of them is none of this chunk's.
  void write(std::size_t digit, std::size_t end, std::size_t gathered) const {
    std::size_t const count = std::min(gathered, end - begins_[digit]);
    T const* const from     = gathered_ + digit * most + (gathered - count);
    T* const to             = to_ + (end - count);
    simd::all_functions().streaming.copy(reinterpret_cast<std::byte*>(to), reinterpret_cast<std::byte const*>(from),
                                         count * sizeof(T));
  }

  T* to_;
  T* gathered_;
  std::size_t begins_[digits];
  std::size_t before_;  // elements from where lines begin to the array
};

}  // namespace KokkosScan::host::sort
