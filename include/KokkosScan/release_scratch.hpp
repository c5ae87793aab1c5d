// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>

#include "../../src/driver/instances.hpp"

// The memory that is kept from call to call for instances that come without a Handle, which has Handle::release().
namespace KokkosScan {

/// Frees what is kept for that instance, no call has at the moment, and no graph uses. In order: kernels may still run,
/// and nothing waits for them but where memory cannot be freed in the order of an instance. Throws std::runtime_error
/// while the instance is captured.
///
///   release_scratch(exec)
template <class Exec>
  requires Kokkos::is_execution_space_v<Exec>
void release_scratch(Exec const& exec) {
  driver::Instances<Exec>::all().release(exec);
}

/// The same for every instance there is or was, of every execution space. Waits for all devices, so nothing may be
/// captured meanwhile.
///
///   release_scratch()
inline void release_scratch() { driver::AnyInstances::release_all(); }

}  // namespace KokkosScan
