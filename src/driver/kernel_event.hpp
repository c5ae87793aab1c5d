// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>

namespace KokkosScan::driver {

/// The label for a Kokkos dispatch. Kokkos 5.2 copies it at every launch, to the heap if it is long, so it gets none
/// when no tool is there to read it.
inline std::string const& label_for_tools(std::string const& label) {
  static std::string const none;
  return Kokkos::Tools::profileLibraryLoaded() ? label : none;
}

/// Shows to Kokkos Tools work that does not go through a Kokkos dispatch: a tool sees one kernel of that label on the
/// caller's instance, as for any other launch.
class KernelEvent {
 public:
  template <class Exec>
  KernelEvent(std::string const& label, Exec const& exec) : watched_(Kokkos::Tools::profileLibraryLoaded()) {
    if (watched_) Kokkos::Tools::beginParallelFor(label, Kokkos::Tools::Experimental::device_id(exec), &id_);
  }
  KernelEvent(KernelEvent const&)            = delete;
  KernelEvent& operator=(KernelEvent const&) = delete;
  ~KernelEvent() {
    if (watched_) Kokkos::Tools::endParallelFor(id_);
  }

 private:
  bool watched_;
  std::uint64_t id_ = 0;
};

/// Shows to Kokkos Tools that a call waited on the caller's instance, where there is nothing to wait for. The
/// instance's own fence would wait for ever in a kernel of its own.
template <class Exec>
void show_fence(std::string const& label, Exec const& exec) {
  if (!Kokkos::Tools::profileLibraryLoaded()) return;
  std::uint64_t id = 0;
  Kokkos::Tools::beginFence(label, Kokkos::Tools::Experimental::device_id(exec), &id);
  Kokkos::Tools::endFence(id);
}

}  // namespace KokkosScan::driver
