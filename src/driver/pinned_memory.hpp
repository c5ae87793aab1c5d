// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstddef>
#include <cstring>
#include <string>
#include <type_traits>

#include "../exec/regions.hpp"
#include "../exec/scratch_memory.hpp"
#include "workspace.hpp"

// Memory that both the host and kernels of any instance reach: what an instance finds and the host goes on with.
namespace KokkosScan::driver {

template <class Exec>
using SharedSpace = std::conditional_t<exec::is_on_host<Exec>, Kokkos::HostSpace, Kokkos::SharedHostPinnedSpace>;

template <class Exec>
struct PinnedMemory {
  using Space   = SharedSpace<Exec>;
  using Capture = exec::NoCapture;

  static std::string source() {
    std::string name = "Kokkos::kokkos_malloc<";
    name += Space::name();
    return name += '>';
  }
  static void* allocate(Exec const&, std::string const& label, std::size_t bytes) {
    return Kokkos::kokkos_malloc<Space>(label, bytes);
  }
  /// Whoever had it has waited for all that used it.
  static void free(Exec const&, std::string const& label, void* data, std::size_t bytes) {
    free_unused(label, data, bytes);
  }
  static void free_unused(std::string const&, void* data, std::size_t) { Kokkos::kokkos_free<Space>(data); }
  static void clear(Exec const&, void* data, std::size_t bytes) { std::memset(data, 0, bytes); }
  static void keep(Capture, exec::GraphCount const&) {}
};

template <class Exec>
using PinnedLease = typename Workspace<Exec, PinnedMemory<Exec>>::Lease;

/// So many bytes, which are kept for later calls, on whatever instance. Whoever leases them waits for what uses them
/// before the lease ends.
template <class Exec>
PinnedLease<Exec> lease_pinned(Exec const& exec, std::size_t bytes) {
  using Space = Workspace<Exec, PinnedMemory<Exec>>;
  // Never destroyed, as the registry of holders; at Kokkos::finalize its memory goes.
  static Space& kept = *new Space("KokkosScan::shared", Space::Content::anything);
  return kept.lease(exec, bytes, {});
}

}  // namespace KokkosScan::driver
