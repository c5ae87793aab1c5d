// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
#pragma once

#include <Kokkos_Core.hpp>
#include <cstdint>
#include <string>

#include "regions.hpp"

namespace KokkosScan::exec {

/// Shows to Kokkos Tools a kernel that belongs to a scan, whoever launches it: one event of that label on the caller's
/// instance, a parallel_scan, which is what the caller asked for.
class KernelEvent {
 public:
  template <class Exec>
  KernelEvent(std::string const& label, Exec const& exec) : watched_(Kokkos::Tools::profileLibraryLoaded()) {
    if (watched_) Kokkos::Tools::beginParallelScan(label, Kokkos::Tools::Experimental::device_id(exec), &id_);
  }
  KernelEvent(KernelEvent const&)            = delete;
  KernelEvent& operator=(KernelEvent const&) = delete;
  ~KernelEvent() {
    if (watched_) Kokkos::Tools::endParallelScan(id_);
  }

 private:
  bool watched_;
  std::uint64_t id_ = 0;
};

/// What Kokkos::parallel_for does, and no tool sees.
template <class Exec, class Policy, class Functor>
void dispatch_unseen(Exec const& exec, Policy const& policy, Functor const& functor) {
  AtWork const work(exec::mutex_of(exec));
  Kokkos::Impl::ParallelFor<Functor, Policy>(functor, policy).execute();
}

/// The same, below the event of a scan.
template <class Exec, class Policy, class Functor>
void dispatch(std::string const& label, Exec const& exec, Policy const& policy, Functor const& functor) {
  KernelEvent const event(label, exec);
  exec::dispatch_unseen(exec, policy, functor);
}

/// Shows to Kokkos Tools that a call waited on the caller's instance, where there is nothing to wait for. The
/// instance's own fence would wait for ever in a kernel of its own.
template <class Exec>
void show_fence(std::string const& label, Exec const& exec) {
  if (!Kokkos::Tools::profileLibraryLoaded()) return;
  std::uint64_t id = 0;
  Kokkos::Tools::beginFence(label, Kokkos::Tools::Experimental::device_id(exec), &id);
  Kokkos::Tools::endFence(id);
}

}  // namespace KokkosScan::exec
