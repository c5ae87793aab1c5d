// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "../core/memory.hpp"
#include "../core/segments.hpp"
#include "../exec/regions.hpp"

// What is made of the offsets of segments before they are scanned, by loops on exec.
namespace KokkosScan::driver {

/// f(i) for all of them, on exec; by the calling thread where that is what a kernel is done by, or would be.
template <class Exec, class F>
void for_each_index(std::string const& label, Exec const& exec, std::size_t count, F const& f) {
  if constexpr (std::is_same_v<typename Exec::memory_space, Kokkos::HostSpace>)
    if (count == 1 || exec::is_in_region(exec)) {
      for (std::size_t i = 0; i < count; ++i) f(i);
      return;
    }
  Kokkos::parallel_for(label, Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, count), f);
}

inline std::size_t begin_of_boundaries(core::Needs const& needs) { return core::round_up(needs.scratch, 128); }
/// What a scan needs, and behind it the boundaries of segments of n elements.
inline core::Needs with_boundaries(core::Needs needs, std::size_t n) {
  needs.scratch = begin_of_boundaries(needs) + core::bytes_of_boundaries(n);
  return needs;
}

/// Some words of the boundaries. Who makes them looks for the first offset that points there, and goes on from it.
/// Where many segments are empty it looks for the next other offset, so that no word takes much longer than any.
template <class Integer>
struct MakeBoundaries {
  static constexpr int most_alike = 64;

  core::Offsets<Integer> offsets;
  std::size_t n;
  std::uint32_t* words;
  std::size_t words_each;

  std::size_t count() const { return (core::words_of_boundaries(n) + words_each - 1) / words_each; }

  KOKKOS_FUNCTION void operator()(std::size_t k) const {
    std::size_t const all   = core::words_of_boundaries(n);
    std::size_t const begin = k * words_each, end = all - begin < words_each ? all : begin + words_each;
    std::size_t next = offsets.find(0, begin * core::bits_of_word);
    for (std::size_t w = begin; w < end; ++w) words[w] = word(w, next);
    if (end == all) words[all] = 0;
  }

 private:
  KOKKOS_FUNCTION std::uint32_t word(std::size_t w, std::size_t& next) const {
    std::size_t const end = (w + 1) * core::bits_of_word;
    std::uint32_t bits    = 0;
    for (int walked = 1; next <= offsets.segments; ++walked) {
      std::size_t const element = offsets.clamped(next, n);
      if (element >= end) break;
      bits |= std::uint32_t{1} << (element % core::bits_of_word);
      next = walked % most_alike == 0 ? offsets.find(next, element + 1) : next + 1;
    }
    return bits;
  }
};

/// The totals of segments without elements, which no scan comes to.
template <class Value, class Integer, class Totals, class Start>
struct PutEmptyTotals {
  using Stored = core::ElementOf<Totals>;

  core::Offsets<Integer> offsets;
  Totals totals;
  Start start;

  KOKKOS_FUNCTION void operator()(std::size_t segment) const {
    if (offsets.offsets[segment] < offsets.offsets[segment + 1]) return;
    core::put(totals[segment], static_cast<Stored>(*core::value_of_start<Value>(start)));
  }
};

/// The first segment whose offsets decrease, or leave an array of n elements; their number, if all are right.
template <class Integer>
struct FindWrongSegment {
  core::Offsets<Integer> offsets;
  std::size_t n;

  KOKKOS_FUNCTION void operator()(std::size_t segment, std::size_t& first) const {
    Integer const begin = offsets.offsets[segment], end = offsets.offsets[segment + 1];
    bool const wrong = begin < Integer{} || end < begin || static_cast<std::size_t>(end) > n;
    if (wrong && segment < first) first = segment;
  }
};

template <class Exec, class Integer>
std::size_t find_wrong_segment(std::string const& label, Exec const& exec, core::Offsets<Integer> const& offsets,
                               std::size_t n) {
  FindWrongSegment<Integer> const find{offsets, n};
  std::size_t first = offsets.segments;
  if constexpr (std::is_same_v<typename Exec::memory_space, Kokkos::HostSpace>)
    if (exec::is_in_region(exec)) {
      for (std::size_t k = 0; k < offsets.segments; ++k) find(k, first);
      return first;
    }
  Kokkos::parallel_reduce(label, Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, offsets.segments),
                          find, Kokkos::Min<std::size_t>(first));
  return first < offsets.segments ? first : offsets.segments;
}

}  // namespace KokkosScan::driver
