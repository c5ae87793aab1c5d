// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <cstddef>
#include <map>

#include "backend.hpp"
#include "workspace.hpp"

namespace KokkosScan::driver {

template <class Exec>
using MessageLease = typename Workspace<Exec, MessageMemory<Exec>>::Lease;

/// So many bytes where exec works that MPI may be handed, which are kept for later calls on whatever instance of the
/// device. Whoever leases them waits for what uses them before the lease ends.
template <class Exec>
MessageLease<Exec> lease_for_messages(Exec const& exec, std::size_t bytes) {
  using Space = Workspace<Exec, MessageMemory<Exec>>;
  // Never destroyed, as the registry of holders; at Kokkos::finalize its memory goes.
  static auto& kept = *new std::map<int, Space>;
  Space& of_device =
      kept.try_emplace(MessageMemory<Exec>::device(exec), "KokkosScan::messages", Space::Content::anything)
          .first->second;
  return of_device.lease(exec, bytes, {});
}

}  // namespace KokkosScan::driver
