// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <type_traits>

#include "../core/by_key.hpp"
#include "../core/macros.hpp"
#include "../core/operators.hpp"
#include "run_scan.hpp"

// What nvcc makes of the user's functions. Sources, sinks and problems call them in functions for host and device, and
// of each that is for the host alone, as a lambda is that a host scans with, nvcc would warn there.
namespace KokkosScan::driver {

/// A function of the user's that only a host will call.
template <class F>
struct HostFunction {
  F function;

  KOKKOSSCAN_MAY_CALL_HOST_FUNCTIONS
  template <class T>
    requires HasIdentity<F, T>
  KOKKOSSCAN_FUNCTION static constexpr T identity() {
    return F::template identity<T>();
  }
  KOKKOSSCAN_MAY_CALL_HOST_FUNCTIONS
  template <class... Arguments>
  KOKKOSSCAN_FUNCTION constexpr decltype(auto) operator()(Arguments&&... arguments) const {
    return function(static_cast<Arguments&&>(arguments)...);
  }
};

template <class F, class... Some>
inline constexpr bool is_one_of = (std::is_same_v<F, Some> || ...);

/// A function as a scan has it. On a device that is as it is, with nvcc's warning, which alone says that a function for
/// the host is missing there.
template <class ExecOrHandle, class F>
decltype(auto) for_exec(F const& function) {
#if defined(__NVCC__)
  constexpr bool is_ours =
      is_one_of<F, Sum, Product, Min, Max, BitAnd, BitOr, BitXor, LogicalAnd, LogicalOr, Unchanged, core::EqualTo>;
  if constexpr (exec::is_on_host<InstanceOf<ExecOrHandle>> && !is_ours)
    return HostFunction<std::decay_t<F>>{function};
  else
#endif
    return (function);
}

}  // namespace KokkosScan::driver
