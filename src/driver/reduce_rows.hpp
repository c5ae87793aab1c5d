// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>

#include "../core/row_reduction.hpp"
#include "run_scan.hpp"

// What the items of ragged rows combine to, where the backend has a way of its own.
namespace KokkosScan::driver {

template <class ExecOrHandle, class Value>
inline constexpr bool reduces_rows = requires(ExecOrHandle const& handle, std::size_t n) {
  BackendFor<ExecOrHandle>::type::template needs_of_row_reductions<Value>(driver::choice(handle), n);
};
template <class ExecOrHandle, class Reduction>
void reduce_rows(std::string const& label, ExecOrHandle const& exec_or_handle, Reduction const& reduction) {
  using Chosen       = typename BackendFor<ExecOrHandle>::type;
  using Value        = typename Reduction::Value;
  auto const& choice = driver::choice(exec_or_handle);
  auto const leases =
      driver::lease(exec_or_handle, Chosen::template needs_of_row_reductions<Value>(choice, reduction.rows.most));
  driver::with_shown_label(label, exec_or_handle, [&](std::string const& shown) {
    Chosen::reduce_rows(driver::instance(exec_or_handle), shown, choice, reduction, leases.memory());
  });
}

}  // namespace KokkosScan::driver
