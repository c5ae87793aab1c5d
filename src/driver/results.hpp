// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <string>

#include "../core/memory.hpp"
#include "arguments.hpp"
#include "run_scan.hpp"

// A number that a call finds, where Total{x} says that it goes.
namespace KokkosScan::driver {

/// Calls f(memory, address) with scratch and with where the number goes, for what writes it in order on exec. A
/// variable of the host is waited for.
template <class ExecOrHandle, class TotalArgument, class F>
void with_result(std::string const& label, ExecOrHandle const& exec_or_handle, core::Needs const& needs,
                 TotalArgument const& total, F const& f) {
  using Value      = typename TotalArgument::value_type;
  auto const& exec = driver::instance(exec_or_handle);
  if constexpr (requires { total.address; }) {
    auto const leases = driver::lease(exec_or_handle, needs);
    f(leases.memory(), total.address);
  } else {
    driver::refuse_in_capture(label, exec);
    if constexpr (writes_to_host<InstanceOf<ExecOrHandle>>) {
      auto const leases = driver::lease(exec_or_handle, needs);
      f(leases.memory(), &total.value);
      driver::copy_to_host(label, exec_or_handle, static_cast<Value const*>(&total.value), total.value);
    } else {
      core::Needs const both = with_total<Value>(needs);
      auto const leases      = driver::lease(exec_or_handle, both);
      auto* const end        = static_cast<std::byte*>(leases.memory().scratch) + both.scratch;
      auto* const address    = reinterpret_cast<Value*>(end) - 1;
      f(leases.memory(), address);
      driver::copy_to_host(label, exec_or_handle, static_cast<Value const*>(address), total.value);
    }
  }
}

}  // namespace KokkosScan::driver
