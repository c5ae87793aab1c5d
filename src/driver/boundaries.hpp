// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstdint>
#include <string>
#include <type_traits>

#include "../core/memory.hpp"
#include "../core/segments.hpp"
#include "../exec/kernel_event.hpp"
#include "run_scan.hpp"

// What is made of the offsets of segments before they are scanned, by loops on exec.
namespace KokkosScan::driver {

/// f(i) for all of them, which look at so many elements in all, as a kernel of the backend's.
template <class ExecOrHandle, class F>
void for_each_index(std::string const& label, ExecOrHandle const& exec_or_handle, std::size_t count,
                    std::size_t elements, F const& f) {
  using Chosen     = typename BackendFor<ExecOrHandle>::type;
  using Exec       = InstanceOf<ExecOrHandle>;
  using Policy     = Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>;
  auto const& exec = driver::instance(exec_or_handle);
  driver::with_shown_label(label, exec_or_handle, [&](std::string const& shown) {
    if constexpr (requires { Chosen::for_each_index(exec, shown, count, elements, f); })
      Chosen::for_each_index(exec, shown, count, elements, f);
    else
      exec::dispatch(shown, exec, Policy(exec, 0, count), f);
  });
}

/// Some words of the boundaries. Who makes them looks for the first offset that points there, and goes on from it.
/// Where many segments are empty it looks for the next other offset, so that no word takes much longer than any.
template <class Integer>
struct MakeBoundaries {
  static constexpr int most_alike = 64;

  core::Offsets<Integer> offsets;
  std::size_t n;
  std::uint32_t* words;
  std::size_t* first_of_words;  // the first offset that points there, or behind; null where nobody asks
  std::size_t begin, end;       // of the words that somebody will read
  std::size_t words_each;

  std::size_t count() const { return (end - begin + words_each - 1) / words_each; }

  KOKKOS_FUNCTION void operator()(std::size_t k) const {
    std::size_t const first = begin + k * words_each, last = end - first < words_each ? end : first + words_each;
    std::size_t next = offsets.find(0, first * core::bits_of_word);
    for (std::size_t w = first; w < last; ++w) {
      if (first_of_words) first_of_words[w] = next;
      words[w] = word(w, next);
    }
  }

 private:
  KOKKOS_FUNCTION std::uint32_t word(std::size_t w, std::size_t& next) const {
    std::uint32_t bits = 0;
    for (int walked = 1; next <= offsets.segments; ++walked) {
      std::size_t const element = offsets.clamped(next, n);
      if (element / core::bits_of_word != w) break;
      bits |= std::uint32_t{1} << (element % core::bits_of_word);
      if (element == n) break;  // whatever comes behind
      next = walked % most_alike == 0 ? offsets.find(next, element + 1) : next + 1;
    }
    return bits;
  }
};

/// The totals of segments: of all, as a scan has left them in an array of n results; or, if there is no such array, of
/// those without elements, which no scan comes to.
template <class Value, class Integer, class Totals, class Results, class Start, bool backward>
struct PutTotals {
  using Stored = core::ElementOf<Totals>;

  core::Offsets<Integer> offsets;
  std::size_t n;
  Totals totals;
  Results results;
  Start start;

  KOKKOS_FUNCTION void operator()(std::size_t segment) const {
    std::size_t const begin = offsets.clamped(segment, n), end = offsets.clamped(segment + 1, n);
    if (begin >= end)
      core::put(totals[segment], static_cast<Stored>(*core::value_of_start<Value>(start)));
    else if constexpr (!std::is_same_v<Results, Nothing>)
      core::put(totals[segment], static_cast<Stored>(results[backward ? n - 1 - begin : end - 1]));
  }
};

/// The first segment whose offsets decrease, or leave an array of n elements; their number, if all are right.
template <class Integer>
struct FindWrongSegment {
  core::Offsets<Integer> offsets;
  std::size_t n;

  KOKKOS_FUNCTION void operator()(std::size_t segment, std::size_t& first) const {
    if (is_wrong(segment) && segment < first) first = segment;
  }
  KOKKOS_FUNCTION bool is_wrong(std::size_t segment) const {
    Integer const begin = offsets.offsets[segment], end = offsets.offsets[segment + 1];
    if constexpr (std::is_signed_v<Integer>)
      if (begin < 0) return true;
    return end < begin || static_cast<std::size_t>(end) > n;
  }
};

}  // namespace KokkosScan::driver
