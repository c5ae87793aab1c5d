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

/// The boundaries of segments, by a kernel of the backend's own where it has one.
template <class ExecOrHandle, class Integer>
void make_boundaries(std::string const& label, ExecOrHandle const& exec_or_handle, std::size_t elements,
                     core::MakeBoundaries<Integer> const& make) {
  using Chosen = typename BackendFor<ExecOrHandle>::type;
  if constexpr (requires { Chosen::make_boundaries(driver::instance(exec_or_handle), label, make); })
    driver::with_shown_label(label, exec_or_handle, [&](std::string const& shown) {
      Chosen::make_boundaries(driver::instance(exec_or_handle), shown, make);
    });
  else
    driver::for_each_index(label, exec_or_handle, make.count(), elements, make);
}

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
