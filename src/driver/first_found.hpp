// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <stdexcept>
#include <string>

#include "../exec/regions.hpp"
#include "run_scan.hpp"

// What the debug checks of Options::check look for: the first of something that is wrong.
namespace KokkosScan::driver {

/// The first i below count for which find(i, first) makes first less, which is `none` before; `none`, if there is no
/// such i. Waits, and says so of `name` where nobody can.
template <class ExecOrHandle, class Find>
std::size_t first_found(std::string const& label, ExecOrHandle const& exec_or_handle, char const* name,
                        std::size_t count, std::size_t none, Find const& find) {
  using Exec        = InstanceOf<ExecOrHandle>;
  std::size_t first = none;
  if constexpr (runs_at_once<typename BackendFor<ExecOrHandle>::type>) {
    for (std::size_t i = 0; i < count && first == none; ++i) find(i, first);
  } else {
    auto const& exec = driver::instance(exec_or_handle);
    if (Scratch<Exec>::capture_of(exec) || exec::is_in_region(exec) || exec::is_taken(exec))
      throw std::runtime_error(label + ": " + name +
                               " cannot be checked while exec is captured into a graph, nor within a kernel, where "
                               "nobody can wait; leave Options::check out there");
    driver::with_shown_label(label, exec_or_handle, [&](std::string const& shown) {
      Kokkos::parallel_reduce(shown, Kokkos::RangePolicy<Exec, Kokkos::IndexType<std::size_t>>(exec, 0, count), find,
                              Kokkos::Min<std::size_t>(first));
    });
    if (first > none) first = none;
  }
  return first;
}

}  // namespace KokkosScan::driver
