// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>

namespace KokkosScan::driver {

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

}  // namespace KokkosScan::driver
